//! Why a command is refused. Each arm says what the caller can do.

use base::Timestamp;

/// A refusal. Nothing happened, except that a refused submission leaves its issues in the handoff. Issues are bounded where they
/// are found ([`base::Issues`]).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The arguments cannot be meant: mend them.
    #[error("the arguments are not valid; see issues")]
    Invalid(Vec<String>),
    /// The submission broke a rule: mend all that is listed and submit again.
    #[error("the submission was not accepted; mend every issue and submit again with a new requestId")]
    NotAccepted(Vec<String>),
    /// What the caller saw or held is no longer current: read again.
    #[error(transparent)]
    Stale(#[from] Outdated),
    /// Another write came first, or the moment is wrong.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// Not for this identity.
    #[error(transparent)]
    Forbidden(#[from] Unentitled),
    /// There is no such thing in this run.
    #[error(transparent)]
    NotFound(#[from] Missing),
}

/// What is no longer current.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Outdated {
    /// The lease has ended.
    #[error("the lease of this claim has ended; claim the step again")]
    LeaseEnded,
    /// A renewal, another claim, a submission or an escalation replaced the claim.
    #[error("this token is no longer current; use the newest one, or claim the step again")]
    ClaimReplaced,
    /// Run data changed since the read.
    #[error(
        "run data changed since you read it; call get_run or get_work again and decide with the new snapshot"
    )]
    SnapshotChanged,
    /// The item was taken back.
    #[error("this item was withdrawn because the run moved on; call get_work again")]
    ItemWithdrawn,
}

/// What came first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// The run is over.
    #[error("the run has ended; nothing can be written to it any more")]
    RunEnded,
    /// Another agent holds the step.
    #[error("another agent holds this step until {until} at least; call get_work for other work")]
    ClaimedByOther {
        /// When its lease ends.
        until: Timestamp,
    },
    /// The caller holds the step.
    #[error("you hold this step already; retry the claim with its own requestId to see the token again")]
    ClaimedByYou,
    /// The step is not open to claims now.
    #[error("this step is not ready to be claimed now; call get_work to see which are")]
    NotReady,
    /// Somebody decided the item before.
    #[error("this item has been decided already; call get_run to see the outcome")]
    AlreadyDecided,
}

impl Conflict {
    /// The word in `issues` (tools.md).
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RunEnded => "run_ended",
            Self::ClaimedByOther { .. } => "claimed_by_other",
            Self::ClaimedByYou => "claimed_by_you",
            Self::NotReady => "not_ready",
            Self::AlreadyDecided => "already_decided",
        }
    }
}

/// Who may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unentitled {
    /// Only agents work steps.
    #[error("only an agent can do this; people decide their items with decide")]
    NotAnAgent,
    /// Only people decide.
    #[error("only a person can do this; an agent identity never decides, not even one acting for a person")]
    NotAPerson,
    /// Only operators may.
    #[error("only an operator or an admin of this organization can do this")]
    NotAnOperator,
    /// The claim belongs to another agent.
    #[error("this token was issued to another agent; claim the step yourself")]
    NotTheHolder,
    /// The step is not done by agents.
    #[error(
        "this step is not an agent step; it is completed by a person or by the server; call get_work to see which steps you can claim"
    )]
    NotAnAgentStep,
    /// An admin has not allowed this agent to work the process.
    #[error("this agent may not work steps of this process; an admin can allow it")]
    ProcessNotAllowed,
    /// The item is for others.
    #[error("this item is not assigned to you; call get_work to see those that are")]
    NotAssigned,
}

/// What does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// No such step.
    #[error("the process of this run has no such step; call get_run to see its steps")]
    Step,
    /// No such item.
    #[error("this run never had such a work item; call get_work to see those that wait for you")]
    Item,
}
