//! Applying an event. Total: it never fails, never asks the Plan, and skips an event that is not the state's next.

mod cause;
mod moved;

pub(crate) use cause::{completed, delivered};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::Timestamp;
use serde_json::Value;

use crate::event::{Event, EventKind, RunStarted};
use crate::state::{Phase, Record, RunState, Status, StepState};
use crate::words::StepId;

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
        self.close_rejection(&event.kind);
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

    /// A rejecting approval shows `null` and keeps its record, unless it ended the run or is open again (process.md §5, §9.6).
    /// This shows only once everything has followed.
    pub(crate) fn close_rejection(&mut self, kind: &EventKind) {
        if let EventKind::StepRejected { step, .. } = kind
            && self.is_running()
            && let Some(step) = self.steps.get_mut(step)
            && step.phase == Phase::Done
        {
            step.phase = Phase::Unreached;
        }
    }

    /// A step that completes again without having been rewound pushes its old record to history too (process.md §9.5).
    pub(crate) fn complete(&mut self, step: &StepId, record: Record) {
        let seq = self.seq;
        let at = record.at;
        self.update(step, at, |s| {
            s.history.extend(s.record.take());
            s.record = Some(Arc::new(record));
            s.phase = Phase::Done;
            s.completed_seq = Some(seq);
        });
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
