//! The Plan of a process: what its steps ask, and what follows from what (process.md §2 and §5).

mod branches;
mod moves;
mod steps;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use base::Issues;
use run_core::plan::{About, Ask, Cause, Move, Moves, Outline, Plan, Starter, Takes};
use run_core::state::Submission;
use run_core::{Map, RunState, StepId, StepKind as Word};
use serde_json::Value;

use crate::check::is_id;
use crate::fields::{Fields, check_values};
use crate::model::{Document, Kind, Person, StepKind};
use branches::Branch;
use steps::PlannedStep;

/// A published PROCESS.md, ready to run.
#[derive(Debug)]
pub struct ProcessPlan {
    about: About,
    outlines: Vec<Outline>,
    /// In file order, one for each outline.
    steps: Vec<PlannedStep>,
    index_of: BTreeMap<StepId, usize>,
    /// Of every step that is in one.
    branches: BTreeMap<StepId, Branch>,
    inputs: Fields,
    asks_initiator: bool,
}

impl ProcessPlan {
    /// Compiles a document.
    pub fn new(document: Document) -> Self {
        let Document { process, body, .. } = document;
        let outline = |step: &crate::Step| Outline {
            id: step.id.as_str().into(),
            kind: word(step.kind.kind()),
        };
        let outlines: Vec<Outline> = process.steps.iter().map(outline).collect();
        let asks_initiator = process.steps.iter().any(|step| match &step.kind {
            StepKind::Task { person, .. } | StepKind::Approve { person, .. } => *person == Person::Initiator,
            _ => false,
        });
        let branches = branches::branches(&process);
        let requires = (!process.systems.is_empty())
            .then(|| Value::Object(Map::from_iter([("systems".to_owned(), process.systems.into())])));
        Self {
            about: About {
                name: process.name,
                description: process.description,
                body: body.into(),
                inputs: process.inputs.to_json().clone(),
                requires,
                profile: None,
                tools: &[],
            },
            index_of: outlines
                .iter()
                .enumerate()
                .map(|(index, outline)| (outline.id.clone(), index))
                .collect(),
            branches,
            outlines,
            steps: process.steps.into_iter().map(PlannedStep::new).collect(),
            inputs: process.inputs,
            asks_initiator,
        }
    }

    fn step(&self, id: &str) -> Option<&PlannedStep> {
        self.index_of.get(id).map(|index| &self.steps[*index])
    }
}

impl Plan for ProcessPlan {
    fn about(&self) -> &About {
        &self.about
    }

    fn steps(&self) -> &[Outline] {
        &self.outlines
    }

    fn start(&self, inputs: &Map, starter: &Starter) -> Result<Moves, Issues> {
        let mut issues = check_values(&self.inputs, "inputs", inputs);
        if self.asks_initiator && starter.initiator.is_none() {
            issues.push("initiator: only a person can start this process");
        }
        if !issues.is_empty() {
            return Err(issues);
        }
        Ok(self
            .outlines
            .first()
            .map(|first| self.reach(first.id.as_str()))
            .unwrap_or_default()
            .into())
    }

    fn ask(&self, step: &StepId, state: &RunState) -> Ask {
        match self.step(step.as_str()) {
            Some(step) => step.ask(state),
            None => Ask::Fail {
                note: format!("the process has no step {step}"),
            },
        }
    }

    fn judge(&self, step: &StepId, submission: &Submission, _state: &RunState) -> Issues {
        let fields = self.step(step.as_str()).and_then(PlannedStep::output);
        check_values(fields.unwrap_or(&Fields::default()), "output", &submission.output)
    }

    fn moves(&self, cause: &Cause<'_>, state: &RunState) -> Moves {
        let moves: Vec<Move> = match cause {
            Cause::Completed { step, next } => self.go_on(step, *next, state),
            Cause::Approved { step } => self.go_on(step, None, state),
            Cause::Rejected { step, note } => self.after_rejection(step, note, state),
            Cause::TimedOut { step } => self.after_timeout(step, state),
            // This format takes no events itself and lets nobody adjust a run from outside.
            Cause::Event { .. } | Cause::Adjusted { .. } => Vec::new(),
        };
        moves.into()
    }

    fn takes(&self, event: &str, _data: Option<&Map>, _state: &RunState) -> Takes {
        if is_id(event) {
            Takes::Hold
        } else {
            Takes::Invalid(Issues::one(
                "name: expected at most 64 characters, a lower-case letter first, then lower-case letters, digits, _ and -",
            ))
        }
    }
}

fn word(kind: Kind) -> Word {
    match kind {
        Kind::Agent => Word::Agent,
        Kind::Task => Word::Task,
        Kind::Approve => Word::Approve,
        Kind::Wait => Word::Wait,
        Kind::WaitUntil => Word::WaitUntil,
        Kind::WaitFor => Word::WaitFor,
        Kind::Finish => Word::Finish,
        Kind::Parallel => Word::Parallel,
    }
}
