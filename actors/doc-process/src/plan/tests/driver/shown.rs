//! What a run looks like.

use std::sync::Arc;

use run_core::event::{EventKind, Moved};
use run_core::state::{Phase, Record, Status, StepState};
use run_core::view::{self, state_word};
use run_core::{Actor, Plan as _};
use serde_json::Value;

use super::{Run, agent, operator, person};

impl Run {
    /// The number of the run's last event.
    pub(in crate::plan::tests) fn seq(&self) -> u64 {
        self.state.seq
    }

    /// What followed from each event since a number, with the step that the event is about.
    pub(in crate::plan::tests) fn moves_since(&self, seq: u64) -> Vec<(String, Vec<Moved>)> {
        let events = self.journal.iter().filter(|event| event.seq > seq);
        events
            .filter_map(|event| match &event.kind {
                EventKind::StepCompleted { step, then, .. }
                | EventKind::StepApproved { step, then, .. }
                | EventKind::StepRejected { step, then, .. }
                | EventKind::WaitElapsed { step, then }
                | EventKind::WaitTimedOut { step, then }
                | EventKind::EventDelivered { step, then, .. } => {
                    Some((step.to_string(), then.moves.clone()))
                }
                _ => None,
            })
            .collect()
    }

    pub(in crate::plan::tests) fn is_open(&self, step: &str) -> bool {
        self.state.step(step).is_some_and(StepState::is_open)
    }

    /// Every step with its state, the minute of its record and those of its history: `id state record [history]`.
    pub(in crate::plan::tests) fn shown(&self) -> Vec<String> {
        let minute = |record: &Arc<Record>| record.at.as_millis() / 60_000;
        let shown = self.plan.steps().iter().map(|outline| {
            let step = self.state.step(outline.id.as_str());
            let state = match step.map(|step| &step.phase) {
                None | Some(Phase::Unreached) => "null",
                Some(Phase::Done) => "done",
                Some(Phase::Failed) => "failed",
                Some(Phase::Cancelled) => "cancelled",
                Some(_) => "open",
            };
            let record = step.and_then(|step| step.record.as_ref()).map(minute);
            let history: Vec<_> = step
                .map(|step| step.history.iter().map(minute).collect())
                .unwrap_or_default();
            format!("{} {state} {record:?} {history:?}", outline.id)
        });
        shown.collect()
    }

    /// What the step has in run data.
    pub(in crate::plan::tests) fn record(&self, step: &str) -> String {
        shown(&self.state.data()["steps"][step])
    }

    /// Run data.
    pub(in crate::plan::tests) fn data(&self) -> String {
        shown(&self.state.data())
    }

    /// Whether the run is `active` or `waiting`, or over.
    pub(in crate::plan::tests) fn word(&self) -> &'static str {
        state_word(&self.state).as_str()
    }

    fn in_file_order(&self, shown: impl Fn(&StepState) -> Option<String>) -> String {
        let steps = self.plan.steps().iter().filter_map(|outline| {
            let shown = shown(self.state.step(outline.id.as_str())?)?;
            Some(format!("{}:{shown}", outline.id))
        });
        steps.collect::<Vec<_>>().join(" ")
    }

    /// The reached steps with their states.
    pub(in crate::plan::tests) fn states(&self) -> String {
        self.in_file_order(|step| {
            let word = match &step.phase {
                Phase::Unreached => return None,
                Phase::Ready { .. } => "ready",
                Phase::Claimed(_) => "claimed",
                Phase::Done => "done",
                Phase::Failed => "failed",
                Phase::Cancelled => "cancelled",
                _ => "waiting",
            };
            Some(word.to_owned())
        })
    }

    /// The steps with anything recorded: how many current records and how many earlier ones.
    pub(in crate::plan::tests) fn records(&self) -> String {
        self.in_file_order(|step| {
            let (current, earlier) = (usize::from(step.record.is_some()), step.history.len());
            (current + earlier > 0).then(|| format!("{current}+{earlier}"))
        })
    }

    /// When the run ended, in minutes since the start.
    pub(in crate::plan::tests) fn end_minutes(&self) -> Option<i64> {
        view::end(&self.state).map(|end| end.at.as_millis() / 60_000)
    }

    /// How the run ended.
    pub(in crate::plan::tests) fn end(&self) -> String {
        let Status::Ended { outcome, end } = &self.state.status else {
            return "running".to_owned();
        };
        let by = match end.by {
            Actor::Server => "server",
            Actor::Person(_) => "person",
            Actor::Agent(_) => "agent",
        };
        let note = end
            .note
            .as_ref()
            .map(|note| format!(": {note}"))
            .unwrap_or_default();
        format!("{outcome} by {by}{note}")
    }

    /// When a step is due, in minutes since the start.
    pub(in crate::plan::tests) fn due_minutes(&self, step: &str) -> Option<i64> {
        self.step(step).due.map(|due| due.as_millis() / 60_000)
    }
}

/// JSON with the keys sorted, the actors by name, and of each instant the time of day.
fn shown(data: &Value) -> String {
    let actors = [
        (Actor::Agent(agent()).to_string(), "agent"),
        (Actor::Person(person()).to_string(), "mira"),
        (Actor::Person(operator()).to_string(), "olga"),
    ];
    let named = actors
        .iter()
        .fold(data.to_string(), |text, (id, name)| text.replace(id, name));
    named.replace("1970-01-01T", "").replace(":00.000Z", "")
}
