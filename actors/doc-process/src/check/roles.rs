//! Role names that differ only in case are probably one role (process.md §2).

use std::collections::BTreeMap;

use doc_kit::Problem;

use crate::draft::Draft;
use crate::parse::shorten;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    // The word for whoever started the run is a spelling too: `Initiator` is a role.
    let mut first_spelling = BTreeMap::from([("initiator".to_owned(), "initiator")]);
    for person in draft.steps.iter().filter_map(|step| step.person.as_ref()) {
        let spelling = person.value.as_str();
        if spelling.contains('.') {
            continue;
        }
        let first = *first_spelling.entry(spelling.to_lowercase()).or_insert(spelling);
        if first != spelling {
            let message = format!(
                "`{}` differs from `{}` only in case.",
                shorten(spelling),
                shorten(first)
            );
            let problem = Problem::warning("role-case", &person.path, person.position, message);
            problems.push(problem.fix("Spell the role the same way everywhere."));
        }
    }
}
