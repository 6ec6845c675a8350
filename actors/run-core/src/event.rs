//! What has happened. Events carry everything: nothing is looked up again later.

use std::sync::Arc;

use base::{AgentId, GroupId, PersonId, RunId, Timestamp};
use serde_json::Value;

use crate::state::{EvidenceItem, Initiator, RunLimits};
use crate::words::{Actor, ClaimNumber, KeyId, Map, Mode, StepId};

/// One entry of a run's journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its place in the journal, counted from 1 without a gap.
    pub seq: u64,
    /// When: the instant of the command, or the due instant of a deadline.
    pub at: Timestamp,
    /// What.
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind {
    /// The run began.
    RunStarted(Box<RunStarted>),
    /// An agent holds a step until `expires_at`.
    StepClaimed {
        /// The step.
        step: StepId,
        /// The claim.
        claim: ClaimNumber,
        /// The holder.
        by: AgentId,
        /// When the lease ends.
        expires_at: Timestamp,
        /// The key of its token.
        key: KeyId,
    },
    /// The holder's lease goes on under a new claim number; the old token is dead.
    ClaimRenewed {
        /// The step.
        step: StepId,
        /// The new claim.
        claim: ClaimNumber,
        /// When the lease ends now.
        expires_at: Timestamp,
        /// The key of its token.
        key: KeyId,
        /// What is done so far.
        progress: Option<String>,
    },
    /// A submission was not accepted. Only the handoff changes.
    SubmissionRefused {
        /// The step.
        step: StepId,
        /// All that was wrong, at most 100.
        issues: Vec<String>,
    },
    /// Somebody completed a step.
    StepCompleted {
        /// The step.
        step: StepId,
        /// Who.
        by: Actor,
        /// What.
        result: Box<CompletedResult>,
        /// What followed.
        then: Then,
    },
    /// A person approved.
    StepApproved {
        /// The step.
        step: StepId,
        /// Who.
        by: PersonId,
        /// What they wrote.
        note: Option<String>,
        /// What followed.
        then: Then,
    },
    /// A person rejected.
    StepRejected {
        /// The step.
        step: StepId,
        /// Who.
        by: PersonId,
        /// Why.
        note: String,
        /// What followed.
        then: Then,
    },
    /// A person decided that the step has failed; the run ends.
    StepFailed {
        /// The step.
        step: StepId,
        /// Who.
        by: PersonId,
        /// Why.
        note: String,
        /// What followed.
        then: Then,
    },
    /// The holder could not finish: a person must see to it.
    StepEscalated {
        /// The step.
        step: StepId,
        /// Who gave it up.
        by: Actor,
        /// Why.
        note: String,
        /// The number of the item that opened.
        item: u32,
        /// Whom it is for.
        assigned: Assigned,
    },
    /// A person gave an escalated step back. The attempt goes on.
    StepReturned {
        /// The step.
        step: StepId,
        /// Who.
        by: PersonId,
        /// What they wrote.
        note: String,
        /// How it is open now.
        opening: Opening,
        /// What followed: the end of the run, when nobody can be found for the step any more.
        then: Then,
    },
    /// The due time passed.
    StepOverdue {
        /// The step.
        step: StepId,
    },
    /// A wait is over.
    WaitElapsed {
        /// The step.
        step: StepId,
        /// What followed.
        then: Then,
    },
    /// A wait for an event ended without it.
    WaitTimedOut {
        /// The step.
        step: StepId,
        /// What followed.
        then: Then,
    },
    /// An event came that no step waits for yet.
    EventHeld(SentEvent),
    /// A step got its event.
    EventDelivered {
        /// The step.
        step: StepId,
        /// The event.
        event: SentEvent,
        /// Where it came from.
        from: DeliveredFrom,
        /// What followed.
        then: Then,
    },
    /// The Plan took an event itself.
    EventTaken {
        /// The event.
        event: SentEvent,
        /// What followed.
        then: Then,
    },
    /// An open item is for others now.
    ItemReassigned {
        /// Its step.
        step: StepId,
        /// Whom it is for.
        assigned: Assigned,
    },
    /// Somebody entitled changed something about the run from outside.
    RunAdjusted {
        /// Who.
        by: Actor,
        /// What, in the format's own terms.
        change: Value,
        /// What followed.
        then: Then,
    },
    /// An operator stopped the run.
    RunCancelled {
        /// Who.
        by: PersonId,
        /// Why.
        reason: String,
    },
}

impl EventKind {
    /// What followed from it, and in whose name.
    pub(crate) fn then(&self) -> Option<(&Then, Actor)> {
        match self {
            Self::RunStarted(started) => Some((&started.then, started.by)),
            Self::StepCompleted { by, then, .. } | Self::RunAdjusted { by, then, .. } => Some((then, *by)),
            Self::StepApproved { by, then, .. }
            | Self::StepRejected { by, then, .. }
            | Self::StepFailed { by, then, .. }
            | Self::StepReturned { by, then, .. } => Some((then, Actor::Person(*by))),
            Self::WaitElapsed { then, .. } | Self::WaitTimedOut { then, .. } => Some((then, Actor::Server)),
            Self::EventDelivered { event, then, .. } | Self::EventTaken { event, then } => {
                Some((then, event.by))
            }
            Self::StepClaimed { .. }
            | Self::ClaimRenewed { .. }
            | Self::SubmissionRefused { .. }
            | Self::StepEscalated { .. }
            | Self::StepOverdue { .. }
            | Self::EventHeld(_)
            | Self::ItemReassigned { .. }
            | Self::RunCancelled { .. } => None,
        }
    }

    /// The same, to be filled in.
    pub(crate) fn then_mut(&mut self) -> Option<&mut Then> {
        match self {
            Self::RunStarted(started) => Some(&mut started.then),
            Self::StepCompleted { then, .. }
            | Self::RunAdjusted { then, .. }
            | Self::StepApproved { then, .. }
            | Self::StepRejected { then, .. }
            | Self::StepFailed { then, .. }
            | Self::StepReturned { then, .. }
            | Self::WaitElapsed { then, .. }
            | Self::WaitTimedOut { then, .. }
            | Self::EventDelivered { then, .. }
            | Self::EventTaken { then, .. } => Some(then),
            Self::StepClaimed { .. }
            | Self::ClaimRenewed { .. }
            | Self::SubmissionRefused { .. }
            | Self::StepEscalated { .. }
            | Self::StepOverdue { .. }
            | Self::EventHeld(_)
            | Self::ItemReassigned { .. }
            | Self::RunCancelled { .. } => None,
        }
    }

    /// Whether `updatedAt` moves: renewals, refusals and notices do not move it.
    pub(crate) fn is_change(&self) -> bool {
        !matches!(
            self,
            Self::ClaimRenewed { .. } | Self::SubmissionRefused { .. } | Self::StepOverdue { .. }
        )
    }

    /// The number that it gave to a claim.
    pub(crate) fn claim(&self) -> Option<ClaimNumber> {
        match self {
            Self::StepClaimed { claim, .. } | Self::ClaimRenewed { claim, .. } => Some(*claim),
            _ => None,
        }
    }
}

/// How a run began.
#[derive(Debug, Clone, PartialEq)]
pub struct RunStarted {
    /// The run.
    pub run: RunId,
    /// The process.
    pub process: String,
    /// The version it keeps for life.
    pub version: u32,
    /// Live or test.
    pub mode: Mode,
    /// Who started it.
    pub by: Actor,
    /// The person who started it, if one did.
    pub initiator: Option<Initiator>,
    /// Checked inputs.
    pub inputs: Arc<Map>,
    /// The limits that hold for this run.
    pub limits: RunLimits,
    /// What followed.
    pub then: Then,
}

/// What a completed step records.
#[derive(Debug, Clone, PartialEq)]
pub struct CompletedResult {
    /// Declared fields.
    pub output: Arc<Map>,
    /// What was attached.
    pub evidence: Vec<EvidenceItem>,
    /// What was done, in the submitter's words.
    pub summary: Option<String>,
    /// The chosen route.
    pub next: Option<String>,
    /// Why it was chosen.
    pub reason: Option<String>,
}

/// An event from outside.
#[derive(Debug, Clone, PartialEq)]
pub struct SentEvent {
    /// Its name.
    pub name: String,
    /// What it carries.
    pub data: Option<Arc<Map>>,
    /// Who sent it.
    pub by: Actor,
}

/// Where a delivered event came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveredFrom {
    /// It was sent while the step was waiting.
    Sender,
    /// It was the oldest held one of its name.
    Held,
}

/// What followed from an event, resolved: members, items and instants are in it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Then {
    /// The Plan's memory, when it changed.
    pub memory: Option<Value>,
    /// In order.
    pub moves: Vec<Moved>,
}

/// A move, resolved.
#[derive(Debug, Clone, PartialEq)]
pub enum Moved {
    /// A step opened as a fresh attempt.
    Reached {
        /// The step.
        step: StepId,
        /// When it is due.
        due: Option<Timestamp>,
        /// How it is open.
        opening: Opening,
    },
    /// An open step closed.
    Withdrawn {
        /// The step.
        step: StepId,
    },
    /// A step is done without a record.
    Satisfied {
        /// The step.
        step: StepId,
    },
    /// A step's record moved to its history.
    Rewound {
        /// The step.
        step: StepId,
    },
    /// The run ended.
    Ended {
        /// Its outcome.
        outcome: String,
        /// In whose name.
        by: Actor,
        /// What the record says.
        note: Option<String>,
    },
}

impl Moved {
    /// The end of a run that failed.
    pub(crate) fn failed(by: Actor, note: &str) -> Self {
        Self::Ended {
            outcome: "failed".to_owned(),
            by,
            note: Some(note.to_owned()),
        }
    }
}

impl Then {
    /// Moves without a change of memory.
    pub(crate) fn moves(moves: impl IntoIterator<Item = Moved>) -> Self {
        Self {
            memory: None,
            moves: moves.into_iter().collect(),
        }
    }
}

/// How a step is open.
#[derive(Debug, Clone, PartialEq)]
pub enum Opening {
    /// Agents may claim it.
    Ready {
        /// For a while only this one may.
        reserved: Option<Reserved>,
    },
    /// A person has an item.
    Item {
        /// The item's number.
        item: u32,
        /// Whom it is for.
        assigned: Assigned,
    },
    /// The server waits for an instant.
    Timer {
        /// That instant.
        until: Timestamp,
    },
    /// The server waits for an event.
    Listening {
        /// Its name.
        event: String,
        /// When the wait ends without it.
        timeout_at: Option<Timestamp>,
    },
    /// The Plan closes it.
    Held,
    /// It could not be opened, and the run ends.
    Failed {
        /// Why.
        note: String,
    },
}

impl Opening {
    /// The end of the run that follows when a step cannot be opened (core-2 §3.5).
    pub(crate) fn failure(&self) -> Option<Moved> {
        match self {
            Self::Failed { note } => Some(Moved::failed(Actor::Server, note)),
            Self::Ready { .. }
            | Self::Item { .. }
            | Self::Timer { .. }
            | Self::Listening { .. }
            | Self::Held => None,
        }
    }
}

/// A reservation, resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reserved {
    /// For whom.
    pub agent: AgentId,
    /// Until when.
    pub until: Timestamp,
}

/// Whom an item is for, fixed when it opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Assigned {
    /// A group, with its members then.
    Group {
        /// The group.
        group: GroupId,
        /// Its members.
        members: Vec<PersonId>,
    },
    /// One member.
    Person {
        /// The member.
        person: PersonId,
        /// The value that named it.
        value: String,
    },
}

impl Assigned {
    /// Whether the person may decide.
    pub fn includes(&self, candidate: PersonId) -> bool {
        match self {
            Self::Group { members, .. } => members.contains(&candidate),
            Self::Person { person, .. } => *person == candidate,
        }
    }
}
