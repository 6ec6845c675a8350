//! What somebody asks of a run. Arguments have their right shape already; everything else is judged here inside.

use std::sync::Arc;
use std::time::Duration;

use base::{Caller, RunId};
use serde_json::Value;

use crate::plan::Starter;
use crate::state::{RunLimits, Submission};
use crate::words::{Actor, ClaimId, DecisionWord, KeyId, Map, Mode};

/// The command that begins a run.
#[derive(Debug, Clone, PartialEq)]
pub struct StartRun {
    /// The id of the new run.
    pub run: RunId,
    /// The version to run.
    pub version: u32,
    /// Live or test.
    pub mode: Mode,
    /// Unchecked inputs.
    pub inputs: Arc<Map>,
    /// Who starts it.
    pub starter: Starter,
    /// The limits that will hold for it.
    pub limits: RunLimits,
}

/// A command to a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Apply what is due, nothing else.
    Settle,
    /// Take a step.
    Claim {
        /// The step's name as asked.
        step: String,
        /// Who asks.
        by: Caller,
        /// The lease and the key of the token.
        lease: Lease,
    },
    /// Keep a step.
    Renew {
        /// What the token stands for.
        claim: ClaimId,
        /// Who asks.
        by: Caller,
        /// What is done so far.
        progress: Option<String>,
        /// The lease and the key of the token.
        lease: Lease,
    },
    /// Hand in a step.
    Submit {
        /// What the token stands for.
        claim: ClaimId,
        /// Who asks.
        by: Caller,
        /// What is handed in.
        submission: Submission,
    },
    /// Give a step up.
    Escalate {
        /// What the token stands for.
        claim: ClaimId,
        /// Who asks.
        by: Caller,
        /// Why.
        note: String,
    },
    /// Decide an item.
    Decide {
        /// The item's id as asked.
        item: String,
        /// Who asks.
        by: Caller,
        /// The snapshot that the person saw, as given.
        snapshot: String,
        /// What they decided.
        verdict: Verdict,
    },
    /// Stop the run.
    Cancel {
        /// Who asks.
        by: Caller,
        /// Why.
        reason: String,
    },
    /// Deliver an event.
    SendEvent {
        /// Who asks.
        by: Caller,
        /// Its name; the shape has been checked.
        name: String,
        /// What it carries.
        data: Option<Arc<Map>>,
    },
    /// Change something about the run from outside; the caller's right has been checked.
    Adjust {
        /// Who.
        by: Actor,
        /// What.
        adjustment: Adjustment,
    },
}

/// What a claim is granted under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// How long.
    pub duration: Duration,
    /// The key that will sign the token.
    pub key: KeyId,
}

/// What a person decides, each with what belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// The work is done.
    Completed(Submission),
    /// Yes.
    Approved {
        /// What they want to add.
        note: Option<String>,
    },
    /// No.
    Rejected {
        /// Why.
        note: String,
    },
    /// An escalated step goes back.
    Returned {
        /// What they want to say.
        note: String,
    },
    /// It cannot be done; the run ends.
    Failed {
        /// Why.
        note: String,
    },
}

impl Verdict {
    /// What it is, without what belongs to it.
    pub const fn word(&self) -> DecisionWord {
        match self {
            Self::Completed(_) => DecisionWord::Completed,
            Self::Approved { .. } => DecisionWord::Approved,
            Self::Rejected { .. } => DecisionWord::Rejected,
            Self::Returned { .. } => DecisionWord::Returned,
            Self::Failed { .. } => DecisionWord::Failed,
        }
    }
}

/// A change from outside.
#[derive(Debug, Clone, PartialEq)]
pub enum Adjustment {
    /// Who is who has changed: look anew whom the open items are for.
    Reassign,
    /// Something that only the format understands.
    Plan(Value),
}
