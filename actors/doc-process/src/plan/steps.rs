//! What a step asks of somebody.

use std::sync::Arc;
use std::time::Duration;

use run_core::plan::{Ask, Assignee, Performer, Route, Sleep, Work};
use run_core::{EvidenceKind as Word, Map, RunState};
use serde_json::Value;

use crate::fields::{Fields, instant};
use crate::model::{DataPath, EvidenceKind, Next, Person, Step, StepKind};

/// A step with what its askings share.
#[derive(Debug)]
pub(super) struct PlannedStep {
    pub(super) kind: StepKind,
    pub(super) next: Next,
    due: Option<Duration>,
    text: Arc<str>,
    output: Option<Arc<Map>>,
}

impl PlannedStep {
    pub(super) fn new(step: Step) -> Self {
        let (text, output) = match &step.kind {
            StepKind::Agent { instructions, work }
            | StepKind::Task {
                instructions, work, ..
            } => (instructions.as_str(), work.output.as_ref()),
            StepKind::Approve { text, .. } => (text.as_str(), None),
            _ => ("", None),
        };
        Self {
            text: text.into(),
            output: output.map(|output| Arc::new(output.to_json().clone())),
            kind: step.kind,
            next: step.next,
            due: step.due,
        }
    }

    /// The declared output.
    pub(super) fn output(&self) -> Option<&Fields> {
        match &self.kind {
            StepKind::Agent { work, .. } | StepKind::Task { work, .. } => work.output.as_ref(),
            _ => None,
        }
    }

    pub(super) fn ask(&self, state: &RunState) -> Ask {
        match &self.kind {
            StepKind::Agent { work, .. } => {
                self.work(Performer::Agent { reserved: None }, work.evidence.as_deref())
            }
            StepKind::Task { person, work, .. } => {
                self.work(Performer::Task(assignee(person, state)), work.evidence.as_deref())
            }
            StepKind::Approve { person, .. } => self.work(Performer::Approve(assignee(person, state)), None),
            StepKind::Wait(duration) => Ask::Sleep(Sleep::For(*duration)),
            StepKind::WaitUntil(path) => wait_until(path, state),
            StepKind::WaitFor { event, timeout, .. } => Ask::Listen {
                event: event.clone(),
                timeout: *timeout,
            },
            // A fork is held until its join. A finish is never opened: reaching it ends the run.
            StepKind::Parallel(_) | StepKind::Finish(_) => Ask::Hold,
        }
    }

    fn work(&self, performer: Performer, evidence: Option<&[EvidenceKind]>) -> Ask {
        let routes = match &self.next {
            Next::Choose(routes) => Some(
                routes
                    .iter()
                    .map(|route| Route {
                        to: route.to.clone(),
                        when: route.when.clone(),
                    })
                    .collect(),
            ),
            Next::To(_) | Next::Nowhere => None,
        };
        Ask::Work(Box::new(Work {
            text: Arc::clone(&self.text),
            performer,
            output: self.output.clone(),
            evidence: evidence
                .unwrap_or_default()
                .iter()
                .map(|kind| word(*kind))
                .collect(),
            routes,
            due: self.due,
            extensions: None,
        }))
    }
}

fn word(kind: EvidenceKind) -> Word {
    match kind {
        EvidenceKind::File => Word::File,
        EvidenceKind::Link => Word::Link,
    }
}

fn assignee(person: &Person, state: &RunState) -> Assignee {
    match person {
        Person::Role(role) => Assignee::Role(role.clone()),
        Person::Initiator => Assignee::Initiator,
        Person::Path(path) => Assignee::Member(text_at(path, state).map(str::to_owned)),
    }
}

/// A value that is missing or no datetime fails the step (core-2 §3.5).
fn wait_until(path: &DataPath, state: &RunState) -> Ask {
    match text_at(path, state).and_then(instant) {
        Some(until) => Ask::Sleep(Sleep::Until(until)),
        None => Ask::Fail {
            note: format!("{path} holds no date and time"),
        },
    }
}

/// The text at a path of the run data.
fn text_at<'s>(path: &DataPath, state: &'s RunState) -> Option<&'s str> {
    let value = match path {
        DataPath::Input { field } => state.inputs.get(field),
        DataPath::Output { step, field } => state
            .step(step)
            .and_then(|step| step.record.as_ref()?.output.as_ref()?.get(field)),
    };
    value.and_then(Value::as_str)
}
