//! What an event says itself, before what followed from it.

use std::sync::Arc;

use base::{PersonId, Timestamp};

use crate::event::{CompletedResult, DeliveredFrom, Event, EventKind, SentEvent};
use crate::state::{
    Claim, End, Escalation, Item, Phase, Record, RecordedDecision, Returned, RunState, Status,
};
use crate::words::{Actor, StepId};

impl RunState {
    /// Everything but the moves.
    pub(crate) fn apply_cause(&mut self, event: &Event) {
        self.seq = event.seq;
        self.last_at = self.last_at.max(event.at);
        if event.kind.is_change() {
            self.updated_at = self.last_at;
        }
        if let Some(number) = event.kind.claim() {
            self.claims_made = self.claims_made.max(number.0 + 1);
        }
        match &event.kind {
            EventKind::RunStarted(_) | EventKind::EventTaken { .. } | EventKind::RunAdjusted { .. } => {}
            EventKind::StepClaimed { .. } | EventKind::ClaimRenewed { .. } => self.apply_claim(event),
            EventKind::SubmissionRefused { .. }
            | EventKind::StepEscalated { .. }
            | EventKind::StepReturned { .. }
            | EventKind::StepOverdue { .. }
            | EventKind::ItemReassigned { .. } => self.apply_attempt(event),
            EventKind::StepCompleted { step, .. }
            | EventKind::StepApproved { step, .. }
            | EventKind::StepRejected { step, .. }
            | EventKind::StepFailed { step, .. }
            | EventKind::WaitElapsed { step, .. }
            | EventKind::WaitTimedOut { step, .. }
            | EventKind::EventDelivered { step, .. } => self.apply_completion(event, step),
            EventKind::EventHeld(sent) => self.held.push(sent.clone()),
            EventKind::RunCancelled { by, reason } => {
                let end = End {
                    by: Actor::Person(*by),
                    at: event.at,
                    note: Some(reason.clone()),
                };
                self.end(Status::Cancelled(end), event.at);
            }
        }
    }

    /// A claim, or a renewal of one.
    fn apply_claim(&mut self, event: &Event) {
        let at = event.at;
        match &event.kind {
            EventKind::StepClaimed {
                step,
                claim,
                by,
                expires_at,
                key,
            } => self.update(step, at, |s| {
                s.handoff = s.handoff_at(at);
                s.phase = Phase::Claimed(Claim {
                    number: *claim,
                    agent: *by,
                    key: *key,
                    expires_at: *expires_at,
                    progress: None,
                });
            }),
            EventKind::ClaimRenewed {
                step,
                claim,
                expires_at,
                key,
                progress,
            } => self.update(step, at, |s| {
                if let Phase::Claimed(held) = &mut s.phase {
                    (held.number, held.expires_at, held.key) = (*claim, *expires_at, *key);
                    if progress.is_some() {
                        held.progress.clone_from(progress);
                    }
                }
            }),
            _ => {}
        }
    }

    /// What changes an attempt that goes on.
    fn apply_attempt(&mut self, event: &Event) {
        let at = event.at;
        match &event.kind {
            EventKind::SubmissionRefused { step, issues } => {
                self.update(step, at, |s| s.handoff.issues = Some(issues.clone()));
            }
            EventKind::StepEscalated {
                step,
                by,
                note,
                item,
                assigned,
            } => {
                let (number, assigned) = (*item, assigned.clone());
                self.items_opened = self.items_opened.max(number + 1);
                let item = Item { number, assigned };
                let (note, by) = (note.clone(), *by);
                let escalation = Escalation { note, by, at };
                self.update(step, at, |s| {
                    s.phase = Phase::Escalated { item, escalation };
                    s.since = at;
                });
            }
            EventKind::StepReturned {
                step,
                by,
                note,
                opening,
                then: _,
            } => {
                let (note, by) = (note.clone(), *by);
                self.update(step, at, |s| s.handoff.returned = Some(Returned { note, by, at }));
                self.open(step, opening, at);
            }
            EventKind::StepOverdue { step } => self.update(step, at, |s| s.overdue = true),
            EventKind::ItemReassigned { step, assigned } => self.update(step, at, |s| {
                if let Phase::Assigned(item) | Phase::Escalated { item, .. } = &mut s.phase {
                    item.assigned = assigned.clone();
                }
            }),
            _ => {}
        }
    }

    /// What completes a step, each with its record.
    fn apply_completion(&mut self, event: &Event, step: &StepId) {
        let at = event.at;
        let record = match &event.kind {
            EventKind::StepCompleted { by, result, .. } => completed(result, *by, at),
            EventKind::StepApproved { by, note, .. } => {
                decided(RecordedDecision::Approved, *by, note.clone(), at)
            }
            EventKind::StepRejected { by, note, .. } => {
                decided(RecordedDecision::Rejected, *by, Some(note.clone()), at)
            }
            EventKind::StepFailed { by, note, .. } => {
                decided(RecordedDecision::Failed, *by, Some(note.clone()), at)
            }
            EventKind::EventDelivered { event, from, .. } => {
                if *from == DeliveredFrom::Held {
                    self.drop_oldest_held(&event.name);
                }
                delivered(event, at)
            }
            _ => Record::new(Actor::Server, at),
        };
        self.complete(step, record);
        if matches!(event.kind, EventKind::StepFailed { .. }) {
            self.update(step, at, |s| s.phase = Phase::Failed);
        }
    }

    fn drop_oldest_held(&mut self, name: &str) {
        if let Some(oldest) = self.held.iter().position(|held| held.name == name) {
            self.held.remove(oldest);
        }
    }
}

/// What a step records of its result.
pub(crate) fn completed(result: &CompletedResult, by: Actor, at: Timestamp) -> Record {
    Record {
        output: Some(Arc::clone(&result.output)),
        evidence: Some(result.evidence.clone()),
        summary: result.summary.clone(),
        next: result.next.clone(),
        reason: result.reason.clone(),
        ..Record::new(by, at)
    }
}

fn decided(decision: RecordedDecision, by: PersonId, note: Option<String>, at: Timestamp) -> Record {
    Record {
        decision: Some(decision),
        note,
        ..Record::new(Actor::Person(by), at)
    }
}

/// What a step records of its event; one without data has an empty output (process.md §9.14).
pub(crate) fn delivered(event: &SentEvent, at: Timestamp) -> Record {
    Record {
        output: Some(event.data.clone().unwrap_or_default()),
        ..Record::new(event.by, at)
    }
}
