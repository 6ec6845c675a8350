//! What followed from an event.

use base::Timestamp;

use crate::event::{Moved, Opening, Then};
use crate::state::{End, Handoff, Item, Phase, Record, RecordedDecision, RunState, Status, StepState};
use crate::words::{Actor, StepId};

impl RunState {
    /// All of it.
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
            Moved::Withdrawn { step } => self.close(step, at, |s| s.phase = Phase::Unreached),
            Moved::Satisfied { step } => {
                let seq = self.seq;
                self.close(step, at, |s| {
                    s.phase = Phase::Done;
                    s.completed_seq = Some(seq);
                });
            }
            Moved::Rewound { step } => self.close(step, at, |s| {
                s.history.extend(s.record.take());
                s.phase = Phase::Unreached;
                s.completed_seq = None;
            }),
            Moved::Ended { outcome, by, note } => {
                let (by, note) = (*by, note.clone());
                let ended = Status::Ended {
                    outcome: outcome.clone(),
                    end: End { by, at, note },
                };
                self.end(ended, at);
            }
        }
    }

    pub(super) fn open(&mut self, step: &StepId, opening: &Opening, at: Timestamp) {
        let phase = match opening {
            Opening::Ready { reserved } => Phase::Ready { reserved: *reserved },
            Opening::Item { item, assigned } => {
                let (number, assigned) = (*item, assigned.clone());
                self.items_opened = self.items_opened.max(number + 1);
                Phase::Assigned(Item { number, assigned })
            }
            Opening::Timer { until } => Phase::Sleeping { until: *until },
            Opening::Listening { event, timeout_at } => Phase::Listening {
                event: event.clone(),
                timeout_at: *timeout_at,
            },
            Opening::Held => Phase::Held,
            Opening::Failed { note } => {
                self.complete(step, failed(note, at));
                Phase::Failed
            }
        };
        self.update(step, at, |s| {
            s.phase = phase;
            s.since = at;
        });
    }

    /// Closes a step by other means than its own completion. An item that was open is remembered: a decision for it is `stale`.
    fn close(&mut self, step: &StepId, at: Timestamp, change: impl FnOnce(&mut StepState)) {
        let item = self.steps.get(step).and_then(StepState::item);
        self.items_withdrawn.extend(item.map(|item| item.number));
        self.update(step, at, change);
    }
}

/// What a step records that the server could not open (process.md §9.5).
fn failed(note: &str, at: Timestamp) -> Record {
    Record {
        decision: Some(RecordedDecision::Failed),
        note: Some(note.to_owned()),
        ..Record::new(Actor::Server, at)
    }
}
