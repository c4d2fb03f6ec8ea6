//! Lines that know their parents, printed as trees.

use std::collections::HashMap;
use std::fmt::Write;

use opentelemetry::trace::SpanId;

/// A line of a tree.
#[derive(Debug)]
pub struct Node {
    /// The span itself; `None` for a log line.
    pub id: Option<SpanId>,
    /// The span it stands in.
    pub parent: Option<SpanId>,
    /// Siblings are printed in this order.
    pub order: u128,
    /// What the line says.
    pub text: String,
}

/// Prints `nodes` as trees below `parent`, in their order; where `closes` is
/// false more siblings may follow later.
pub fn print_nodes(
    nodes: Vec<Node>,
    parent: Option<SpanId>,
    indent: &str,
    closes: bool,
    out: &mut String,
) {
    let known: HashMap<SpanId, usize> = (nodes.iter().enumerate())
        .filter_map(|(index, node)| Some((node.id?, index)))
        .collect();
    let mut children: HashMap<Option<usize>, Vec<&Node>> = HashMap::new();
    for node in &nodes {
        let above = node.parent.filter(|id| Some(*id) != parent);
        let above = above.and_then(|id| known.get(&id).copied());
        children.entry(above).or_default().push(node);
    }
    for siblings in children.values_mut() {
        // Stable: a span and its first line may share a time, and were queued in order.
        siblings.sort_by_key(|node| node.order);
    }
    let forest = Forest { known, children };
    forest.print(None, indent, closes, out);
}

struct Forest<'a> {
    known: HashMap<SpanId, usize>,
    children: HashMap<Option<usize>, Vec<&'a Node>>,
}

impl Forest<'_> {
    fn print(&self, parent: Option<usize>, indent: &str, closes: bool, out: &mut String) {
        let siblings = self.children.get(&parent).map_or(&[][..], Vec::as_slice);
        for (index, node) in siblings.iter().enumerate() {
            let is_last = closes && index + 1 == siblings.len();
            let (branch, below) = if is_last {
                ("└─ ", "   ")
            } else {
                ("├─ ", "│  ")
            };
            let _ = writeln!(out, "{indent}{branch}{}", node.text);
            if let Some(id) = node.id {
                let below = format!("{indent}{below}");
                self.print(self.known.get(&id).copied(), &below, true, out);
            }
        }
    }
}
