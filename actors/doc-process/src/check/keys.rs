//! Which optional key belongs on which kind (process.md §2).

use doc_kit::Problem;

use crate::draft::Draft;
use crate::model::Kind;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    for step in &draft.steps {
        let Some(kind) = step.kind.as_ref().map(|kind| kind.value) else {
            continue;
        };
        for key in &step.keys {
            let Some(kinds) = Kind::all_with(&key.value).filter(|kinds| !kinds.contains(&kind)) else {
                continue;
            };
            let message = format!(
                "`{}` does not belong on a step of kind `{}`.",
                key.value,
                kind.as_str()
            );
            let names: Vec<_> = kinds.iter().map(|kind| kind.as_str()).collect();
            let fix = format!("Delete it; it belongs on: {}.", names.join(", "));
            problems.push(Problem::error("key-misplaced", &key.path, key.position, message).fix(fix));
        }
    }
}
