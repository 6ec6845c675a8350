//! Paths into run data name a declared field of the right type (process.md §2).

use doc_kit::suggest::nearest;
use doc_kit::{Path, Position, Problem};

use crate::draft::{At, Declared, Draft};
use crate::fields::Type;
use crate::model::DataPath;
use crate::parse::shorten;

/// The problem of a path that must name a field of this type.
pub(super) fn problem(text: &At<String>, wanted: Type, draft: &Draft) -> Option<Problem> {
    let error = |code, message: String, fix: String| {
        let (path, position): (&Path, Position) = (&text.path, text.position);
        Some(Problem::error(code, path, position, message).fix(fix))
    };
    let (fields, field) = match DataPath::parse(&text.value) {
        None => {
            let message = format!("`{}` is no path into run data.", shorten(&text.value));
            return error(
                "path",
                message,
                "Write `inputs.<field>` or `steps.<id>.output.<field>`.".to_owned(),
            );
        }
        Some(DataPath::Input { field }) => (Some(&draft.inputs), field),
        Some(DataPath::Output { step, field }) => {
            let Some(found) = draft
                .steps
                .iter()
                .find(|candidate| candidate.id() == Some(step.as_str()))
            else {
                let ids = draft.steps.iter().filter_map(|step| step.id());
                let message = format!("No step is called `{}`.", shorten(&step));
                return error(
                    "path-unknown-step",
                    message,
                    suggestion(&step, ids, "Name a step of this process."),
                );
            };
            (found.output.as_ref(), field)
        }
    };
    match fields.map_or(Declared::Absent, |fields| fields.declared(&field)) {
        Declared::Absent => {
            let entries = fields.into_iter().flat_map(|fields| &fields.entries);
            let names = entries.map(|(name, _)| name.as_str());
            let message = format!("No field is called `{}` there.", shorten(&field));
            error(
                "path-unknown-field",
                message,
                suggestion(&field, names, "Declare the field, or name another."),
            )
        }
        Declared::As(found) if found.value_type != wanted => {
            let message = format!("`{}` is a {}.", shorten(&text.value), found.value_type.as_str());
            error(
                "path-type",
                message,
                format!("Name a field of type `{}`.", wanted.as_str()),
            )
        }
        Declared::As(_) | Declared::Broken => None,
    }
}

fn suggestion<'a>(given: &str, names: impl Iterator<Item = &'a str>, otherwise: &str) -> String {
    nearest(given, names).map_or_else(|| otherwise.to_owned(), |name| format!("Did you mean `{name}`?"))
}
