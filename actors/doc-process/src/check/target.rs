//! Every `next`, `on_reject`, `on_timeout` and branch entry names an existing step (process.md §2 and §6).

use doc_kit::Problem;

use super::graph::{Graph, Target};
use crate::draft::Draft;
use crate::model::{JOIN, Kind};
use crate::parse::shorten;

pub(super) fn check(draft: &Draft, graph: &Graph<'_>, problems: &mut Vec<Problem>) {
    for edge in &graph.edges {
        if let Target::Unknown { nearest } = edge.to {
            let message = format!("No step is called `{}`.", shorten(edge.spelled));
            let fix = match nearest {
                _ if edge.spelled == JOIN => "Only the branches of a parallel step end at `join`.".to_owned(),
                Some(id) => format!("Did you mean `{id}`?"),
                None => "Name a step of this process.".to_owned(),
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
