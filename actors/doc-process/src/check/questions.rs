//! `check` needs an evaluator, and `advisory` a check (process.md §7 and §9.4).

use doc_kit::Problem;

use crate::draft::Draft;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    for step in &draft.steps {
        match (step.key("check"), step.key("advisory")) {
            (Some(check), _) => {
                let message = "`check` needs a server with an evaluator.";
                let problem = Problem::warning("needs-evaluator", &check.path, check.position, message);
                problems.push(problem.fix("Publish the process on such a server, or delete `check`."));
            }
            (None, Some(advisory)) => {
                let message = "`advisory` stands only beside `check`.";
                let problem = Problem::error("advisory-alone", &advisory.path, advisory.position, message);
                problems.push(problem.fix("Add a `check`, or delete `advisory`."));
            }
            (None, None) => {}
        }
    }
}
