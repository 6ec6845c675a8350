//! Words that people and models bring along from other formats, and what to write instead.

/// What to do about such a word.
#[derive(Clone, Copy)]
pub(super) enum Habit {
    /// It is called so here.
    Called(&'static str),
    /// There is no such thing here; this is what to do.
    Advice(&'static str),
    /// It belongs to a private profile of another server (process.md §1).
    Profile,
}

use Habit::{Advice, Called, Profile};

/// A table of such words.
pub(super) type Habits = [(&'static str, Habit)];

pub(super) const FRONTMATTER: &Habits = &[
    ("data_sources", Profile),
    ("emails", Profile),
    ("files", Profile),
    ("id", Called("name")),
    ("desc", Called("description")),
    ("summary", Called("description")),
    ("parameters", Called("inputs")),
    ("stages", Called("steps")),
    ("tasks", Called("steps")),
    ("workflow", Called("steps")),
    (
        "title",
        Advice("Delete it: a process is shown by its `name` and `description`."),
    ),
    (
        "version",
        Advice("Delete it: each publication gets its version from the server."),
    ),
];

pub(super) const STEP: &Habits = &[
    ("name", Called("id")),
    ("instructions", Called("agent")),
    ("prompt", Called("agent")),
    (
        "human",
        Advice("Write `task` for what a person does, or `approve` for what a person decides."),
    ),
    (
        "manual",
        Advice("Write `task` for what a person does, or `approve` for what a person decides."),
    ),
    ("review", Called("approve")),
    ("delay", Called("wait")),
    ("sleep", Called("wait")),
    ("event", Called("wait_for")),
    ("end", Called("finish")),
    ("outcome", Called("finish")),
    ("branches", Called("parallel")),
    ("fields", Called("output")),
    ("goto", Called("next")),
    ("then", Called("next")),
    ("routes", Called("next")),
    ("transitions", Called("next")),
    ("role", Called("person")),
    ("group", Called("person")),
    ("assignee", Called("person")),
    ("owner", Called("person")),
    ("deadline", Called("due")),
];

pub(super) const FIELD: &Habits = &[
    ("enum", Called("one_of")),
    ("values", Called("one_of")),
    ("options", Called("one_of")),
    ("choices", Called("one_of")),
    ("desc", Called("description")),
    (
        "required",
        Advice("Delete it: a field is required unless it says `optional: true`."),
    ),
    (
        "default",
        Advice("Delete it: a field has no default; `optional: true` lets it be left out."),
    ),
    (
        "fields",
        Advice("Delete it: what an `object` holds is not declared."),
    ),
    (
        "properties",
        Advice("Delete it: what an `object` holds is not declared."),
    ),
];

pub(super) const ROUTE: &Habits = &[
    ("step", Called("to")),
    ("next", Called("to")),
    ("goto", Called("to")),
    ("target", Called("to")),
    ("id", Called("to")),
    ("if", Called("when")),
    ("condition", Called("when")),
    ("label", Called("when")),
];

pub(super) const TYPES: &Habits = &[
    ("text", Called("string")),
    ("str", Called("string")),
    ("markdown", Called("string")),
    ("url", Called("string")),
    ("int", Called("number")),
    ("integer", Called("number")),
    ("float", Called("number")),
    ("decimal", Called("number")),
    ("money", Called("number")),
    ("bool", Called("boolean")),
    ("array", Called("list")),
    ("time", Called("datetime")),
    ("timestamp", Called("datetime")),
    ("map", Called("object")),
    ("dict", Called("object")),
    ("json", Called("object")),
    ("email", Called("person")),
    ("user", Called("person")),
    ("enum", Advice("Write `{type: string, one_of: [a, b]}`.")),
    (
        "file",
        Advice("A file is evidence: write `evidence: [file]` on the step."),
    ),
];

/// What is known about a word.
pub(super) fn of(word: &str, habits: &Habits) -> Option<Habit> {
    let found = habits.iter().find(|(known, _)| *known == word);
    found.map(|(_, habit)| *habit)
}
