//! The state of a run: what its events amount to. Built by [`RunState::evolve`] alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::{AgentId, PersonId, RunId, Timestamp, WorkItemId};
use serde_json::Value;

use crate::event::{Assigned, Reserved, SentEvent};
use crate::words::{Actor, ClaimNumber, EvidenceKind, KeyId, Map, Mode, StepId};

/// A run at a point of its journal. Cloning shares the data.
#[derive(Debug, Clone, PartialEq)]
pub struct RunState {
    /// Its id.
    pub run: RunId,
    /// The number of the last event.
    pub seq: u64,
    /// The process.
    pub process: String,
    /// The version it keeps for life.
    pub version: u32,
    /// Live or test.
    pub mode: Mode,
    /// Who started it.
    pub started_by: Actor,
    /// The person who started it, if one did.
    pub initiator: Option<Initiator>,
    /// When it started.
    pub started_at: Timestamp,
    /// When something last changed that people would call a change: renewals, refusals and notices are none.
    pub updated_at: Timestamp,
    /// The instant of the last event; nothing that follows is earlier.
    pub last_at: Timestamp,
    /// Whether it goes on.
    pub status: Status,
    /// The limits that hold for it.
    pub limits: RunLimits,
    /// What it was started with.
    pub inputs: Arc<Map>,
    /// Every step that was ever reached.
    pub steps: BTreeMap<StepId, StepState>,
    /// The Plan's own small value.
    pub memory: Value,
    /// How many items were ever opened.
    pub items_opened: u32,
    /// Items that closed undecided, because their step was withdrawn.
    pub items_withdrawn: BTreeSet<u32>,
    /// How many claims and renewals there were.
    pub claims_made: u32,
    /// Events that no step has waited for yet, oldest first.
    pub held: Vec<SentEvent>,
}

/// Whether a run goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// It does.
    Running,
    /// It came to an outcome.
    Ended {
        /// Which.
        outcome: String,
        /// How it came to it.
        end: End,
    },
    /// It was stopped.
    Cancelled(End),
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// In whose name.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
    /// What was said.
    pub note: Option<String>,
}

/// The person who started a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Initiator {
    /// Which member.
    pub person: PersonId,
    /// Its e-mail address.
    pub email: String,
}

/// The limits that a run was started under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunLimits {
    /// The most that inputs and steps may have, as compact UTF-8 JSON (process.md §9.7).
    pub run_data_bytes: usize,
}

/// One step of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct StepState {
    /// Where it stands.
    pub phase: Phase,
    /// How often it was reached.
    pub attempt: u32,
    /// When it became open as it is: `readySince` of an offer, the start of a wait.
    pub since: Timestamp,
    /// When this attempt is due.
    pub due: Option<Timestamp>,
    /// Whether that has passed and been noted.
    pub overdue: bool,
    /// What this attempt has left behind so far.
    pub handoff: Handoff,
    /// What it recorded last.
    pub record: Option<Arc<Record>>,
    /// What it recorded before, oldest first.
    pub history: Vec<Arc<Record>>,
    /// The number of the event that completed it; none while it has no current completion. "Completed after" compares these.
    pub completed_seq: Option<u64>,
}

/// Where a step stands.
#[derive(Debug, Clone, PartialEq)]
pub enum Phase {
    /// Not reached now: `null` on the wire.
    Unreached,
    /// Agents may claim it.
    Ready {
        /// For a while only this one may.
        reserved: Option<Reserved>,
    },
    /// An agent claimed it. Once the lease has ended it counts as ready, with or without any event.
    Claimed(Claim),
    /// A person has an item.
    Assigned(Item),
    /// It was given up by who held it; a person has an item about that.
    Escalated {
        /// The item.
        item: Item,
        /// Why.
        escalation: Escalation,
    },
    /// The server waits for an instant.
    Sleeping {
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
    /// Complete.
    Done,
    /// Its failure ended the run.
    Failed,
    /// Unfinished when the run ended.
    Cancelled,
}

/// A claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Its number: the one whose token works.
    pub number: ClaimNumber,
    /// Who holds it.
    pub agent: AgentId,
    /// The key of its token.
    pub key: KeyId,
    /// When the lease ends; from this instant on it has ended.
    pub expires_at: Timestamp,
    /// The last progress note.
    pub progress: Option<String>,
}

impl Claim {
    /// Whether the lease still runs. The same comparison stands in SQL.
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.expires_at
    }
}

/// An open work item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its number among the run's items.
    pub number: u32,
    /// Whom it is for.
    pub assigned: Assigned,
}

/// Why a step waits for a person beside its assignee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Escalation {
    /// What was said.
    pub note: String,
    /// By whom.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
}

/// What the previous attempts of an open step left behind (core-2 §3.3). Not run data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Handoff {
    /// The last progress note of a lease that ended.
    pub progress: Option<String>,
    /// The note of the person who returned it.
    pub returned: Option<Returned>,
    /// What was wrong with the last submission.
    pub issues: Option<Vec<String>>,
}

impl Handoff {
    /// Whether nothing was left: `null` on the wire.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A person's note on a step given back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Returned {
    /// The note.
    pub note: String,
    /// Whose.
    pub by: PersonId,
    /// When.
    pub at: Timestamp,
}

/// What a completion recorded: the fields of `steps.<id>` (process.md §5).
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Declared fields, or the data of an event.
    pub output: Option<Arc<Map>>,
    /// What was attached.
    pub evidence: Option<Vec<EvidenceItem>>,
    /// What was done.
    pub summary: Option<String>,
    /// The chosen route.
    pub next: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// A person's verdict.
    pub decision: Option<RecordedDecision>,
    /// A person's note.
    pub note: Option<String>,
    /// Who.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
}

impl Record {
    /// A record that says who and when, and nothing else yet.
    pub fn new(by: Actor, at: Timestamp) -> Self {
        Self {
            output: None,
            evidence: None,
            summary: None,
            next: None,
            reason: None,
            decision: None,
            note: None,
            by,
            at,
        }
    }
}

/// Verdicts that a record shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordedDecision {
    /// Yes.
    Approved,
    /// No.
    Rejected,
    /// It cannot be done.
    Failed,
}

/// A piece of evidence as it is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceItem {
    /// File or link.
    pub kind: EvidenceKind,
    /// The file's id, or the link as stated.
    pub reference: String,
    /// The digest of a file's bytes at acceptance, `None` for a link.
    pub sha256: Option<String>,
}

/// What somebody hands in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Submission {
    /// Declared fields.
    pub output: Arc<Map>,
    /// Attached evidence: kind and reference.
    pub evidence: Vec<(EvidenceKind, String)>,
    /// What was done.
    pub summary: Option<String>,
    /// The chosen route.
    pub next: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

impl RunState {
    /// The step, if it was ever reached.
    pub fn step(&self, step: &str) -> Option<&StepState> {
        self.steps.get(step)
    }

    /// Whether the run goes on.
    pub fn is_running(&self) -> bool {
        self.status == Status::Running
    }

    /// The id of an item of this run.
    pub fn item_id(&self, number: u32) -> WorkItemId {
        WorkItemId {
            run: self.run,
            number,
        }
    }

    /// The step whose open item this is.
    pub fn step_of_item(&self, number: u32) -> Option<(&StepId, &StepState)> {
        self.steps
            .iter()
            .find(|(_, step)| step.item().is_some_and(|item| item.number == number))
    }

    /// The step that this claim holds or last held, as long as no other claim, submission or end has replaced it.
    pub fn step_of_claim(&self, number: ClaimNumber) -> Option<(&StepId, &Claim)> {
        self.steps.iter().find_map(|(id, step)| match &step.phase {
            Phase::Claimed(claim) if claim.number == number => Some((id, claim)),
            _ => None,
        })
    }
}

impl StepState {
    /// A step that was never reached.
    pub(crate) fn unreached(at: Timestamp) -> Self {
        Self {
            phase: Phase::Unreached,
            attempt: 0,
            since: at,
            due: None,
            overdue: false,
            handoff: Handoff::default(),
            record: None,
            history: Vec::new(),
            completed_seq: None,
        }
    }

    /// Whether it still has to be finished.
    pub fn is_open(&self) -> bool {
        match self.phase {
            Phase::Ready { .. }
            | Phase::Claimed(_)
            | Phase::Assigned(_)
            | Phase::Escalated { .. }
            | Phase::Sleeping { .. }
            | Phase::Listening { .. }
            | Phase::Held => true,
            Phase::Unreached | Phase::Done | Phase::Failed | Phase::Cancelled => false,
        }
    }

    /// Its open item.
    pub fn item(&self) -> Option<&Item> {
        match &self.phase {
            Phase::Assigned(item) | Phase::Escalated { item, .. } => Some(item),
            _ => None,
        }
    }

    /// What the next attempt finds: the notes so far, and the progress of a lease that has ended.
    pub fn handoff_at(&self, now: Timestamp) -> Handoff {
        let mut handoff = self.handoff.clone();
        if let Phase::Claimed(claim) = &self.phase
            && !claim.is_live(now)
            && claim.progress.is_some()
        {
            handoff.progress.clone_from(&claim.progress);
        }
        handoff
    }
}
