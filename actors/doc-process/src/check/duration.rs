//! Durations (process.md §4).

use doc_kit::Problem;

use crate::draft::{At, Draft};
use crate::model::{DurationError, Kind, parse_duration};
use crate::parse::shorten;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    for step in &draft.steps {
        let wait = step.text.as_ref().filter(|_| step.is(Kind::Wait));
        for text in [wait, step.due.as_ref(), step.timeout.as_ref()]
            .into_iter()
            .flatten()
        {
            problems.extend(problem(text));
        }
    }
}

fn problem(text: &At<String>) -> Option<Problem> {
    match parse_duration(&text.value).err()? {
        DurationError::Spelling => {
            let message = format!("`{}` is no duration.", shorten(&text.value));
            let fix = "Write digits and `m`, `h` or `d`: 30m, 4h, 3d.";
            Some(Problem::error("duration", &text.path, text.position, message).fix(fix))
        }
        DurationError::TooLong => {
            let message = format!("`{}` is longer than 36,500 days.", shorten(&text.value));
            Some(Problem::error("duration-too-long", &text.path, text.position, message).fix("Shorten it."))
        }
    }
}
