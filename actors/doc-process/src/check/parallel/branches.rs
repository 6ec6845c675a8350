//! Which step belongs to which branch.

use std::rc::Rc;

use doc_kit::Path;

use super::super::graph::{EdgeKind, Graph, Target};
use crate::draft::Draft;
use crate::model::Kind;

/// A branch: the parallel step that forks into it, and the place where its entry is named.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Branch {
    pub(super) parallel: usize,
    pub(super) entry_path: Path,
}

/// The branches of a draft.
pub(super) struct Branches {
    of_step: Vec<Option<Rc<Branch>>>,
    reaches_join: Vec<bool>,
}

impl Branches {
    /// A branch is its entry and everything reachable from it by `next` and `on_timeout`, up to `join`. A finish, a parallel
    /// step and a step of the main line are outside: an edge that leads there is the mistake, not the step.
    pub(super) fn of(draft: &Draft, graph: &Graph<'_>) -> Self {
        let reaches_join = reaching_join(draft, graph);
        let main_line = main_line(draft, graph);
        let mut of_step: Vec<Option<Rc<Branch>>> = vec![None; draft.steps.len()];
        for edge in graph.edges.iter().filter(|edge| edge.kind == EdgeKind::Entry) {
            let branch = Rc::new(Branch {
                parallel: edge.from,
                entry_path: edge.path.clone(),
            });
            let Some(entry) = edge.to.meant() else { continue };
            let mut open = vec![entry];
            while let Some(step) = open.pop() {
                let ends = draft.steps[step].is(Kind::Finish) || draft.steps[step].is(Kind::Parallel);
                let outside = step != entry && main_line[step] && !reaches_join[step];
                if of_step[step].is_some() || ends || outside {
                    continue;
                }
                of_step[step] = Some(Rc::clone(&branch));
                let explicit = graph
                    .leaving(step)
                    .filter(|edge| matches!(edge.kind, EdgeKind::Next | EdgeKind::OnTimeout));
                open.extend(explicit.filter_map(|edge| match edge.to {
                    Target::Step(to) => Some(to),
                    _ => None,
                }));
            }
        }
        Self {
            of_step,
            reaches_join,
        }
    }

    /// The branch that a step belongs to.
    pub(super) fn of_step(&self, step: usize) -> Option<&Branch> {
        self.of_step[step].as_deref()
    }

    /// True for a step from which some way leads to `join`.
    pub(super) fn reaches_join(&self, step: usize) -> bool {
        self.reaches_join[step]
    }
}

/// The steps that the first one leads to without entering a branch.
fn main_line(draft: &Draft, graph: &Graph<'_>) -> Vec<bool> {
    let mut reached = vec![false; draft.steps.len()];
    let mut open = vec![0];
    while let Some(step) = open.pop() {
        if std::mem::replace(&mut reached[step], true) {
            continue;
        }
        open.extend(graph.leaving(step).filter(|edge| edge.kind.goes_on()).filter_map(
            |edge| match edge.to {
                Target::Step(to) => Some(to),
                _ => None,
            },
        ));
    }
    reached
}

/// The steps from which some way leads to `join`.
pub(in super::super) fn reaching_join(draft: &Draft, graph: &Graph<'_>) -> Vec<bool> {
    let mut coming_from = vec![Vec::new(); draft.steps.len()];
    let mut open = Vec::new();
    for edge in graph.edges.iter().filter(|edge| edge.kind.goes_on()) {
        match edge.to {
            Target::Step(to) => coming_from[to].push(edge.from),
            // An unknown target is reported; what it was meant to reach is not known.
            Target::Join | Target::Unknown { .. } => open.push(edge.from),
        }
    }
    let mut reaches = vec![false; draft.steps.len()];
    while let Some(step) = open.pop() {
        if !std::mem::replace(&mut reaches[step], true) {
            open.extend(&coming_from[step]);
        }
    }
    reaches
}
