//! What a format fills in. A Plan is pure: the same state gives the same answers.

use std::sync::Arc;
use std::time::Duration;

use base::{AgentId, Issues, Timestamp};
use serde_json::Value;

use crate::state::{Initiator, RunState, Submission};
use crate::words::{Actor, EvidenceKind, Map, StepId, StepKind};

/// A published version of any format, compiled. It answers what only the format knows; the lifecycle itself is ours.
pub trait Plan: Send + Sync {
    /// Name, body and what the catalog shows.
    fn about(&self) -> &About;

    /// Every step of the document, in file order: what a run view lists, and what breaks ties between equal deadlines.
    fn steps(&self) -> &[Outline];

    /// The first moves of a run with these inputs, or everything that is wrong with them.
    fn start(&self, inputs: &Map, starter: &Starter) -> Result<Moves, Issues>;

    /// What the step is now. Asked when the step is reached and whenever it is shown; it may depend on the run.
    fn ask(&self, step: &StepId, state: &RunState) -> Ask;

    /// Issues about the content of a submission, beyond those that the lifecycle finds itself (summary, evidence, route, size).
    fn judge(&self, step: &StepId, submission: &Submission, state: &RunState) -> Issues;

    /// What follows from a cause. `state` already holds what the cause recorded.
    fn moves(&self, cause: &Cause<'_>, state: &RunState) -> Moves;

    /// What an event from outside means to the format.
    fn takes(&self, event: &str, data: Option<&Map>, state: &RunState) -> Takes;

    /// Answers of the tools that the format adds; `None` for a name it does not know.
    fn query(&self, _name: &str, _arguments: &Map, _state: &RunState) -> Option<Result<Value, Issues>> {
        None
    }
}

/// What a version says about itself.
#[derive(Debug, Clone, PartialEq)]
pub struct About {
    /// Its name, as `start_run` takes it.
    pub name: String,
    /// One line for people.
    pub description: String,
    /// The text for people and agents, exactly as written.
    pub body: Arc<str>,
    /// Declared inputs in the wire form of `list_processes`.
    pub inputs: Map,
    /// What it needs of the outside, in the wire form of `list_processes`, if anything.
    pub requires: Option<Value>,
    /// The profile that `describe` lists for it; none for the core.
    pub profile: Option<&'static str>,
    /// Names of the tools it adds.
    pub tools: &'static [&'static str],
}

/// A step as the document lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// Its name.
    pub id: StepId,
    /// Its kind.
    pub kind: StepKind,
}

/// Who starts a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Starter {
    /// The identity.
    pub by: Actor,
    /// The person, when it is one (core-2 §3.4: a run started by an agent has no initiator).
    pub initiator: Option<Initiator>,
}

/// What a step is at a moment of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Ask {
    /// Somebody's work.
    Work(Box<Work>),
    /// The server waits for an instant.
    Sleep(Sleep),
    /// The server waits for an event of this name.
    Listen {
        /// The name, compared exactly.
        event: String,
        /// From the moment the step is reached.
        timeout: Option<Duration>,
    },
    /// Open, and closed by the Plan's moves alone (a fork until its join).
    Hold,
    /// It cannot be opened: the step fails and the run ends `failed`, by the server, with this note.
    Fail {
        /// What a person should know.
        note: String,
    },
}

/// How long the server waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sleep {
    /// From the moment the step is reached.
    For(Duration),
    /// Until an instant; one that has passed ends the wait at once.
    Until(Timestamp),
}

/// A step that somebody completes.
#[derive(Debug, Clone, PartialEq)]
pub struct Work {
    /// Instructions, or what is approved.
    pub text: Arc<str>,
    /// Who does it.
    pub performer: Performer,
    /// Declared output in the wire form of `claim.step.output`; none declared: `None`.
    pub output: Option<Arc<Map>>,
    /// Evidence kinds that must be attached, in file order.
    pub evidence: Vec<EvidenceKind>,
    /// The routes to choose from; `None` when there is nothing to choose.
    pub routes: Option<Vec<Route>>,
    /// From the moment the step is reached.
    pub due: Option<Duration>,
    /// What the format adds to a claim (`claim.extensions`).
    pub extensions: Option<Map>,
}

/// Who does a piece of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Performer {
    /// Any agent; until `reserved.until` only that one.
    Agent {
        /// An offer kept for one agent for a while.
        reserved: Option<Reservation>,
    },
    /// A person who does the work.
    Task(Assignee),
    /// A person who decides.
    Approve(Assignee),
}

/// An offer that for a while is only for one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reservation {
    /// For whom.
    pub agent: AgentId,
    /// From the moment the step is reached.
    pub grace: Duration,
}

/// Whom a person's work is for, before it is resolved to members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Assignee {
    /// The group that the role is mapped to.
    Role(String),
    /// Who started the run.
    Initiator,
    /// The member with this e-mail address; `None` when run data holds no such value.
    Member(Option<String>),
    /// The organization's operators.
    Operators,
}

/// A way on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// What `next` names.
    pub to: String,
    /// When to choose it, in plain language.
    pub when: Option<String>,
}

/// Why the Plan is asked for moves.
#[derive(Debug, Clone, Copy)]
pub enum Cause<'a> {
    /// A step was completed: by its submission, by a person, by its wait's end or its event.
    Completed {
        /// The step.
        step: &'a StepId,
        /// The chosen route, if there was one to choose.
        next: Option<&'a str>,
    },
    /// An approval was given.
    Approved {
        /// The step.
        step: &'a StepId,
    },
    /// An approval was refused.
    Rejected {
        /// The step.
        step: &'a StepId,
        /// What the person wrote.
        note: &'a str,
    },
    /// A wait for an event ended without it.
    TimedOut {
        /// The step.
        step: &'a StepId,
    },
    /// An event that the Plan takes itself.
    Event {
        /// Its name.
        name: &'a str,
        /// What it carries.
        data: Option<&'a Map>,
    },
    /// Somebody entitled changed something about the run from outside.
    Adjusted {
        /// What, in the format's own terms.
        change: &'a Value,
    },
}

/// What follows from a cause.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Moves {
    /// The Plan's own small value, when it changed.
    pub memory: Option<Value>,
    /// In the order in which they are to be applied.
    pub moves: Vec<Move>,
}

impl From<Vec<Move>> for Moves {
    fn from(moves: Vec<Move>) -> Self {
        Self { memory: None, moves }
    }
}

/// One thing that happens to a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Move {
    /// The step opens, as a fresh attempt. Nothing happens when it is open.
    Reach(StepId),
    /// The open step closes: its claim and its item end, a token or a decision for them is `stale`.
    Withdraw(StepId),
    /// The step is done and records nothing (a finish that is reached, a fork that joins).
    Satisfied(StepId),
    /// The step's current record moves to its history; it is not reached any more.
    Rewind(StepId),
    /// The run ends.
    End {
        /// Its outcome.
        outcome: String,
        /// In whose name.
        by: EndedBy,
        /// What the record says about it.
        note: Option<String>,
    },
}

/// In whose name a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndedBy {
    /// The server's.
    Server,
    /// Whoever caused it.
    Cause,
}

/// What an event from outside means to a Plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Takes {
    /// The Plan makes moves of it ([`Cause::Event`]).
    Take,
    /// It goes to a step that listens for it, now or later.
    Hold,
    /// It cannot be meant for this run.
    Invalid(Issues),
}
