//! The outcome of a finish: not blank, better a short word (process.md §9.2).

use doc_kit::Problem;

use crate::draft::Draft;
use crate::model::Kind;

const OUTCOME_CHARS: usize = 64;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    for outcome in draft
        .steps
        .iter()
        .filter(|step| step.is(Kind::Finish))
        .filter_map(|step| step.text.as_ref())
    {
        let word = outcome.value.as_str();
        if word.trim().is_empty() {
            let problem = Problem::error(
                "outcome-blank",
                &outcome.path,
                outcome.position,
                "The outcome is blank.",
            );
            problems.push(problem.fix("Name it in one word, such as `approved`."));
        } else if let Some(message) = doubt(word) {
            let problem = Problem::warning("outcome-word", &outcome.path, outcome.position, message);
            problems.push(problem.fix("Choose another short word."));
        }
    }
}

fn doubt(word: &str) -> Option<&'static str> {
    if matches!(word, "rejected" | "failed") {
        Some("This outcome looks like the one that the server gives by itself.")
    } else if word.chars().count() > OUTCOME_CHARS {
        Some("This outcome is longer than 64 characters.")
    } else if word
        .chars()
        .any(|letter| letter.is_whitespace() || letter.is_control())
    {
        Some("This outcome is not one word.")
    } else {
        None
    }
}
