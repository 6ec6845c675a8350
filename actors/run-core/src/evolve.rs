//! Applying an event. Total: it never fails, never asks the Plan, and skips an event that is not the state's next.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::Timestamp;
use serde_json::Value;

use crate::event::{
    CompletedResult, DeliveredFrom, Event, EventKind, Moved, Opening, RunStarted, SentEvent, Then,
};
use crate::state::{
    Claim, End, Escalation, Handoff, Item, Phase, Record, RecordedDecision, Returned, RunState, Status,
    StepState,
};
use crate::words::{Actor, ClaimNumber, StepId};

impl RunState {
    /// The state after a run's first event; `None` when the event is not a first one.
    pub fn begin(event: &Event) -> Option<Self> {
        let mut state = Self::before_moves(event)?;
        if let EventKind::RunStarted(started) = &event.kind {
            state.apply_then(&started.then, event.at);
        }
        Some(state)
    }

    /// The state that a journal amounts to; `None` when it does not begin with a start.
    pub fn fold<'a>(events: impl IntoIterator<Item = &'a Event>) -> Option<Self> {
        let mut events = events.into_iter();
        let mut state = Self::begin(events.next()?)?;
        for event in events {
            state.evolve(event);
        }
        Some(state)
    }

    /// Applies the next event. Any other one changes nothing.
    pub fn evolve(&mut self, event: &Event) {
        if event.seq != self.seq + 1 {
            return;
        }
        self.apply_cause(event);
        if let Some((then, _)) = event.kind.then() {
            self.apply_then(then, event.at);
        }
    }

    /// The start itself, without what followed from it.
    pub(crate) fn before_moves(event: &Event) -> Option<Self> {
        let EventKind::RunStarted(started) = &event.kind else {
            return None;
        };
        if event.seq != 1 {
            return None;
        }
        let RunStarted {
            run,
            process,
            version,
            mode,
            by,
            initiator,
            inputs,
            limits,
            then: _,
        } = &**started;
        Some(Self {
            run: *run,
            seq: 1,
            process: process.clone(),
            version: *version,
            mode: *mode,
            started_by: *by,
            initiator: initiator.clone(),
            started_at: event.at,
            updated_at: event.at,
            last_at: event.at,
            status: Status::Running,
            limits: *limits,
            inputs: Arc::clone(inputs),
            steps: BTreeMap::new(),
            memory: Value::Null,
            items_opened: 0,
            items_withdrawn: BTreeSet::new(),
            claims_made: 0,
            held: Vec::new(),
        })
    }

    /// What the event itself says, before what followed from it.
    pub(crate) fn apply_cause(&mut self, event: &Event) {
        self.seq = event.seq;
        self.last_at = self.last_at.max(event.at);
        if event.kind.is_change() {
            self.updated_at = self.last_at;
        }
        let at = event.at;
        match &event.kind {
            EventKind::RunStarted(_) => {}
            EventKind::StepClaimed {
                step,
                claim,
                by,
                expires_at,
                key,
            } => self.update(step, at, |s| {
                s.handoff = s.handoff_at(at);
                let claim = Claim {
                    number: *claim,
                    agent: *by,
                    key: *key,
                    expires_at: *expires_at,
                    progress: None,
                };
                s.phase = Phase::Claimed(claim);
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
            EventKind::SubmissionRefused { step, issues } => {
                self.update(step, at, |s| s.handoff.issues = Some(issues.clone()));
            }
            EventKind::StepCompleted { step, by, result, .. } => {
                self.complete(step, completed(result, *by, at))
            }
            EventKind::StepApproved { step, by, note, .. } => {
                self.complete(
                    step,
                    decided(RecordedDecision::Approved, Actor::Person(*by), note.clone(), at),
                );
            }
            EventKind::StepRejected { step, by, note, .. } => {
                self.complete(
                    step,
                    decided(
                        RecordedDecision::Rejected,
                        Actor::Person(*by),
                        Some(note.clone()),
                        at,
                    ),
                );
                self.after_rejection(event, step);
            }
            EventKind::StepFailed { step, by, note, .. } => {
                self.complete(
                    step,
                    decided(
                        RecordedDecision::Failed,
                        Actor::Person(*by),
                        Some(note.clone()),
                        at,
                    ),
                );
                self.update(step, at, |s| s.phase = Phase::Failed);
            }
            EventKind::StepEscalated {
                step,
                by,
                note,
                item,
                assigned,
            } => {
                self.items_opened = self.items_opened.max(item + 1);
                let item = Item {
                    number: *item,
                    assigned: assigned.clone(),
                };
                let escalation = Escalation {
                    note: note.clone(),
                    by: *by,
                    at,
                };
                self.update(step, at, |s| s.phase = Phase::Escalated { item, escalation });
            }
            EventKind::StepReturned {
                step,
                by,
                note,
                opening,
            } => {
                self.open(step, opening, at);
                self.update(step, at, |s| {
                    s.handoff.returned = Some(Returned {
                        note: note.clone(),
                        by: *by,
                        at,
                    });
                });
            }
            EventKind::StepOverdue { step } => self.update(step, at, |s| s.overdue = true),
            EventKind::WaitElapsed { step, .. } | EventKind::WaitTimedOut { step, .. } => {
                self.complete(step, Record::new(Actor::Server, at));
            }
            EventKind::EventHeld(sent) => self.held.push(sent.clone()),
            EventKind::EventDelivered {
                step, event, from, ..
            } => self.deliver(step, event, *from, at),
            EventKind::EventTaken { .. } | EventKind::RunAdjusted { .. } => {}
            EventKind::ItemReassigned { step, assigned } => self.update(step, at, |s| {
                if let Phase::Assigned(item) | Phase::Escalated { item, .. } = &mut s.phase {
                    item.assigned = assigned.clone();
                }
            }),
            EventKind::RunCancelled { by, reason } => {
                let end = End {
                    by: Actor::Person(*by),
                    at,
                    note: Some(reason.clone()),
                };
                self.end(Status::Cancelled(end), at);
            }
        }
        if let Some(number) = event.kind.claim() {
            self.claims_made = self.claims_made.max(number.0 + 1);
        }
    }

    /// What followed from the event.
    pub(crate) fn apply_then(&mut self, then: &Then, at: Timestamp) {
        if let Some(memory) = &then.memory {
            self.memory.clone_from(memory);
        }
        for moved in &then.moves {
            self.apply_move(moved, at);
        }
    }

    /// One move of it.
    pub(crate) fn apply_move(&mut self, moved: &Moved, at: Timestamp) {
        match moved {
            Moved::Reached { step, due, opening } => {
                self.update(step, at, |s| {
                    s.attempt += 1;
                    s.due = *due;
                    s.overdue = false;
                    s.handoff = Handoff::default();
                });
                self.open(step, opening, at);
            }
            Moved::Withdrawn { step } => {
                if let Some(item) = self
                    .steps
                    .get(step)
                    .and_then(StepState::item)
                    .map(|item| item.number)
                {
                    self.items_withdrawn.insert(item);
                }
                self.update(step, at, |s| s.phase = Phase::Unreached);
            }
            Moved::Satisfied { step } => {
                let seq = self.seq;
                self.update(step, at, |s| {
                    s.phase = Phase::Done;
                    s.completed_seq = Some(seq);
                });
            }
            Moved::Rewound { step } => self.update(step, at, |s| {
                s.history.extend(s.record.take());
                s.phase = Phase::Unreached;
                s.completed_seq = None;
                s.due = None;
                s.overdue = false;
            }),
            Moved::Ended { outcome, by, note } => {
                let end = End {
                    by: *by,
                    at,
                    note: note.clone(),
                };
                self.end(
                    Status::Ended {
                        outcome: outcome.clone(),
                        end,
                    },
                    at,
                );
            }
        }
    }

    /// A step that completes again without having been rewound pushes its old record to history too (process.md §9.5).
    fn complete(&mut self, step: &StepId, record: Record) {
        let seq = self.seq;
        let at = record.at;
        self.update(step, at, |s| {
            s.history.extend(s.record.take());
            s.record = Some(Arc::new(record));
            s.phase = Phase::Done;
            s.completed_seq = Some(seq);
        });
    }

    /// A rejecting approval that does not end the run shows `null` and keeps its record (process.md §5).
    fn after_rejection(&mut self, event: &Event, step: &StepId) {
        let ends = event
            .kind
            .then()
            .is_some_and(|(then, _)| then.moves.iter().any(|m| matches!(m, Moved::Ended { .. })));
        if !ends {
            self.update(step, event.at, |s| s.phase = Phase::Unreached);
        }
    }

    fn open(&mut self, step: &StepId, opening: &Opening, at: Timestamp) {
        if let Opening::Item { item, .. } = opening {
            self.items_opened = self.items_opened.max(item + 1);
        }
        let phase = match opening {
            Opening::Ready { reserved } => Phase::Ready { reserved: *reserved },
            Opening::Item { item, assigned } => Phase::Assigned(Item {
                number: *item,
                assigned: assigned.clone(),
            }),
            Opening::Timer { until } => Phase::Sleeping { until: *until },
            Opening::Listening { event, timeout_at } => Phase::Listening {
                event: event.clone(),
                timeout_at: *timeout_at,
            },
            Opening::Held => Phase::Held,
            Opening::Failed { note } => {
                self.complete(
                    step,
                    decided(RecordedDecision::Failed, Actor::Server, Some(note.clone()), at),
                );
                Phase::Failed
            }
        };
        self.update(step, at, |s| {
            s.phase = phase;
            s.since = at;
        });
    }

    fn deliver(&mut self, step: &StepId, event: &SentEvent, from: DeliveredFrom, at: Timestamp) {
        if from == DeliveredFrom::Held
            && let Some(oldest) = self.held.iter().position(|held| held.name == event.name)
        {
            self.held.remove(oldest);
        }
        let mut record = Record::new(event.by, at);
        record.output = Some(event.data.clone().unwrap_or_default());
        self.complete(step, record);
    }

    /// Unfinished steps are cancelled; their items, claims and timers are gone with their phase (process.md §5, "End").
    fn end(&mut self, status: Status, at: Timestamp) {
        self.status = status;
        self.held.clear();
        for step in self.steps.values_mut().filter(|step| step.is_open()) {
            step.phase = Phase::Cancelled;
            step.since = at;
        }
    }

    fn update(&mut self, step: &StepId, at: Timestamp, change: impl FnOnce(&mut StepState)) {
        change(
            self.steps
                .entry(step.clone())
                .or_insert_with(|| StepState::unreached(at)),
        );
    }
}

impl EventKind {
    /// What followed from it, and in whose name.
    pub(crate) fn then(&self) -> Option<(&Then, Actor)> {
        match self {
            Self::RunStarted(started) => Some((&started.then, started.by)),
            Self::StepCompleted { by, then, .. } | Self::RunAdjusted { by, then, .. } => Some((then, *by)),
            Self::StepApproved { by, then, .. }
            | Self::StepRejected { by, then, .. }
            | Self::StepFailed { by, then, .. } => Some((then, Actor::Person(*by))),
            Self::WaitElapsed { then, .. } | Self::WaitTimedOut { then, .. } => Some((then, Actor::Server)),
            Self::EventDelivered { event, then, .. } | Self::EventTaken { event, then } => {
                Some((then, event.by))
            }
            Self::StepClaimed { .. }
            | Self::ClaimRenewed { .. }
            | Self::SubmissionRefused { .. }
            | Self::StepEscalated { .. }
            | Self::StepReturned { .. }
            | Self::StepOverdue { .. }
            | Self::EventHeld(_)
            | Self::ItemReassigned { .. }
            | Self::RunCancelled { .. } => None,
        }
    }

    pub(crate) fn then_mut(&mut self) -> Option<&mut Then> {
        match self {
            Self::RunStarted(started) => Some(&mut started.then),
            Self::StepCompleted { then, .. }
            | Self::RunAdjusted { then, .. }
            | Self::StepApproved { then, .. }
            | Self::StepRejected { then, .. }
            | Self::StepFailed { then, .. }
            | Self::WaitElapsed { then, .. }
            | Self::WaitTimedOut { then, .. }
            | Self::EventDelivered { then, .. }
            | Self::EventTaken { then, .. } => Some(then),
            Self::StepClaimed { .. }
            | Self::ClaimRenewed { .. }
            | Self::SubmissionRefused { .. }
            | Self::StepEscalated { .. }
            | Self::StepReturned { .. }
            | Self::StepOverdue { .. }
            | Self::EventHeld(_)
            | Self::ItemReassigned { .. }
            | Self::RunCancelled { .. } => None,
        }
    }

    /// Whether `updatedAt` moves: renewals, refusals and notices do not move it.
    fn is_change(&self) -> bool {
        !matches!(
            self,
            Self::ClaimRenewed { .. } | Self::SubmissionRefused { .. } | Self::StepOverdue { .. }
        )
    }

    fn claim(&self) -> Option<ClaimNumber> {
        match self {
            Self::StepClaimed { claim, .. } | Self::ClaimRenewed { claim, .. } => Some(*claim),
            _ => None,
        }
    }
}

fn completed(result: &CompletedResult, by: Actor, at: Timestamp) -> Record {
    Record {
        output: Some(Arc::clone(&result.output)),
        evidence: Some(result.evidence.clone()),
        summary: result.summary.clone(),
        next: result.next.clone(),
        reason: result.reason.clone(),
        ..Record::new(by, at)
    }
}

fn decided(decision: RecordedDecision, by: Actor, note: Option<String>, at: Timestamp) -> Record {
    Record {
        decision: Some(decision),
        note,
        ..Record::new(by, at)
    }
}
