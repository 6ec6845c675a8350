//! The view of a run that reads and writes answer (`tools.md`, run view).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Choice, WorkItem};

/// Whether anything real happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The real thing.
    Live,
    /// Nothing real is sent to anyone; people are told that it is a test.
    Test,
}

impl Choice for Mode {
    const ALL: &'static [(&'static str, Self)] = &[("live", Self::Live), ("test", Self::Test)];
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Some step is ready or claimed.
    Active,
    /// Every unfinished step waits on a person, a timer, an event or an escalation.
    Waiting,
    /// Over, with an outcome.
    Ended,
    /// Stopped by an operator.
    Cancelled,
}

impl Choice for RunState {
    const ALL: &'static [(&'static str, Self)] = &[
        ("active", Self::Active),
        ("waiting", Self::Waiting),
        ("ended", Self::Ended),
        ("cancelled", Self::Cancelled),
    ];
}

/// The kind key of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Completed by an agent.
    Agent,
    /// Completed by a person.
    Task,
    /// Approved or rejected by a person.
    Approve,
    /// Lasts a duration.
    Wait,
    /// Lasts until a date and time in run data.
    WaitUntil,
    /// Lasts until an event comes.
    WaitFor,
    /// Ends the run.
    Finish,
    /// Forks into branches.
    Parallel,
}

/// Where a step that was reached stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepState {
    /// An agent may claim it.
    Ready,
    /// An agent holds it.
    Claimed,
    /// A person, a timer, an event or an escalation is awaited.
    Waiting,
    /// Completed.
    Done,
    /// Its failure ended the run.
    Failed,
    /// The run ended first.
    Cancelled,
}

/// A run with its data, its steps and its open work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunView {
    /// The run itself.
    pub run: Run,
    /// Its inputs and the records of its completed steps.
    pub data: RunData,
    /// Every step of the process, in file order.
    pub steps: Vec<StepView>,
    /// The open work items.
    pub work_items: Vec<WorkItem>,
    /// The body of the process document.
    pub body: String,
}

/// The head of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Run {
    /// The run's id.
    pub id: String,
    /// Name of its process.
    pub process: String,
    /// The version it keeps for life.
    pub version: u64,
    /// Live or test.
    pub mode: Mode,
    /// Where it stands.
    pub state: RunState,
    /// How it ended, once it has ended.
    pub outcome: Option<String>,
    /// Who ended it, once it has ended.
    pub ended: Option<Ended>,
    /// Who started it.
    pub started_by: String,
    /// When it started.
    pub started_at: String,
    /// When it last moved; renewals and refused submissions do not count.
    pub updated_at: String,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// `server` for a finish, else who decided it.
    pub by: String,
    /// When.
    pub at: String,
    /// The note of whoever ended it.
    pub note: Option<String>,
}

/// Run data (`process.md` §5).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunData {
    /// What the run was started with.
    pub inputs: Map<String, Value>,
    /// The record of each completed step, by its id. Records are given as the run keeps them: what a record holds
    /// depends on the kind of its step.
    pub steps: Map<String, Value>,
}

/// A step of the process and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepView {
    /// The step's id.
    pub id: String,
    /// Its kind.
    pub kind: StepKind,
    /// Where it stands; `None` when it is not reached now.
    pub state: Option<StepState>,
    /// When it is due, if it is open and has a due time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    /// Whether that time has passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overdue: Option<bool>,
}

/// A way on from a step, always spelled as an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Route {
    /// The step it leads to.
    pub to: String,
    /// When to take it, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
}
