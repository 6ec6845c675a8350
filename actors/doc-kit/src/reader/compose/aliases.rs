//! Values that an alias repeats, within budgets.

use std::collections::BTreeSet;
use std::iter;

use granit_parser::{Event, Span};

use super::{Composer, Stop};
use crate::reader::place::Place;
use crate::reader::{Limits, Node, NodeValue};

/// What a part of the tree amounts to.
#[derive(Clone, Copy, Default)]
pub(super) struct Cost {
    pub(super) nodes: usize,
    pub(super) bytes: usize,
}

/// A node that an alias can repeat, with what repeating it costs.
pub(super) struct Anchored {
    pub(super) node: Node,
    pub(super) cost: Cost,
    pub(super) height: usize,
}

/// The anchors that aliases repeat. Most texts have none, and then nothing is kept: anchors inside each other would each keep all
/// that is inside.
pub(super) fn repeated(text: &str, limits: &Limits) -> BTreeSet<usize> {
    if !text.contains('*') || !text.contains('&') {
        return BTreeSet::new();
    }
    let mut events = super::parser(text, limits);
    iter::from_fn(|| events.next_event()?.ok())
        .filter_map(|(event, _)| match event {
            Event::Alias(id) => Some(id),
            _ => None,
        })
        .collect()
}

impl Composer<'_> {
    /// Keeps the value of an anchor for its aliases. Each of those counts towards the budget, so when the values kept exceed it
    /// together, the text is refused at one of them at the latest, and a place holder will do until then.
    pub(super) fn keep(&mut self, anchor: usize, node: &Node, cost: Cost, height: usize) {
        self.kept.nodes += cost.nodes;
        self.kept.bytes += cost.bytes;
        let within =
            self.kept.nodes <= self.limits.alias_nodes_max && self.kept.bytes <= self.limits.alias_bytes_max;
        let value = if within {
            node.value.clone()
        } else {
            NodeValue::Unreadable
        };
        let node = Node {
            value,
            position: node.position,
        };
        self.anchors.insert(anchor, Anchored { node, cost, height });
    }

    /// The repeated value and its height.
    pub(super) fn alias(&mut self, id: usize, span: &Span, place: &Place<'_>) -> Result<(Node, usize), Stop> {
        if self.open_anchors.contains(&id) {
            let message = "This alias repeats the value that it stands in.";
            self.report(
                "alias-to-itself",
                (&place.path(), span.start),
                message,
                "Write the value out.",
            );
        }
        let Some(anchored) = self.anchors.get(&id) else {
            return Ok((
                Node {
                    value: NodeValue::Unreadable,
                    position: self.position(span.start),
                },
                0,
            ));
        };
        let Anchored { node, cost, height } = anchored;
        let (node, cost, height) = (node, *cost, *height);
        let nodes = self.by_aliases.nodes + cost.nodes;
        let bytes = self.by_aliases.bytes + cost.bytes;
        if nodes > self.limits.alias_nodes_max || bytes > self.limits.alias_bytes_max {
            let message = format!(
                "Aliases repeat more than {} values or {} bytes of text.",
                self.limits.alias_nodes_max, self.limits.alias_bytes_max
            );
            return Err(self.stop(
                "alias-budget",
                (&place.path(), span.start),
                &message,
                "Use fewer aliases.",
            ));
        }
        if place.depth + height > self.limits.depth_max {
            return Err(self.too_deep(&place.path(), span.start));
        }
        let node = node.clone();
        self.by_aliases = Cost { nodes, bytes };
        // The caller counted this node already.
        self.made = Cost {
            nodes: self.made.nodes + cost.nodes - 1,
            bytes: self.made.bytes + cost.bytes,
        };
        Ok((node, height))
    }
}
