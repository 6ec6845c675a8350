//! A small Plan: some work by agents, then the approval of `reviewers`, then the end.

use std::sync::Arc;
use std::time::Duration;

use base::Issues;
use run_core::plan::{
    About, Ask, Assignee, Cause, EndedBy, Move, Moves, Outline, Performer, Plan, Reservation, Starter, Takes,
    Work,
};
use run_core::state::{RunState, Submission};
use run_core::{Map, StepId, StepKind};

/// How long agents have for the work.
const DUE: Duration = Duration::from_hours(1);
/// How long the work is kept for the agent that the inputs name.
const GRACE: Duration = Duration::from_mins(5);

/// Agents `fetch` and `carry`; then people `check`, who may send both back. An input `for` reserves the work for an agent;
/// the input `approver` is a person.
pub struct Errand {
    about: About,
    steps: Vec<Outline>,
}

impl Errand {
    /// Under the name of a process.
    pub fn new(process: &str) -> Self {
        let step = |name: &str, kind| Outline {
            id: StepId::from(name),
            kind,
        };
        Self {
            about: About {
                name: process.to_owned(),
                description: "An errand".to_owned(),
                body: Arc::from("Fetch, carry, check."),
                inputs: Map::from_iter([("approver".to_owned(), "person".into())]),
                requires: None,
                profile: None,
                tools: &[],
            },
            steps: vec![
                step("fetch", StepKind::Agent),
                step("carry", StepKind::Agent),
                step("check", StepKind::Approve),
            ],
        }
    }
}

impl Plan for Errand {
    fn about(&self) -> &About {
        &self.about
    }

    fn steps(&self) -> &[Outline] {
        &self.steps
    }

    fn start(&self, _inputs: &Map, _starter: &Starter) -> Result<Moves, Issues> {
        Ok(vec![Move::Reach("fetch".into()), Move::Reach("carry".into())].into())
    }

    fn ask(&self, step: &StepId, state: &RunState) -> Ask {
        let reserved = state.inputs.get("for").and_then(|value| value.as_str());
        let performer = match step.as_str() {
            "check" => Performer::Approve(Assignee::Role("reviewers".to_owned())),
            _ => Performer::Agent {
                reserved: reserved
                    .and_then(|agent| agent.parse().ok())
                    .map(|agent| Reservation { agent, grace: GRACE }),
            },
        };
        Ask::Work(Box::new(Work {
            text: Arc::from(format!("Do {step}.")),
            performer,
            output: None,
            evidence: Vec::new(),
            routes: None,
            due: Some(DUE),
            extensions: None,
        }))
    }

    fn judge(&self, _step: &StepId, _submission: &Submission, _state: &RunState) -> Issues {
        Issues::default()
    }

    fn moves(&self, cause: &Cause<'_>, state: &RunState) -> Moves {
        let is_done = |step: &str| state.step(step).is_some_and(|step| step.completed_seq.is_some());
        match cause {
            Cause::Completed { .. } if is_done("fetch") && is_done("carry") => {
                vec![Move::Reach("check".into())].into()
            }
            Cause::Approved { .. } => vec![Move::End {
                outcome: "delivered".to_owned(),
                by: EndedBy::Server,
                note: None,
            }]
            .into(),
            Cause::Rejected { .. } => ["check", "fetch", "carry"]
                .into_iter()
                .map(|step| Move::Rewind(step.into()))
                .chain([Move::Reach("fetch".into()), Move::Reach("carry".into())])
                .collect::<Vec<_>>()
                .into(),
            _ => Moves::default(),
        }
    }

    fn takes(&self, _event: &str, _data: Option<&Map>, _state: &RunState) -> Takes {
        Takes::Hold
    }
}
