//! `wait_until` names a declared datetime of the run data (process.md §2).

use doc_kit::Problem;

use super::paths::Paths;
use crate::draft::Draft;
use crate::fields::Type;
use crate::model::Kind;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    let paths = Paths::of(draft);
    for path in draft
        .steps
        .iter()
        .filter(|step| step.is(Kind::WaitUntil))
        .filter_map(|step| step.text.as_ref())
    {
        problems.extend(paths.problem(path, Type::Datetime));
    }
}
