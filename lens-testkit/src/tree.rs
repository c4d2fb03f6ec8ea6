//! What was captured as text: spans with their logs inside, the same bytes from run to run.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use lens::__private::{Node, Style, print_nodes};
use lens::opentelemetry::TraceId;
use log::Level;

use crate::model::{Snapshot, SpanData, least_severity};
use crate::normalise::Normaliser;
use crate::query::Item;

/// A failure shows no more lines of the tree than this.
const SHOWN_LINES: usize = 80;
const SHOWN_ORPHANS: usize = 10;

/// What was captured as text, made by [`Capture::tree`](crate::Capture::tree).
///
/// Times, durations, threads and the place of a call are left out. Trace and span ids, UUIDs,
/// ports of this machine, the folder for temporary files and the process id are normalised,
/// also inside messages. So the text is the same from run to run and fit for a snapshot:
/// `insta::assert_snapshot!(cap.tree())`.
///
/// Siblings stand in the order in which they began. Where something came from another thread
/// than the test's own, which has no order, they are sorted by their text and the first line
/// says `(canonical order)`.
#[derive(Clone, Debug)]
#[must_use = "a tree is shown by its `Display`"]
pub struct TraceTree {
    all: Arc<Snapshot>,
    least: i32,
    with_logs: bool,
    keys: Option<Vec<String>>,
    redacted: Vec<(String, String)>,
    canonical: bool,
}

impl TraceTree {
    pub(crate) fn of(all: Arc<Snapshot>) -> Self {
        Self {
            all,
            least: 0,
            with_logs: true,
            keys: None,
            redacted: Vec::new(),
            canonical: false,
        }
    }

    /// Sorts siblings and traces by their text, whatever threads they ran on.
    pub fn canonical(mut self) -> Self {
        self.canonical = true;
        self
    }

    /// Leaves out all log records.
    pub fn without_logs(mut self) -> Self {
        self.with_logs = false;
        self
    }

    /// Leaves out log records that are less severe.
    pub fn min_level(mut self, level: Level) -> Self {
        self.least = least_severity(level);
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
        let canonical = self.canonical || self.all.off_home;
        // Numbers need an order, and the order in which they are sorted must not need numbers.
        let numbered = if canonical {
            let traces = self.traces(&Normaliser::anonymous(&self.all), true);
            Normaliser::numbered(&self.all, traces.iter().filter_map(|(id, _)| *id))
        } else {
            Normaliser::numbered(&self.all, self.traces_by_start())
        };
        let mut text = String::new();
        if canonical {
            text.push_str("(canonical order)\n");
        }
        let mut number = 0;
        for (id, nodes) in self.traces(&numbered, canonical) {
            match id {
                Some(_) => {
                    number += 1;
                    text.push_str(&format!("trace {number}\n"));
                }
                None => text.push_str("no trace\n"),
            }
            print_nodes(nodes, None, "", true, &mut text);
        }
        text
    }

    /// The lines of each trace, and last those of none: by start, or sorted by their text.
    fn traces(
        &self,
        normaliser: &Normaliser,
        canonical: bool,
    ) -> Vec<(Option<TraceId>, Vec<Node>)> {
        let mut traces: HashMap<Option<TraceId>, Vec<Node>> = HashMap::new();
        for span in &self.all.spans {
            let nodes = span_nodes(&self.shown(span), normaliser);
            traces.entry(Some(span.trace_id)).or_default().extend(nodes);
        }
        let logs = self.all.logs.iter();
        for log in logs.filter(|log| self.with_logs && log.severity >= self.least) {
            let mut log = (**log).clone();
            self.narrow(&mut log.attributes);
            let node = Node {
                id: None,
                parent: log.ids.map(|(_, span_id)| span_id),
                order: u128::from(log.sequence) << 32,
                text: normaliser.apply(&log.line()),
            };
            let trace = log.ids.map(|(trace_id, _)| trace_id);
            traces.entry(trace).or_default().push(node);
        }
        let mut traces: Vec<_> = traces.into_iter().collect();
        if canonical {
            for (_, nodes) in &mut traces {
                *nodes = sorted(std::mem::take(nodes));
            }
            traces.sort_by_cached_key(|(id, nodes)| {
                let mut text = String::new();
                for node in nodes {
                    text.push_str(&node.text);
                    text.push('\n');
                }
                (id.is_none(), text)
            });
        } else {
            traces.sort_by_key(|(id, nodes)| {
                (
                    id.is_none(),
                    nodes.iter().map(|node| node.order).min(),
                    id.map(TraceId::to_bytes),
                )
            });
        }
        traces
    }

    fn traces_by_start(&self) -> impl Iterator<Item = TraceId> {
        let anonymous = Normaliser::anonymous(&self.all);
        self.traces(&anonymous, false)
            .into_iter()
            .filter_map(|(id, _)| id)
    }

    fn shown(&self, span: &SpanData) -> SpanData {
        let mut span = span.clone();
        self.narrow(&mut span.attributes);
        for event in &mut span.events {
            self.narrow(&mut event.attributes);
        }
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

/// Nodes in the order of their subtrees' text.
fn sorted(nodes: Vec<Node>) -> Vec<Node> {
    let texts: Vec<String> = nodes.iter().map(|node| subtree(node, &nodes)).collect();
    let mut keyed: Vec<(String, Node)> = texts.into_iter().zip(nodes).collect();
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
            "orphans, which came meanwhile and belong to no test as far as can be told; \
             `lens::thread::spawn`, `cap.wrap(…)` or `isolation = \"process\"` would tell\n",
        );
        for orphan in all.orphans.iter().take(SHOWN_ORPHANS) {
            let (line, thread) = orphan.shown();
            text.push_str(&format!("  {line}  (thread {thread:?})\n"));
        }
        if let Some(more @ 1..) = all.orphans.len().checked_sub(SHOWN_ORPHANS) {
            text.push_str(&format!("  and {more} more\n"));
        }
    }
    text
}
