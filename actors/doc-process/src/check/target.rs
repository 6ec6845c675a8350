//! Every `next`, `on_reject`, `on_timeout` and branch entry names an existing step (process.md §2 and §6).

use doc_kit::Problem;

use super::graph::{Graph, Target};
use super::{is_id, propose_id};
use crate::draft::Draft;
use crate::model::{JOIN, Kind};
use crate::parse::shorten;

pub(super) fn check(draft: &Draft, graph: &Graph<'_>, problems: &mut Vec<Problem>) {
    for edge in graph.edges.iter().filter(|edge| edge.sound) {
        if let Target::Unknown { nearest } = edge.to {
            let message = format!("No step is called `{}`.", shorten(edge.spelled));
            let fix = match nearest {
                _ if edge.spelled == JOIN => "Only the branches of a parallel step end at `join`.".to_owned(),
                Some(step) => format!("Did you mean `{}`?", name_of(step, draft)),
                None if edge.kind.key() == "on_reject" => {
                    format!(
                        "{} Without `on_reject` a rejection ends the run.",
                        existing(draft)
                    )
                }
                None => existing(draft),
            };
            problems.push(Problem::error("unknown-step", &edge.path, edge.position, message).fix(fix));
        }
        // A warning: the approval is asked again as a fresh attempt (process.md §9.3).
        let step = &draft.steps[edge.from];
        if step.is(Kind::Approve) && edge.kind.key() == "on_reject" && edge.to == Target::Step(edge.from) {
            let message = format!("A rejection of {} asks the same approval again.", step.label());
            let problem = Problem::warning("reject-to-itself", &edge.path, edge.position, message);
            problems.push(problem.fix("Name the step whose work is to be done again."));
        }
    }
}

/// What to write for a step: its id, or the one that is proposed for it.
fn name_of(step: usize, draft: &Draft) -> String {
    let id = draft.steps[step].id().unwrap_or_default();
    let proposal = (!is_id(id)).then(|| propose_id(id)).flatten();
    proposal.unwrap_or_else(|| id.to_owned())
}

fn existing(draft: &Draft) -> String {
    const SHOWN_MAX: usize = 10;
    let ids: Vec<String> = (0..draft.steps.len())
        .filter(|step| draft.steps[*step].id().is_some())
        .take(SHOWN_MAX + 1)
        .map(|step| name_of(step, draft))
        .collect();
    match ids.get(..SHOWN_MAX) {
        Some(first) if ids.len() > SHOWN_MAX => format!("The steps are {}, …", first.join(", ")),
        _ => format!("The steps are {}.", ids.join(", ")),
    }
}
