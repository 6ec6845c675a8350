//! A kind of evidence listed twice is worth a warning (process.md §9.2).

use std::collections::BTreeSet;

use doc_kit::Problem;

use crate::draft::Draft;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    for kinds in draft.steps.iter().filter_map(|step| step.evidence.as_ref()) {
        let mut seen = BTreeSet::new();
        for kind in kinds.iter().filter(|kind| !seen.insert(kind.value)) {
            let message = format!("`{}` is listed twice.", kind.value.as_str());
            problems.push(
                Problem::warning("evidence-twice", &kind.path, kind.position, message)
                    .fix("Delete one of them."),
            );
        }
    }
}
