//! Values that an alias repeats, within budgets.

use granit_parser::Span;

use super::{Composer, Stop};
use crate::reader::place::Place;
use crate::reader::{Node, NodeValue};

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

impl Composer<'_> {
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
