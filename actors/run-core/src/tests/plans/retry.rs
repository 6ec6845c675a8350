//! A format with a loop: a step whose result is not good enough opens again, kept for a while for the agent that knows it, until
//! its tries are used up. How many are left stands in the memory; what the step says depends on it.

use std::sync::LazyLock;
use std::time::Duration;

use base::Issues;
use serde_json::{Value, json};

use crate::plan::{
    About, Ask, Cause, EndedBy, Move, Moves, Outline, Performer, Plan, Reservation, Starter, Takes, Work,
};
use crate::state::{RunState, Submission};
use crate::words::{Actor, Map, StepId, StepKind};

pub(crate) const TRIES: u64 = 3;
pub(crate) const GRACE: Duration = Duration::from_mins(1);

pub(crate) struct Retry;

static ABOUT: LazyLock<About> = LazyLock::new(|| super::about("retry"));
static STEPS: LazyLock<[Outline; 1]> = LazyLock::new(|| {
    [Outline {
        id: "fix".into(),
        kind: StepKind::Agent,
    }]
});

fn tries_left(memory: &Value) -> u64 {
    memory["triesLeft"].as_u64().unwrap_or(TRIES)
}

/// The agent that completed the step last.
fn last_agent(state: &RunState) -> Option<Reservation> {
    match state.step("fix")?.record.as_ref()?.by {
        Actor::Agent(agent) => Some(Reservation { agent, grace: GRACE }),
        Actor::Person(_) | Actor::Server => None,
    }
}

impl Plan for Retry {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn steps(&self) -> &[Outline] {
        &*STEPS
    }

    fn start(&self, _: &Map, _: &Starter) -> Result<Moves, Issues> {
        Ok(Moves {
            memory: Some(json!({ "triesLeft": TRIES })),
            moves: vec![Move::Reach("fix".into())],
        })
    }

    fn ask(&self, _: &StepId, state: &RunState) -> Ask {
        Ask::Work(Box::new(Work {
            text: format!("Fix it. Tries left: {}.", tries_left(&state.memory)).into(),
            performer: Performer::Agent {
                reserved: last_agent(state),
            },
            output: None,
            evidence: Vec::new(),
            routes: None,
            due: None,
            extensions: None,
        }))
    }

    fn judge(&self, _: &StepId, submission: &Submission, _: &RunState) -> Issues {
        let is_given = submission.output.get("green").is_some_and(Value::is_boolean);
        if is_given {
            Issues::default()
        } else {
            Issues::one("output.green: required")
        }
    }

    fn moves(&self, _: &Cause<'_>, state: &RunState) -> Moves {
        let record = state.step("fix").and_then(|step| step.record.as_ref());
        let is_green = record
            .and_then(|record| record.output.as_ref())
            .is_some_and(|output| output["green"] == json!(true));
        let left = tries_left(&state.memory) - 1;
        let end = |outcome: &str| {
            let (outcome, by, note) = (outcome.to_owned(), EndedBy::Server, None);
            vec![Move::End { outcome, by, note }]
        };
        let moves = match left {
            _ if is_green => end("green"),
            0 => end("given_up"),
            _ => vec![Move::Reach("fix".into())],
        };
        Moves {
            memory: Some(json!({ "triesLeft": left })),
            moves,
        }
    }

    fn takes(&self, _: &str, _: Option<&Map>, _: &RunState) -> Takes {
        Takes::Invalid(Issues::one("this process takes no events"))
    }
}
