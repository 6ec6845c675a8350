//! Random processes that are valid: every step kind, routes, rejections to every place that is allowed, waits, events, regions that
//! run in parallel, optional fields, people by role, as initiator and by a path.

mod random;
mod text;

/// A process as it was drawn. [`Process::text`] writes it down; models read it directly, so that they share no reader with the product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Declared inputs.
    pub inputs: Vec<Field>,
    /// Steps in file order. The first one begins.
    pub steps: Vec<Step>,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its id.
    pub id: String,
    /// Its kind, with what only this kind has.
    pub kind: Kind,
    /// Where it leads.
    pub next: Next,
    /// Minutes from when it becomes ready; agents and people only.
    pub due: Option<u32>,
    /// The parallel step whose branch it belongs to, and the branch's place among its entries.
    pub branch: Option<(String, usize)>,
}

/// A step's kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Done by an agent.
    Agent(Work),
    /// Done by a person.
    Task(Person, Work),
    /// Decided by a person, perhaps with a step that a rejection leads to.
    Approve(Person, Option<String>),
    /// Minutes.
    Wait(u32),
    /// The datetime at a path.
    WaitUntil(Path),
    /// An event, perhaps with a timeout in minutes and a step of its own for that.
    WaitFor {
        /// The event's name.
        event: String,
        /// Minutes.
        timeout: Option<u32>,
        /// Where a timeout leads, if not to `next`.
        on_timeout: Option<String>,
    },
    /// The end, with its outcome.
    Finish(String),
    /// A fork into the entries of its branches.
    Parallel(Vec<String>),
}

/// What must be handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// Declared output.
    pub output: Vec<Field>,
    /// Whether a link must be attached.
    pub needs_link: bool,
}

/// Who a person step is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Person {
    /// The group of a role.
    Role(String),
    /// Whoever started the run.
    Initiator,
    /// The member whose address stands at a path.
    Path(Path),
}

/// A place in run data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Path {
    /// `inputs.<field>`.
    Input(String),
    /// `steps.<id>.output.<field>`.
    Output(String, String),
}

/// Where a step leads. `join` is a place, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// One step.
    To(String),
    /// One of several, chosen by whoever does the step.
    Routes(Vec<String>),
    /// Nowhere: a finish.
    Nowhere,
}

/// A declared field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub holds: Holds,
    /// Whether it may be left out.
    pub is_optional: bool,
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// `string`.
    Text,
    /// `number`.
    Number,
    /// `boolean`.
    Truth,
    /// `list` of strings.
    Texts,
    /// `string`, one of `yes`, `no`, `maybe`.
    Choice,
    /// `date`.
    Day,
    /// `datetime`.
    Instant,
    /// `object`.
    Object,
    /// `list` of lists of numbers.
    Table,
    /// `person`.
    Member,
}

/// The values of [`Holds::Choice`].
pub const CHOICES: [&str; 3] = ["yes", "no", "maybe"];

/// Values of [`Holds::Instant`], and what they mean: milliseconds after 2026-01-01T00:00:00Z.
pub const INSTANTS: [(&str, i64); 5] = [
    ("2026-01-01T00:00:00Z", 0),
    ("2026-01-01t00:10:00z", 600_000),
    ("2026-01-01T01:30:00+01:00", 1_800_000),
    ("2026-01-01T00:45:00.250Z", 2_700_250),
    ("2025-12-31T19:05:00-05:00", 300_000),
];

/// 2026-01-01T00:00:00Z, in milliseconds since 1970.
pub const NEW_YEAR_MILLIS: i64 = 1_767_225_600_000;

/// The word that ends a branch.
pub const JOIN: &str = "join";

/// The roles that processes name.
pub const ROLES: [&str; 2] = ["finance", "legal"];

/// The events that processes wait for.
pub const EVENTS: [&str; 2] = ["paid", "signed"];

impl Process {
    /// The step with this id.
    pub fn step(&self, id: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.id == id)
    }

    /// Whether an agent can start it: without an initiator a step for the initiator cannot be given to anybody (core-2 §3.4).
    pub fn has_initiator_step(&self) -> bool {
        self.steps.iter().any(|step| {
            matches!(&step.kind, Kind::Task(person, _) | Kind::Approve(person, _) if *person == Person::Initiator)
        })
    }
}
