//! `on_timeout` without `timeout` never happens (process.md §2).

use doc_kit::Problem;

use crate::draft::Draft;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    for step in draft.steps.iter().filter(|step| step.key("timeout").is_none()) {
        if let Some(key) = step.key("on_timeout") {
            let message = "`on_timeout` never happens without a `timeout`.";
            let problem = Problem::warning("timeout-missing", &key.path, key.position, message);
            problems.push(problem.fix("Add a `timeout`, or delete `on_timeout`."));
        }
    }
}
