//! Events.

use std::sync::Arc;

use base::{AgentId, PersonId, RunId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::part::{
    AssignedForm, ClaimNumberForm, CompletedResultForm, DeliveredFromForm, InitiatorForm, KeyIdForm,
    ModeForm, OpeningForm, RunLimitsForm, SentEventForm, ThenForm,
};
use crate::event::{
    Assigned, CompletedResult, DeliveredFrom, EventKind, Opening, RunStarted, SentEvent, Then,
};
use crate::state::{Initiator, RunLimits};
use crate::stored::form::{Boxed, By, Millis, Opt, Step, Text, forms};
use crate::words::{Actor, ClaimNumber, KeyId, Map, Mode, StepId};

/// The names of all kinds.
pub(in crate::stored) const KINDS: &[&str] = &[
    "run_started",
    "step_claimed",
    "claim_renewed",
    "submission_refused",
    "step_completed",
    "step_approved",
    "step_rejected",
    "step_failed",
    "step_escalated",
    "step_returned",
    "step_overdue",
    "wait_elapsed",
    "wait_timed_out",
    "event_held",
    "event_delivered",
    "event_taken",
    "item_reassigned",
    "run_adjusted",
    "run_cancelled",
];

/// The name of a kind: what serde calls it below.
pub(super) fn name(kind: &EventKind) -> &'static str {
    match kind {
        EventKind::RunStarted(_) => "run_started",
        EventKind::StepClaimed { .. } => "step_claimed",
        EventKind::ClaimRenewed { .. } => "claim_renewed",
        EventKind::SubmissionRefused { .. } => "submission_refused",
        EventKind::StepCompleted { .. } => "step_completed",
        EventKind::StepApproved { .. } => "step_approved",
        EventKind::StepRejected { .. } => "step_rejected",
        EventKind::StepFailed { .. } => "step_failed",
        EventKind::StepEscalated { .. } => "step_escalated",
        EventKind::StepReturned { .. } => "step_returned",
        EventKind::StepOverdue { .. } => "step_overdue",
        EventKind::WaitElapsed { .. } => "wait_elapsed",
        EventKind::WaitTimedOut { .. } => "wait_timed_out",
        EventKind::EventHeld(_) => "event_held",
        EventKind::EventDelivered { .. } => "event_delivered",
        EventKind::EventTaken { .. } => "event_taken",
        EventKind::ItemReassigned { .. } => "item_reassigned",
        EventKind::RunAdjusted { .. } => "run_adjusted",
        EventKind::RunCancelled { .. } => "run_cancelled",
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "EventKind", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum EventForm {
    RunStarted(#[serde(with = "Boxed::<RunStartedForm>")] Box<RunStarted>),
    StepClaimed {
        #[serde(with = "Step")]
        step: StepId,
        #[serde(with = "ClaimNumberForm")]
        claim: ClaimNumber,
        #[serde(with = "Text")]
        by: AgentId,
        #[serde(with = "Millis")]
        expires_at: Timestamp,
        #[serde(with = "KeyIdForm")]
        key: KeyId,
    },
    ClaimRenewed {
        #[serde(with = "Step")]
        step: StepId,
        #[serde(with = "ClaimNumberForm")]
        claim: ClaimNumber,
        #[serde(with = "Millis")]
        expires_at: Timestamp,
        #[serde(with = "KeyIdForm")]
        key: KeyId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        progress: Option<String>,
    },
    SubmissionRefused {
        #[serde(with = "Step")]
        step: StepId,
        issues: Vec<String>,
    },
    StepCompleted {
        #[serde(with = "Step")]
        step: StepId,
        #[serde(with = "By")]
        by: Actor,
        #[serde(with = "Boxed::<CompletedResultForm>")]
        result: Box<CompletedResult>,
        #[serde(with = "ThenForm")]
        then: Then,
    },
    StepApproved {
        #[serde(with = "Step")]
        step: StepId,
        #[serde(with = "Text")]
        by: PersonId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        #[serde(with = "ThenForm")]
        then: Then,
    },
    StepRejected {
        #[serde(with = "Step")]
        step: StepId,
        #[serde(with = "Text")]
        by: PersonId,
        note: String,
        #[serde(with = "ThenForm")]
        then: Then,
    },
    StepFailed {
        #[serde(with = "Step")]
        step: StepId,
        #[serde(with = "Text")]
        by: PersonId,
        note: String,
        #[serde(with = "ThenForm")]
        then: Then,
    },
    StepEscalated {
        #[serde(with = "Step")]
        step: StepId,
        #[serde(with = "By")]
        by: Actor,
        note: String,
        item: u32,
        #[serde(with = "AssignedForm")]
        assigned: Assigned,
    },
    StepReturned {
        #[serde(with = "Step")]
        step: StepId,
        #[serde(with = "Text")]
        by: PersonId,
        note: String,
        #[serde(with = "OpeningForm")]
        opening: Opening,
        #[serde(with = "ThenForm")]
        then: Then,
    },
    StepOverdue {
        #[serde(with = "Step")]
        step: StepId,
    },
    WaitElapsed {
        #[serde(with = "Step")]
        step: StepId,
        #[serde(with = "ThenForm")]
        then: Then,
    },
    WaitTimedOut {
        #[serde(with = "Step")]
        step: StepId,
        #[serde(with = "ThenForm")]
        then: Then,
    },
    EventHeld(#[serde(with = "SentEventForm")] SentEvent),
    EventDelivered {
        #[serde(with = "Step")]
        step: StepId,
        #[serde(with = "SentEventForm")]
        event: SentEvent,
        #[serde(with = "DeliveredFromForm")]
        from: DeliveredFrom,
        #[serde(with = "ThenForm")]
        then: Then,
    },
    EventTaken {
        #[serde(with = "SentEventForm")]
        event: SentEvent,
        #[serde(with = "ThenForm")]
        then: Then,
    },
    ItemReassigned {
        #[serde(with = "Step")]
        step: StepId,
        #[serde(with = "AssignedForm")]
        assigned: Assigned,
    },
    RunAdjusted {
        #[serde(with = "By")]
        by: Actor,
        change: Value,
        #[serde(with = "ThenForm")]
        then: Then,
    },
    RunCancelled {
        #[serde(with = "Text")]
        by: PersonId,
        reason: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RunStarted", deny_unknown_fields)]
struct RunStartedForm {
    #[serde(with = "Text")]
    run: RunId,
    process: String,
    version: u32,
    #[serde(with = "ModeForm")]
    mode: Mode,
    #[serde(with = "By")]
    by: Actor,
    #[serde(
        default,
        with = "Opt::<InitiatorForm>",
        skip_serializing_if = "Option::is_none"
    )]
    initiator: Option<Initiator>,
    inputs: Arc<Map>,
    #[serde(with = "RunLimitsForm")]
    limits: RunLimits,
    #[serde(with = "ThenForm")]
    then: Then,
}

forms!(EventForm => EventKind, RunStartedForm => RunStarted);
