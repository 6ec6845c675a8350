//! Evidence: files need a tool that a server may lack (process.md §9.4), and a kind listed twice is worth a warning (§9.2).

use std::collections::BTreeSet;

use doc_kit::Problem;

use crate::draft::{At, Draft};
use crate::model::EvidenceKind;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    for step in &draft.steps {
        let (Some(key), Some(kinds)) = (step.key("evidence"), &step.evidence) else {
            continue;
        };
        if kinds.iter().any(|kind| kind.value == EvidenceKind::File) {
            let message = "This step asks for files.";
            let problem = Problem::warning("needs-upload", &key.path, key.position, message);
            problems.push(problem.fix("Publish it on a server that has the `upload` tool."));
        }
        twice(kinds, problems);
    }
}

fn twice(kinds: &[At<EvidenceKind>], problems: &mut Vec<Problem>) {
    let mut seen = BTreeSet::new();
    for kind in kinds.iter().filter(|kind| !seen.insert(kind.value)) {
        let message = format!("`{}` is listed twice.", kind.value.as_str());
        problems.push(
            Problem::warning("evidence-twice", &kind.path, kind.position, message).fix("Delete one of them."),
        );
    }
}
