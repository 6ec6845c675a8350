//! Every step is reachable from the first, through any edge (process.md §2).

use doc_kit::Problem;

use super::graph::{EdgeKind, Graph, Target};
use super::{cycle, parallel};
use crate::draft::{Draft, DraftNext};
use crate::model::{JOIN, Kind};

/// What a wrong edge was meant to reach is not known. It is reported where it is, and not again as steps that nothing leads to.
pub(super) fn check(draft: &Draft, graph: &Graph<'_>, problems: &mut Vec<Problem>) {
    if draft.steps.is_empty() {
        return;
    }
    let lost = losing_their_way(draft, graph);
    let mut open = vec![0];
    if graph.branches_unclear() {
        let of_branches = parallel::reaching_join(draft, graph);
        open.extend((0..draft.steps.len()).filter(|step| of_branches[*step]));
    }
    let mut reached = vec![false; draft.steps.len()];
    while let Some(step) = open.pop() {
        if std::mem::replace(&mut reached[step], true) {
            continue;
        }
        open.extend(graph.leaving(step).filter_map(|edge| match edge.to {
            Target::Join => graph.index_of(JOIN),
            to => to.meant(),
        }));
        open.extend(Some(step + 1).filter(|following| lost[step] && *following < draft.steps.len()));
    }
    for (step, _) in draft.steps.iter().zip(&reached).filter(|(_, reached)| !**reached) {
        let message = format!("Nothing leads to the step {}.", step.label());
        let problem = Problem::error("unreachable", &step.path, step.position, message);
        problems.push(problem.fix("Name it in the `next` of another step, or delete it."));
    }
}

/// The steps whose way on is wrong, and reported. They count as going on to the following step, as if they named none.
fn losing_their_way(draft: &Draft, graph: &Graph<'_>) -> Vec<bool> {
    let mut lost: Vec<bool> = draft
        .steps
        .iter()
        .map(|step| match &step.next {
            Some(DraftNext::Broken) => true,
            Some(DraftNext::Choose { routes, .. }) => routes.iter().all(|route| route.to.is_none()),
            Some(DraftNext::To(_)) | None => false,
        })
        .collect();
    // A parallel step that does not say where it goes on after the join.
    let joins_lost = draft
        .steps
        .iter()
        .any(|step| step.is(Kind::Parallel) && step.next.is_none());
    for edge in graph.edges.iter().filter(|edge| edge.kind == EdgeKind::Next) {
        lost[edge.from] |= match edge.to {
            Target::Unknown { nearest } => nearest.is_none(),
            Target::Join => joins_lost,
            Target::Step(_) => false,
        };
    }
    for (edge, _) in cycle::closing(draft, graph) {
        lost[edge.from] = true;
    }
    lost
}
