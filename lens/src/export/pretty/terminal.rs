//! Decides what is printed when.
//!
//! A trace is printed whole when its root ends. A root that is open for longer than
//! [`PATIENCE`] is printed in parts: each direct child when it ends, each of its own log
//! lines at once. Never holds more than [`MOST_HELD`] items.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, SystemTime};

use opentelemetry::trace::{SpanId, TraceId};
use opentelemetry_sdk::trace::SpanData;

use super::convert;
use super::forest::{Node, print_nodes};
use super::line::Style;
use crate::export::points::each_point;
use crate::export::{Collected, Item, Log};

const PATIENCE: Duration = Duration::from_secs(1);
const MOST_HELD: usize = 10_000;

/// Writes traces as trees.
pub(crate) struct Pretty {
    /// What has started and not ended, by the items seen so far.
    open: HashMap<SpanId, SpanData>,
    style: Style,
    traces: HashMap<TraceId, Trace>,
    /// How many traces have had a header, and which one was printed last.
    numbered: usize,
    last: Last,
    held: usize,
}

#[derive(Default)]
struct Trace {
    number: usize,
    /// Whether something of it was printed, and may be the parent of what comes.
    printed: bool,
    /// The root whose children are being printed before it ends.
    unrolled: Option<SpanId>,
    nodes: Vec<Node>,
}

/// What the last printed line belonged to.
#[derive(PartialEq)]
enum Last {
    Nothing,
    NoTrace,
    Metrics,
    Trace(TraceId),
}

impl Pretty {
    pub(crate) fn new(color: bool) -> Self {
        Self {
            open: HashMap::new(),
            style: Style { color },
            traces: HashMap::new(),
            numbered: 0,
            last: Last::Nothing,
            held: 0,
        }
    }

    /// Takes items and writes what is due; `false` when stdout is gone.
    pub(crate) fn write(&mut self, items: &[Item], last_call: bool) -> bool {
        let text = self.render(items, last_call, SystemTime::now());
        let mut stdout = std::io::stdout().lock();
        (stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush()))
        .is_ok()
    }

    /// Whether something waits to be printed.
    pub(crate) fn is_holding(&self) -> bool {
        self.held > 0
    }

    fn render(&mut self, items: &[Item], last_call: bool, now: SystemTime) -> String {
        let mut out = String::new();
        for item in items {
            match item {
                Item::Start(span) => {
                    if self.open.len() >= MOST_HELD {
                        // Spans whose ends were dropped stay for ever; children of what is
                        // forgotten are printed as roots.
                        self.open.clear();
                    }
                    // A trace is numbered by its first start.
                    self.trace(span.span_context.trace_id());
                    let id = span.span_context.span_id();
                    self.open.insert(id, (**span).clone());
                }
                Item::Span(span) => self.span(span, &mut out),
                Item::Log(log) => self.log(log, &mut out),
                Item::Metrics(collected) => self.metrics(collected, &mut out),
                // For a receiver only.
                Item::Run(_) => {}
            }
        }
        let due = last_call || self.held > MOST_HELD;
        let mut ids: Vec<_> = (self.traces.iter())
            .filter(|(_, trace)| !trace.nodes.is_empty())
            .map(|(id, trace)| (trace.number, *id))
            .collect();
        ids.sort_unstable_by_key(|(number, _)| *number);
        for (_, id) in ids {
            self.unroll(id, now, &mut out);
            if due {
                self.print_rest(id, &mut out);
            }
        }
        out
    }

    fn span(&mut self, span: &SpanData, out: &mut String) {
        let trace_id = span.span_context.trace_id();
        let id = span.span_context.span_id();
        self.open.remove(&id);
        let parent = Some(span.parent_span_id).filter(|parent| *parent != SpanId::INVALID);
        let local = parent.filter(|_| !span.parent_span_is_remote);
        let is_root = local.is_none_or(|parent| !self.open.contains_key(&parent));
        let mut text = convert::span(self.style, span, true);
        if parent.is_some() && local.is_none() {
            text.push_str(" (remote parent)");
        } else if local.is_some() && is_root && !self.trace(trace_id).printed {
            text.push_str(" (parent missing)");
        }
        self.hold(trace_id, Some(id), local, span.start_time, text);
        for event in &span.events.events {
            self.hold(
                trace_id,
                None,
                Some(id),
                event.timestamp,
                convert::event(event),
            );
        }
        for link in &span.links.links {
            let linked = self.traces.get(&link.span_context.trace_id());
            let linked = linked.map_or("?".to_owned(), |trace| trace.number.to_string());
            let text = format!("link → trace {linked}");
            self.hold(trace_id, None, Some(id), span.start_time, text);
        }
        if self.trace(trace_id).unrolled == Some(id) {
            self.close_unrolled(trace_id, id, out);
        } else if is_root {
            self.print_rest(trace_id, out);
        }
    }

    fn hold(
        &mut self,
        trace_id: TraceId,
        id: Option<SpanId>,
        parent: Option<SpanId>,
        at: SystemTime,
        text: String,
    ) {
        let order = at
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        let node = Node {
            id,
            parent,
            order: order.as_nanos(),
            text,
        };
        self.trace(trace_id).nodes.push(node);
        self.held += 1;
    }

    fn log(&mut self, log: &Log, out: &mut String) {
        let text = convert::log(self.style, log);
        let Some((trace_id, span_id)) = log.ids() else {
            if self.last != Last::NoTrace {
                self.last = Last::NoTrace;
                out.push_str("no trace\n");
            }
            let _ = writeln!(out, "├─ {text}");
            return;
        };
        let at = log.record.timestamp().unwrap_or(SystemTime::UNIX_EPOCH);
        self.hold(trace_id, None, Some(span_id), at, text);
        // A record of a span that has ended waits for nothing.
        if !self.open.contains_key(&span_id) && !self.is_held(trace_id, span_id) {
            self.print_rest(trace_id, out);
        }
    }

    fn metrics(&mut self, collected: &Collected, out: &mut String) {
        let mut points = Vec::new();
        each_point(collected, |point| points.push(convert::point(&point)));
        let Some(last) = points.pop() else { return };
        self.last = Last::Metrics;
        out.push_str("metrics\n");
        for point in points {
            let _ = writeln!(out, "├─ {point}");
        }
        let _ = writeln!(out, "└─ {last}");
    }

    fn is_held(&self, trace_id: TraceId, span_id: SpanId) -> bool {
        let Some(trace) = self.traces.get(&trace_id) else {
            return false;
        };
        trace.nodes.iter().any(|node| node.id == Some(span_id))
    }

    fn trace(&mut self, id: TraceId) -> &mut Trace {
        self.traces.entry(id).or_insert_with(|| {
            self.numbered += 1;
            Trace {
                number: self.numbered,
                ..Trace::default()
            }
        })
    }

    /// Prints what stands directly below a root that stays open.
    fn unroll(&mut self, trace_id: TraceId, now: SystemTime, out: &mut String) {
        let Some(trace) = self.traces.get(&trace_id) else {
            return;
        };
        let mut parents = trace.nodes.iter().filter_map(|node| node.parent);
        let Some(root) = parents.find_map(|parent| self.root_of(parent)).cloned() else {
            return;
        };
        if now.duration_since(root.start_time).unwrap_or_default() < PATIENCE {
            return;
        }
        let root_id = root.span_context.span_id();
        if !trace.nodes.iter().any(|node| node.parent == Some(root_id)) {
            return;
        }
        self.unrolled_header(trace_id, &root, out);
        let units = self.take_subtrees(trace_id, root_id);
        print_nodes(units, Some(root_id), "   ", false, out);
    }

    /// The outermost open ancestor of a span, the span itself included.
    fn root_of(&self, id: SpanId) -> Option<&SpanData> {
        let mut span = self.open.get(&id)?;
        while let Some(parent) = self.open.get(&span.parent_span_id) {
            span = parent;
        }
        Some(span)
    }

    fn unrolled_header(&mut self, trace_id: TraceId, root: &SpanData, out: &mut String) {
        let shown = self.last == Last::Trace(trace_id);
        let id = root.span_context.span_id();
        let first = self.trace(trace_id).unrolled.replace(id) != Some(id);
        self.header(trace_id, out);
        if first || !shown {
            let _ = writeln!(out, "└─ {}", convert::span(self.style, root, false));
        }
    }

    /// Prints the end of a root whose children were printed before.
    fn close_unrolled(&mut self, trace_id: TraceId, id: SpanId, out: &mut String) {
        let shown = self.last == Last::Trace(trace_id);
        self.header(trace_id, out);
        let mut nodes = self.take_all(trace_id);
        let root = nodes.iter().position(|node| node.id == Some(id));
        let root = root.map_or(String::new(), |root| nodes.remove(root).text);
        if !shown {
            out.push_str("└─ (…)\n");
        }
        print_nodes(nodes, Some(id), "   ", false, out);
        let _ = writeln!(out, "   └─ (end) {root}");
        self.forget(trace_id);
    }

    /// Prints everything held of a trace.
    fn print_rest(&mut self, trace_id: TraceId, out: &mut String) {
        self.header(trace_id, out);
        let nodes = self.take_all(trace_id);
        print_nodes(nodes, None, "", true, out);
        self.forget(trace_id);
    }

    fn header(&mut self, trace_id: TraceId, out: &mut String) {
        if self.last != Last::Trace(trace_id) {
            self.last = Last::Trace(trace_id);
            let trace = self.trace(trace_id);
            trace.printed = true;
            let number = trace.number;
            let _ = writeln!(out, "{}", self.style.dim(&format!("trace {number}")));
        }
    }

    /// Drops what is known of a trace once nothing of it is open or held.
    fn forget(&mut self, trace_id: TraceId) {
        let bound = MOST_HELD;
        if self.traces.len() > bound {
            self.traces.retain(|_, trace| !trace.nodes.is_empty());
        } else if let Some(trace) = self.traces.get_mut(&trace_id) {
            trace.unrolled = None;
        }
    }

    fn take_all(&mut self, trace_id: TraceId) -> Vec<Node> {
        let nodes = std::mem::take(&mut self.trace(trace_id).nodes);
        self.held -= nodes.len();
        nodes
    }

    /// Takes the nodes below `root` whose line of ancestors is complete.
    fn take_subtrees(&mut self, trace_id: TraceId, root: SpanId) -> Vec<Node> {
        let nodes = std::mem::take(&mut self.trace(trace_id).nodes);
        let parents: HashMap<SpanId, Option<SpanId>> = (nodes.iter())
            .filter_map(|node| Some((node.id?, node.parent)))
            .collect();
        let is_below = |mut parent: Option<SpanId>| loop {
            match parent {
                Some(id) if id == root => return true,
                Some(id) => parent = parents.get(&id).copied().flatten(),
                None => return false,
            }
        };
        let (below, kept): (Vec<_>, Vec<_>) =
            (nodes.into_iter()).partition(|node| is_below(node.parent));
        self.held -= below.len();
        self.trace(trace_id).nodes = kept;
        below
    }
}

#[cfg(test)]
#[path = "terminal_tests.rs"]
mod tests;
