//! A step that is last and no finish must say where it goes on (process.md §2).

use doc_kit::Problem;

use crate::draft::Draft;
use crate::model::Kind;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    let Some(last) = draft.steps.last() else { return };
    if last.kind.is_some() && !last.is(Kind::Finish) && last.key("next").is_none() {
        let message = format!(
            "The last step, {}, does not say where the process goes on.",
            last.label()
        );
        let problem = Problem::error("next-missing", &last.path.key("next"), last.position, message);
        problems.push(problem.fix("Add `next`, or a step with `finish` after it."));
    }
}
