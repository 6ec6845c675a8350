//! Following `next` and `on_timeout` only, no step is visited twice (process.md §2).

use doc_kit::Problem;

use super::graph::{Edge, Graph, Target};
use crate::draft::Draft;

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    /// On the way that is being followed.
    Open,
    Done,
}

pub(super) fn check(draft: &Draft, graph: &Graph<'_>, problems: &mut Vec<Problem>) {
    for (edge, to) in closing(draft, graph) {
        let (key, target) = (edge.kind.key(), draft.steps[to].label());
        let message = format!("This `{key}` goes back to {target}, which leads here.");
        let problem = Problem::error("cycle", &edge.path, edge.position, message);
        problems.push(problem.fix("Only `on_reject` may go back; let `next` go on."));
    }
}

/// The edges that close a cycle, with the step that they go back to. Depth first, with a stack of its own: a file may hold
/// more steps than the thread has room for calls.
pub(super) fn closing<'g>(draft: &Draft, graph: &'g Graph<'g>) -> Vec<(&'g Edge<'g>, usize)> {
    let mut closing = Vec::new();
    let mut marks = vec![Mark::New; draft.steps.len()];
    for start in 0..draft.steps.len() {
        if marks[start] != Mark::New {
            continue;
        }
        marks[start] = Mark::Open;
        let mut way = vec![(start, onward(graph, start))];
        while let Some((step, edges)) = way.last_mut() {
            let step = *step;
            let Some((edge, to)) = edges.next() else {
                marks[step] = Mark::Done;
                way.pop();
                continue;
            };
            match marks[to] {
                Mark::Done => {}
                Mark::New => {
                    marks[to] = Mark::Open;
                    way.push((to, onward(graph, to)));
                }
                Mark::Open => closing.push((edge, to)),
            }
        }
    }
    closing
}

fn onward<'g>(graph: &'g Graph<'g>, step: usize) -> impl Iterator<Item = (&'g Edge<'g>, usize)> {
    graph.leaving(step).filter_map(|edge| match edge.to {
        Target::Step(to) if edge.sound && edge.kind.goes_on() => Some((edge, to)),
        _ => None,
    })
}
