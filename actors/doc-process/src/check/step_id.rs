//! Step ids: their pattern, and each once (process.md §2).

use std::collections::BTreeMap;

use doc_kit::Problem;

use super::{id_fix, is_id};
use crate::draft::Draft;
use crate::parse::shorten;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    let mut first_lines = BTreeMap::new();
    for id in draft.steps.iter().filter_map(|step| step.id.as_ref()) {
        if !is_id(&id.value) {
            let message = format!("`{}` is no step id.", shorten(&id.value));
            let fix = id_fix(&id.value);
            problems.push(Problem::error("step-id", &id.path, id.position, message).fix(fix));
        }
        if let Some(line) = first_lines.get(&id.value) {
            let message = format!("`{}` is already the step at line {line}.", shorten(&id.value));
            problems.push(
                Problem::error("step-id-twice", &id.path, id.position, message)
                    .fix("Give this step another id."),
            );
        } else {
            first_lines.insert(&id.value, id.position.line);
        }
    }
}
