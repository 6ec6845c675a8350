//! Paths into run data name a declared field of the right type (process.md §2).

use std::cell::Cell;
use std::collections::BTreeMap;

use doc_kit::Problem;
use doc_kit::suggest::nearest;

use crate::draft::{At, Declared, Draft, DraftFields, DraftStep};
use crate::fields::Type;
use crate::model::DataPath;
use crate::parse::shorten;

/// Looks paths up.
pub(super) struct Paths<'a> {
    draft: &'a Draft,
    step_of: BTreeMap<&'a str, &'a DraftStep>,
    /// How many suggestions may still be looked up: each costs a pass over all names.
    suggestions_left: Cell<usize>,
}

impl<'a> Paths<'a> {
    pub(super) fn of(draft: &'a Draft) -> Self {
        const SUGGESTIONS_MAX: usize = 20;
        let step_of = draft
            .steps
            .iter()
            .filter_map(|step| Some((step.id()?, step)))
            .collect();
        Self {
            draft,
            step_of,
            suggestions_left: Cell::new(SUGGESTIONS_MAX),
        }
    }

    /// The problem of a path that must name a field of this type.
    pub(super) fn problem(&self, text: &At<String>, wanted: Type) -> Option<Problem> {
        let error = |code, message: String, fix: String| {
            Some(Problem::error(code, &text.path, text.position, message).fix(fix))
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
            Some(DataPath::Input { field }) => (Some(&self.draft.inputs), field),
            Some(DataPath::Output { step, field }) => {
                let Some(found) = self.step_of.get(step.as_str()) else {
                    let ids = self.step_of.keys().copied();
                    let message = format!("No step is called `{}`.", shorten(&step));
                    return error(
                        "path-unknown-step",
                        message,
                        self.suggest(&step, ids, "Name a step of this process."),
                    );
                };
                (found.output.as_ref(), field)
            }
        };
        match fields.map_or(Declared::Absent, |fields| fields.declared(&field)) {
            Declared::Absent => {
                let names = fields.into_iter().flat_map(DraftFields::names);
                let message = format!("No field is called `{}` there.", shorten(&field));
                let fix = self.suggest(&field, names, "Declare the field, or name another.");
                error("path-unknown-field", message, fix)
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

    fn suggest<'n>(&self, given: &str, names: impl Iterator<Item = &'n str>, otherwise: &str) -> String {
        let found = self.suggestions_left.get().checked_sub(1).and_then(|left| {
            self.suggestions_left.set(left);
            nearest(given, names)
        });
        found.map_or_else(|| otherwise.to_owned(), |name| format!("Did you mean `{name}`?"))
    }
}
