//! The description is not blank (process.md §1 and §9.2).

use doc_kit::Problem;

use crate::draft::Draft;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    if let Some(description) = draft
        .description
        .as_ref()
        .filter(|description| description.value.trim().is_empty())
    {
        let problem = Problem::error(
            "description",
            &description.path,
            description.position,
            "The description is blank.",
        );
        problems.push(problem.fix("Say in a sentence what the process does."));
    }
}
