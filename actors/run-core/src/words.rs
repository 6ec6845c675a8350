//! The small words of the lifecycle: who, which step, which claim.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use base::{AgentId, PersonId, RunId};

/// A JSON object with exact numbers.
pub type Map = serde_json::Map<String, serde_json::Value>;

/// The name of a step within its process. Cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepId(Arc<str>);

impl StepId {
    /// The name as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for StepId {
    fn from(name: &str) -> Self {
        Self(name.into())
    }
}

impl Borrow<str> for StepId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StepId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for StepId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// What a step is, in the words of the wire (tools.md, "Run view").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// Done by an agent.
    Agent,
    /// Done by a person.
    Task,
    /// Decided by a person.
    Approve,
    /// A duration.
    Wait,
    /// An instant in run data.
    WaitUntil,
    /// An event.
    WaitFor,
    /// The end.
    Finish,
    /// A fork and its join.
    Parallel,
}

impl StepKind {
    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Task => "task",
            Self::Approve => "approve",
            Self::Wait => "wait",
            Self::WaitUntil => "wait_until",
            Self::WaitFor => "wait_for",
            Self::Finish => "finish",
            Self::Parallel => "parallel",
        }
    }
}

/// Where a run stands, in the words of the wire (core-2 §3.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunWord {
    /// An agent can work on it.
    Active,
    /// People or the server have the next move.
    Waiting,
    /// It came to an outcome.
    Ended,
    /// It was stopped.
    Cancelled,
}

impl RunWord {
    /// Every word.
    pub const ALL: [Self; 4] = [Self::Active, Self::Waiting, Self::Ended, Self::Cancelled];

    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Waiting => "waiting",
            Self::Ended => "ended",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Where a step stands that is reached, in the words of the wire (tools.md, "Run view").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepWord {
    /// An agent may claim it.
    Ready,
    /// An agent holds it.
    Claimed,
    /// A person, an instant, an event or other steps are awaited.
    Waiting,
    /// Complete.
    Done,
    /// Its failure ended the run.
    Failed,
    /// Unfinished when the run ended.
    Cancelled,
}

impl StepWord {
    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Claimed => "claimed",
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// What a person may decide about an item (process.md §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionWord {
    /// The work is done.
    Completed,
    /// Yes.
    Approved,
    /// No.
    Rejected,
    /// An escalated step goes back.
    Returned,
    /// It cannot be done; the run ends.
    Failed,
}

impl DecisionWord {
    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Returned => "returned",
            Self::Failed => "failed",
        }
    }
}

/// Kinds of evidence (core-2 §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EvidenceKind {
    /// An uploaded file, verified by the server.
    File,
    /// A reference, recorded as stated.
    Link,
}

impl EvidenceKind {
    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Link => "link",
        }
    }
}

/// Whether a run is real (core-2 §3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It is.
    Live,
    /// Nothing real is sent to anyone, and everybody is told so.
    Test,
}

impl Mode {
    /// The word of the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Test => "test",
        }
    }
}

/// Who did something: the `by` of the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// An agent.
    Agent(AgentId),
    /// A member.
    Person(PersonId),
    /// The server itself.
    Server,
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(id) => id.fmt(f),
            Self::Person(id) => id.fmt(f),
            Self::Server => f.write_str("server"),
        }
    }
}

/// The n-th claim or renewal of a run, counted from 0: each has a token of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClaimNumber(pub u32);

/// What a claim token stands for. The door signs it with the key and reads it back; the core never sees a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimId {
    /// The run.
    pub run: RunId,
    /// Which claim of it.
    pub number: ClaimNumber,
    /// Who claimed: another agent that shows the token is refused before anything is said about the claim.
    pub agent: AgentId,
    /// The key that signs the token.
    pub key: KeyId,
}

/// Names a key of the claim token's MAC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyId(pub u32);
