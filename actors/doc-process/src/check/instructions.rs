//! Blank instructions are worth a warning (process.md §2).

use doc_kit::Problem;

use crate::draft::Draft;
use crate::model::Kind;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    for step in &draft.steps {
        let described = step.is(Kind::Agent) || step.is(Kind::Task) || step.is(Kind::Approve);
        let blank = step.text.as_ref().filter(|text| text.value.trim().is_empty());
        if let Some(text) = blank.filter(|_| described) {
            let message = format!("The step {} does not say what is to be done.", step.label());
            let problem = Problem::warning("instructions-blank", &text.path, text.position, message);
            problems.push(problem.fix("Write it in plain language."));
        }
    }
}
