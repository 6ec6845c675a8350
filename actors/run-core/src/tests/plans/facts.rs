//! A format without order: which steps are legal follows from a map of facts, which events from outside change. The facts stand in
//! the memory.

use std::sync::LazyLock;

use base::Issues;
use serde_json::{Value, json};

use crate::plan::{
    About, Ask, Assignee, Cause, EndedBy, Move, Moves, Outline, Performer, Plan, Starter, Takes, Work,
};
use crate::state::{RunState, StepState, Submission};
use crate::words::{Map, StepId, StepKind};

/// A step, who does it, and when it is legal.
struct Rule {
    step: &'static str,
    performer: fn(&Value) -> Performer,
    is_legal: fn(&Value) -> bool,
}

const AGENT: Performer = Performer::Agent { reserved: None };

/// `ship` is legal once something is paid and as long as it is not recalled; `release` is a gate, for a person until the gate is
/// delegated, for an agent from then on.
const RULES: &[Rule] = &[
    Rule {
        step: "ship",
        performer: |_| AGENT,
        is_legal: |facts| is(facts, "paid") && !is(facts, "recalled"),
    },
    Rule {
        step: "release",
        performer: gate,
        is_legal: |facts| is(facts, "shipped"),
    },
];

fn gate(facts: &Value) -> Performer {
    if is(facts, "delegated") {
        AGENT
    } else {
        Performer::Approve(Assignee::Role("finance".to_owned()))
    }
}

fn is(facts: &Value, name: &str) -> bool {
    facts[name] == json!(true)
}

fn rule(step: &str) -> &'static Rule {
    RULES
        .iter()
        .find(|rule| rule.step == step)
        .expect("tests name steps that exist")
}

pub(crate) struct Facts;

static ABOUT: LazyLock<About> = LazyLock::new(|| super::about("facts"));
static STEPS: LazyLock<[Outline; 2]> = LazyLock::new(|| {
    [
        Outline {
            id: "ship".into(),
            kind: StepKind::Agent,
        },
        Outline {
            id: "release".into(),
            kind: StepKind::Approve,
        },
    ]
});

/// What the steps are, compared with what they must be now.
fn legality(facts: &Value, state: &RunState) -> Vec<Move> {
    let mut moves = Vec::new();
    for rule in RULES {
        let step = StepId::from(rule.step);
        let is_open = state.step(rule.step).is_some_and(StepState::is_open);
        let is_done = state.step(rule.step).is_some_and(|step| step.record.is_some());
        let is_legal = (rule.is_legal)(facts) && !is_done;
        let changes_hands = (rule.performer)(facts) != (rule.performer)(&state.memory);
        if is_open && (!is_legal || changes_hands) {
            moves.push(Move::Withdraw(step.clone()));
        }
        if is_legal {
            moves.push(Move::Reach(step));
        }
    }
    moves
}

impl Plan for Facts {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn steps(&self) -> &[Outline] {
        &*STEPS
    }

    fn start(&self, _: &Map, _: &Starter) -> Result<Moves, Issues> {
        Ok(Moves {
            memory: Some(json!({})),
            moves: Vec::new(),
        })
    }

    fn ask(&self, step: &StepId, state: &RunState) -> Ask {
        Ask::Work(Box::new(Work {
            text: step.as_str().into(),
            performer: (rule(step.as_str()).performer)(&state.memory),
            output: None,
            evidence: Vec::new(),
            routes: None,
            due: None,
            extensions: None,
        }))
    }

    fn judge(&self, _: &StepId, _: &Submission, _: &RunState) -> Issues {
        Issues::default()
    }

    fn moves(&self, cause: &Cause<'_>, state: &RunState) -> Moves {
        let mut facts = state.memory.clone();
        match cause {
            Cause::Event { name, .. } => facts[*name] = json!(true),
            Cause::Adjusted { change } => facts["delegated"] = change["delegated"].clone(),
            Cause::Completed { step, .. } if step.as_str() == "ship" => facts["shipped"] = json!(true),
            Cause::Completed { .. }
            | Cause::Approved { .. }
            | Cause::Rejected { .. }
            | Cause::TimedOut { .. } => {
                let (outcome, by, note) = ("released".to_owned(), EndedBy::Cause, None);
                return vec![Move::End { outcome, by, note }].into();
            }
        }
        Moves {
            moves: legality(&facts, state),
            memory: Some(facts),
        }
    }

    fn takes(&self, event: &str, _: Option<&Map>, _: &RunState) -> Takes {
        match event {
            "paid" | "recalled" => Takes::Take,
            _ => Takes::Invalid(Issues::one(format_args!("name: {event} is not a fact"))),
        }
    }

    fn query(&self, name: &str, _: &Map, state: &RunState) -> Option<Result<Value, Issues>> {
        (name == "evaluate").then(|| Ok(state.memory.clone()))
    }
}
