//! Event names have the pattern of step ids (process.md §2).

use doc_kit::Problem;

use super::{id_fix, is_id};
use crate::draft::Draft;
use crate::model::Kind;
use crate::parse::shorten;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    for event in draft
        .steps
        .iter()
        .filter(|step| step.is(Kind::WaitFor))
        .filter_map(|step| step.text.as_ref())
    {
        if !is_id(&event.value) {
            let message = format!("`{}` is no event name.", shorten(&event.value));
            let fix = id_fix(&event.value);
            problems.push(Problem::error("event-name", &event.path, event.position, message).fix(fix));
        }
    }
}
