//! A small process of the tests' own: draft (agent), check (the reviewers; no: back to draft), pause (an hour), send (agent), end.
//!
//! A draft whose output names a method of the Plan makes that method panic from then on, until another draft takes its place.

use std::sync::Arc;
use std::time::Duration;

use base::Issues;
use run_core::plan::{
    About, Ask, Assignee, Cause, EndedBy, Move, Moves, Outline, Performer, Plan, Sleep, Starter, Takes, Work,
};
use run_core::state::{Phase, RunState, Submission};
use run_core::{Map, StepId, StepKind};
use serde_json::Value;

/// Its name.
pub(crate) const ERRAND: &str = "errand";
/// How long it pauses.
pub(crate) const PAUSE: Duration = Duration::from_hours(1);

pub(crate) struct Errand {
    /// The step that a run begins with.
    first: &'static str,
    about: About,
    steps: Vec<Outline>,
}

impl Errand {
    pub(crate) fn new() -> Self {
        let steps = [
            ("draft", StepKind::Agent),
            ("check", StepKind::Approve),
            ("pause", StepKind::Wait),
            ("send", StepKind::Agent),
            ("end", StepKind::Finish),
        ];
        Self {
            first: "draft",
            about: About {
                name: ERRAND.to_owned(),
                description: "An errand".to_owned(),
                body: "Run the errand.".into(),
                inputs: Map::new(),
                requires: None,
                profile: None,
                tools: &[],
            },
            steps: steps.map(|(id, kind)| Outline { id: id.into(), kind }).to_vec(),
        }
    }

    /// The same, but it begins with the pause, and what follows that is the check.
    pub(crate) fn waits_first() -> Self {
        Self {
            first: "pause",
            ..Self::new()
        }
    }

    /// The same, but it begins with the check.
    pub(crate) fn checks_first() -> Self {
        Self {
            first: "check",
            ..Self::new()
        }
    }

    /// Pauses one after another, and after each an item of a role of its own.
    pub(crate) fn relay(length: usize) -> Self {
        let pauses = (0..length).map(|n| (format!("pause-{n}"), StepKind::Wait));
        let checks = (0..length).map(|n| (format!("check-{n}"), StepKind::Approve));
        let steps = pauses.chain(checks).map(|(id, kind)| Outline {
            id: id.as_str().into(),
            kind,
        });
        Self {
            first: "pause-0",
            steps: steps.collect(),
            ..Self::new()
        }
    }

    /// What follows a pause of a relay.
    fn after(&self, pause: usize) -> Moves {
        let next = [format!("check-{pause}"), format!("pause-{}", pause + 1)];
        let steps = self.steps.iter().map(|step| &step.id);
        let reached = steps.filter(|id| next.iter().any(|next| next == id.as_str()));
        reached.cloned().map(Move::Reach).collect::<Vec<_>>().into()
    }
}

/// The number of a step of a relay.
fn number(step: &StepId, word: &str) -> Option<usize> {
    step.as_str().strip_prefix(word)?.parse().ok()
}

impl Plan for Errand {
    fn about(&self) -> &About {
        &self.about
    }

    fn steps(&self) -> &[Outline] {
        &self.steps
    }

    fn start(&self, inputs: &Map, _starter: &Starter) -> Result<Moves, Issues> {
        panic_if(inputs.get("panic"), "start");
        if inputs.contains_key("wrong") {
            return Err(Issues::one("inputs.wrong: not declared"));
        }
        Ok(vec![Move::Reach(self.first.into())].into())
    }

    fn ask(&self, step: &StepId, state: &RunState) -> Ask {
        let phase = state.step(step.as_str()).map(|step| &step.phase);
        match (step.as_str(), phase) {
            ("draft", Some(Phase::Claimed(_))) => panic_if(state.inputs.get("panic"), "render"),
            ("check", Some(Phase::Assigned(_))) => panic_if(drafted(state), "rows"),
            ("check", _) => panic_if(drafted(state), "ask"),
            _ => {}
        }
        let performer = match step.as_str() {
            _ if number(step, "pause-").is_some() => return Ask::Sleep(Sleep::For(PAUSE)),
            role if number(step, "check-").is_some() => Performer::Approve(Assignee::Role(role.to_owned())),
            "check" => Performer::Approve(Assignee::Role("reviewers".to_owned())),
            "pause" => return Ask::Sleep(Sleep::For(PAUSE)),
            "end" => return Ask::Hold,
            _ => Performer::Agent { reserved: None },
        };
        Ask::Work(Box::new(Work {
            text: "Do it.".into(),
            performer,
            output: None,
            evidence: Vec::new(),
            routes: None,
            due: None,
            extensions: None,
        }))
    }

    fn judge(&self, _step: &StepId, submission: &Submission, _state: &RunState) -> Issues {
        panic_if(submission.output.get("panic"), "judge");
        if submission.output.contains_key("wrong") {
            return Issues::one("output.wrong: not declared");
        }
        Issues::default()
    }

    fn moves(&self, cause: &Cause<'_>, state: &RunState) -> Moves {
        let reach = |step: &str| vec![Move::Reach(step.into())].into();
        match cause {
            Cause::Completed { step, .. } if number(step, "pause-").is_some() => {
                self.after(number(step, "pause-").unwrap_or_default())
            }
            Cause::Completed { step, .. } => match step.as_str() {
                "draft" => {
                    panic_if(drafted(state), "moves");
                    reach("check")
                }
                "pause" if self.first == "pause" => reach("check"),
                "pause" => reach("send"),
                _ => vec![
                    Move::Satisfied("end".into()),
                    Move::End {
                        outcome: "sent".to_owned(),
                        by: EndedBy::Server,
                        note: None,
                    },
                ]
                .into(),
            },
            Cause::Approved { .. } => reach("pause"),
            Cause::Rejected { .. } => vec![Move::Rewind("draft".into()), Move::Reach("draft".into())].into(),
            Cause::TimedOut { .. } | Cause::Event { .. } | Cause::Adjusted { .. } => Moves::default(),
        }
    }

    fn takes(&self, _event: &str, _data: Option<&Map>, _state: &RunState) -> Takes {
        Takes::Hold
    }
}

/// What the draft names.
fn drafted(state: &RunState) -> Option<&Value> {
    let record = state.step("draft")?.record.as_ref()?;
    record.output.as_ref()?.get("panic")
}

fn panic_if(named: Option<&Value>, method: &str) {
    assert!(
        named.and_then(Value::as_str) != Some(method),
        "the test asked the Plan to panic in {method}"
    );
}

/// A submission that names a method to panic in, or `wrong`, or nothing.
pub(crate) fn submission(output: Option<(&str, &str)>) -> Submission {
    let output: Map = output
        .map(|(key, value)| (key.to_owned(), value.into()))
        .into_iter()
        .collect();
    Submission {
        output: Arc::new(output),
        summary: Some("done".to_owned()),
        ..Submission::default()
    }
}
