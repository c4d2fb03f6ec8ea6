//! What was captured as text: spans with their logs inside, the same bytes from run to run.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use lens::__private::{Node, Style, print_nodes};
use lens::opentelemetry::TraceId;
use log::Level;

use crate::model::{LogData, Snapshot, SpanData};
use crate::normalise::Normaliser;
use crate::query::Item;

/// A failure shows no more lines of the tree than this.
const SHOWN_LINES: usize = 80;

/// What was captured as text, made by [`Capture::tree`](crate::Capture::tree).
///
/// Ids, times, threads, file paths, process ids, ports, temporary folders and UUIDs are
/// normalised, also inside messages, so the text is the same from run to run and fit for a
/// snapshot: `insta::assert_snapshot!(cap.tree())`.
///
/// Siblings stand in the order in which they began. Where they ran on several threads, which
/// has no order, they are sorted by their text and the first line says `(canonical order)`.
#[derive(Clone, Debug)]
#[must_use = "a tree is shown by its `Display`"]
pub struct TraceTree {
    all: Arc<Snapshot>,
    least: i32,
    with_logs: bool,
    keys: Option<Vec<String>>,
    redacted: Vec<(String, String)>,
}

impl TraceTree {
    pub(crate) fn of(all: Arc<Snapshot>) -> Self {
        Self {
            all,
            least: 0,
            with_logs: true,
            keys: None,
            redacted: Vec::new(),
        }
    }

    /// Leaves out all log records.
    pub fn without_logs(mut self) -> Self {
        self.with_logs = false;
        self
    }

    /// Leaves out log records that are less severe.
    pub fn min_level(mut self, level: Level) -> Self {
        self.least = 21 - 4 * level as i32;
        self
    }

    /// Shows these attributes only.
    pub fn attrs(mut self, keys: &[&str]) -> Self {
        self.keys = Some(keys.iter().map(|&key| key.to_owned()).collect());
        self
    }

    /// Shows `shown` in place of the value of an attribute.
    pub fn redact(mut self, key: &str, shown: &str) -> Self {
        self.redacted.push((key.to_owned(), shown.to_owned()));
        self
    }

    fn render(&self) -> String {
        let spans: Vec<SpanData> = self.all.spans.iter().map(|span| self.shown(span)).collect();
        let logs: Vec<LogData> = (self.all.logs.iter())
            .filter(|log| self.with_logs && log.severity >= self.least)
            .map(|log| {
                let mut log = (**log).clone();
                self.narrow(&mut log.attributes);
                log
            })
            .collect();
        let normaliser = Normaliser::new(&self.all);
        let mut text = String::new();
        let mut traces: BTreeMap<u64, (TraceId, Vec<Node>)> = BTreeMap::new();
        let mut order = HashMap::new();
        let mut add = |trace: TraceId, node: Node| {
            let first = *order.entry(trace).or_insert(node.order as u64);
            traces
                .entry(first)
                .or_insert_with(|| (trace, Vec::new()))
                .1
                .push(node);
        };
        for span in &spans {
            for node in span_nodes(span, &normaliser) {
                add(span.trace_id, node);
            }
        }
        let mut loose = Vec::new();
        for log in &logs {
            let node = Node {
                id: None,
                parent: log.ids.map(|(_, span_id)| span_id),
                order: u128::from(log.sequence) << 32,
                text: normaliser.apply(&log.line()),
            };
            match log.ids {
                Some((trace_id, _)) => add(trace_id, node),
                None => loose.push(node),
            }
        }
        let canonical = ran_on_several_threads(&self.all);
        if canonical {
            text.push_str("(canonical order)\n");
        }
        for (number, (_, nodes)) in traces.into_values().enumerate() {
            text.push_str(&format!("trace {}\n", number + 1));
            print_nodes(ordered(nodes, canonical), None, "", true, &mut text);
        }
        if !loose.is_empty() {
            text.push_str("no trace\n");
            print_nodes(ordered(loose, canonical), None, "", true, &mut text);
        }
        text
    }

    fn shown(&self, span: &SpanData) -> SpanData {
        let mut span = span.clone();
        self.narrow(&mut span.attributes);
        span
    }

    fn narrow(&self, attributes: &mut Vec<(String, crate::Value)>) {
        if let Some(keys) = &self.keys {
            attributes.retain(|(key, _)| keys.contains(key));
        }
        for (key, value) in attributes {
            if let Some((_, shown)) = self.redacted.iter().find(|(redacted, _)| redacted == key) {
                *value = crate::Value::Str(shown.clone());
            }
        }
    }
}

impl fmt::Display for TraceTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render().trim_end_matches('\n'))
    }
}

/// The line of a span, and those of its events and links.
fn span_nodes(span: &SpanData, normaliser: &Normaliser) -> Vec<Node> {
    let order = u128::from(span.sequence) << 32;
    let mut text = normaliser.apply(&span.line());
    if span.is_parent_remote {
        text.push_str(" (remote parent)");
    }
    let mut nodes = vec![Node {
        id: Some(span.span_id),
        parent: span.parent.filter(|_| !span.is_parent_remote),
        order,
        text,
    }];
    let mut inside = |index: usize, text: String| {
        nodes.push(Node {
            id: None,
            parent: Some(span.span_id),
            order: order + 1 + index as u128,
            text: normaliser.apply(&text),
        });
    };
    for (index, link) in span.links.iter().enumerate() {
        inside(index, format!("link → {}", link.span_id));
    }
    for (index, event) in span.events.iter().enumerate() {
        let attributes = crate::model::rendered(&event.attributes);
        inside(
            span.links.len() + index,
            Style::event(&event.name, attributes),
        );
    }
    nodes
}

/// Nodes in the order they began, or sorted by the text of their subtrees.
fn ordered(nodes: Vec<Node>, canonical: bool) -> Vec<Node> {
    if !canonical {
        return nodes;
    }
    let mut keyed: Vec<(String, Node)> = Vec::new();
    let texts: Vec<String> = nodes.iter().map(|node| subtree(node, &nodes)).collect();
    for (text, node) in texts.into_iter().zip(nodes) {
        keyed.push((text, node));
    }
    keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
    (keyed.into_iter().enumerate())
        .map(|(order, (_, node))| Node {
            order: order as u128,
            ..node
        })
        .collect()
}

/// The text of a node and all below it, itself in canonical order.
fn subtree(node: &Node, nodes: &[Node]) -> String {
    let mut below: Vec<String> = match node.id {
        None => Vec::new(),
        id => (nodes.iter())
            .filter(|other| other.parent == id && other.id != id)
            .map(|other| subtree(other, nodes))
            .collect(),
    };
    below.sort_unstable();
    // Log lines stand before spans, as they would by time in a simple function.
    let rank = if node.id.is_some() { '2' } else { '1' };
    format!("{rank}{}\n{}", node.text, below.concat())
}

fn ran_on_several_threads(all: &Snapshot) -> bool {
    let spans = all.spans.iter().map(|span| span.thread.as_str());
    let mut threads = spans.chain(all.logs.iter().map(|log| log.thread.as_str()));
    let first = threads.next();
    threads.any(|thread| Some(thread) != first)
}

/// Everything that was captured, as a failure shows it.
pub(crate) fn captured(all: &Snapshot) -> String {
    let orphans = match all.orphans.len() {
        0 => String::new(),
        count => format!(", {count} orphans"),
    };
    let mut text = format!(
        "captured ({}{} spans, {} logs{orphans})\n",
        if all.title.is_empty() {
            String::new()
        } else {
            format!("{}, ", all.title)
        },
        all.spans.len(),
        all.logs.len(),
    );
    let tree = TraceTree::of(Arc::new(all.clone())).render();
    let count = tree.lines().count();
    for line in tree.lines().take(SHOWN_LINES) {
        text.push_str(&format!("  {line}\n"));
    }
    if count > SHOWN_LINES {
        text.push_str(&format!("  … {} more lines\n", count - SHOWN_LINES));
    }
    if !all.orphans.is_empty() {
        text.push_str(
            "orphans, which belong to no test as far as can be told; `lens::thread::spawn`, \
             `cap.wrap(…)` or `isolation = \"process\"` would tell\n",
        );
        for orphan in &all.orphans {
            text.push_str(&format!(
                "  {}  (thread {:?})\n",
                orphan.line, orphan.thread
            ));
        }
    }
    text
}
