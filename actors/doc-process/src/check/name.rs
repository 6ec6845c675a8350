//! The name of the process, and of its folder when one is given (process.md §1 and §9.4).

use base::Name;
use doc_kit::Problem;

use super::name_fix;
use crate::draft::Draft;
use crate::parse::shorten;

pub(super) fn check(draft: &Draft, folder_name: Option<&str>, problems: &mut Vec<Problem>) {
    let Some(name) = &draft.name else { return };
    if !Name::matches(&name.value) {
        let message = format!("`{}` is no process name.", shorten(&name.value));
        let fix = name_fix(&name.value);
        problems.push(Problem::error("name", &name.path, name.position, message).fix(fix));
    }
    if let Some(folder) = folder_name.filter(|folder| *folder != name.value) {
        let message = format!(
            "The folder is called `{}` and the process `{}`.",
            shorten(folder),
            shorten(&name.value)
        );
        problems.push(
            Problem::error("folder-name", &name.path, name.position, message).fix("Give both the same name."),
        );
    }
}
