//! The outside systems: each a name, each once (process.md §1).

use std::collections::BTreeSet;

use base::Name;
use doc_kit::Problem;

use super::name_fix;
use crate::draft::Draft;
use crate::parse::shorten;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    let mut seen = BTreeSet::new();
    for system in &draft.systems {
        if !Name::matches(&system.value) {
            let message = format!("`{}` is no system name.", shorten(&system.value));
            let fix = name_fix(&system.value);
            problems.push(Problem::error("system-name", &system.path, system.position, message).fix(fix));
        }
        if !seen.insert(&system.value) {
            let message = format!("`{}` is listed twice.", shorten(&system.value));
            problems.push(
                Problem::error("system-twice", &system.path, system.position, message)
                    .fix("Delete one of them."),
            );
        }
    }
}
