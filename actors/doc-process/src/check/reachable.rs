//! Every step is reachable from the first, through any edge (process.md §2).

use doc_kit::Problem;

use super::graph::{Graph, Target};
use crate::draft::Draft;

pub(super) fn check(draft: &Draft, graph: &Graph<'_>, problems: &mut Vec<Problem>) {
    if draft.steps.is_empty() {
        return;
    }
    let mut reached = vec![false; draft.steps.len()];
    let mut open = vec![0];
    reached[0] = true;
    while let Some(step) = open.pop() {
        for edge in graph.leaving(step) {
            let to = match edge.to {
                Target::Step(index) => Some(index),
                // A slip of the pen is reported once, where it is, and not again as an unreachable step.
                Target::Unknown { nearest } => nearest.and_then(|id| graph.index_of(id)),
                Target::Join => None,
            };
            if let Some(to) = to.filter(|to| !reached[*to]) {
                reached[to] = true;
                open.push(to);
            }
        }
    }
    for (step, _) in draft.steps.iter().zip(&reached).filter(|(_, reached)| !**reached) {
        let message = format!("Nothing leads to the step {}.", step.label());
        let problem = Problem::error("unreachable", &step.path, step.position, message);
        problems.push(problem.fix("Name it in the `next` of another step, or delete it."));
    }
}
