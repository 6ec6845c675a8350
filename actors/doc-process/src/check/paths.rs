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
                let message = format!("`{}` is no path to a field.", shorten(&text.value));
                return error("path", message, self.path_fix(&text.value, wanted));
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
                let owner = text.value.strip_suffix(field.as_str()).unwrap_or_default();
                let owner = owner.trim_end_matches('.');
                let message = format!("`{}` has no field `{}`.", shorten(owner), shorten(&field));
                let otherwise = format!(
                    "Declare it there with the type `{}`, or name another.",
                    wanted.as_str()
                );
                let fix = self.suggest(&field, names, &otherwise);
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

    /// What to write in place of a text that is no path.
    fn path_fix(&self, text: &str, wanted: Type) -> String {
        if text.contains('@') {
            return "A process names no person of its own: write a role, whose group is chosen when the process is published, \
                    or a path such as `inputs.manager`."
                .to_owned();
        }
        if !matches!(self.draft.inputs.declared(text), Declared::Absent) {
            return format!("Write `inputs.{}`.", shorten(text));
        }
        if let Some((step, field)) = text.strip_prefix("steps.").and_then(|rest| rest.split_once('.'))
            && self.step_of.contains_key(step)
        {
            return format!("Write `steps.{}.output.{}`.", shorten(step), shorten(field));
        }
        format!(
            "Write `inputs.<field>` or `steps.<id>.output.<field>`, for a field of type `{}`.",
            wanted.as_str()
        )
    }

    fn suggest<'n>(&self, given: &str, names: impl Iterator<Item = &'n str>, otherwise: &str) -> String {
        let found = self.suggestions_left.get().checked_sub(1).and_then(|left| {
            self.suggestions_left.set(left);
            nearest(given, names)
        });
        found.map_or_else(|| otherwise.to_owned(), |name| format!("Did you mean `{name}`?"))
    }
}
