//! A small process: steps in a list, each goes on to the next one or to the one it names.

use std::time::Duration;

use base::Issues;

use crate::plan::{
    About, Ask, Assignee, Cause, EndedBy, Move, Moves, Outline, Performer, Plan, Route, Sleep, Starter,
    Takes, Work,
};
use crate::state::{RunState, Submission};
use crate::words::{EvidenceKind, Map, StepId, StepKind};

#[derive(Debug)]
pub(crate) struct Flow {
    about: About,
    outlines: Vec<Outline>,
    steps: Vec<Step>,
}

#[derive(Debug, Clone)]
pub(crate) struct Step {
    id: StepId,
    kind: Kind,
    next: Option<StepId>,
    on_reject: Option<StepId>,
    routes: Option<Vec<Route>>,
    evidence: Vec<EvidenceKind>,
    due: Option<Duration>,
}

#[derive(Debug, Clone)]
enum Kind {
    Agent,
    Task(Assignee),
    Approve(Assignee),
    Wait(Duration),
    Listen {
        event: String,
        timeout: Option<Duration>,
    },
    Fork(Vec<StepId>),
    Finish,
}

fn step(id: &str, kind: Kind) -> Step {
    Step {
        id: id.into(),
        kind,
        next: None,
        on_reject: None,
        routes: None,
        evidence: Vec::new(),
        due: None,
    }
}

pub(crate) fn agent(id: &str) -> Step {
    step(id, Kind::Agent)
}

pub(crate) fn task(id: &str, role: &str) -> Step {
    step(id, Kind::Task(Assignee::Role(role.to_owned())))
}

pub(crate) fn approve(id: &str, role: &str) -> Step {
    step(id, Kind::Approve(Assignee::Role(role.to_owned())))
}

pub(crate) fn approve_by(id: &str, assignee: Assignee) -> Step {
    step(id, Kind::Approve(assignee))
}

pub(crate) fn wait(id: &str, seconds: u64) -> Step {
    step(id, Kind::Wait(Duration::from_secs(seconds)))
}

pub(crate) fn listen(id: &str, event: &str, timeout_seconds: Option<u64>) -> Step {
    let event = event.to_owned();
    let timeout = timeout_seconds.map(Duration::from_secs);
    step(id, Kind::Listen { event, timeout })
}

pub(crate) fn fork(id: &str, entries: &[&str]) -> Step {
    step(
        id,
        Kind::Fork(entries.iter().map(|entry| StepId::from(*entry)).collect()),
    )
}

/// Ends the run; its name is the outcome.
pub(crate) fn finish(id: &str) -> Step {
    step(id, Kind::Finish)
}

impl Step {
    pub(crate) fn next(self, id: &str) -> Self {
        Self {
            next: Some(id.into()),
            ..self
        }
    }

    pub(crate) fn on_reject(self, id: &str) -> Self {
        Self {
            on_reject: Some(id.into()),
            ..self
        }
    }

    pub(crate) fn routes(self, ids: &[&str]) -> Self {
        let route = |id: &&str| Route {
            to: (*id).to_owned(),
            when: None,
        };
        Self {
            routes: Some(ids.iter().map(route).collect()),
            ..self
        }
    }

    pub(crate) fn evidence(self, kind: EvidenceKind) -> Self {
        Self {
            evidence: vec![kind],
            ..self
        }
    }

    pub(crate) fn due(self, seconds: u64) -> Self {
        Self {
            due: Some(Duration::from_secs(seconds)),
            ..self
        }
    }

    fn kind(&self) -> StepKind {
        match self.kind {
            Kind::Agent => StepKind::Agent,
            Kind::Task(_) => StepKind::Task,
            Kind::Approve(_) => StepKind::Approve,
            Kind::Wait(_) => StepKind::Wait,
            Kind::Listen { .. } => StepKind::WaitFor,
            Kind::Fork(_) => StepKind::Parallel,
            Kind::Finish => StepKind::Finish,
        }
    }

    fn work(&self, performer: Performer) -> Ask {
        Ask::Work(Box::new(Work {
            text: format!("Do {}.", self.id).into(),
            performer,
            output: None,
            evidence: self.evidence.clone(),
            routes: self.routes.clone(),
            due: self.due,
            extensions: None,
        }))
    }
}

impl Flow {
    pub(crate) fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        let mut steps: Vec<Step> = steps.into_iter().collect();
        for n in 1..steps.len() {
            let following = steps[n].id.clone();
            steps[n - 1].next.get_or_insert(following);
        }
        let outline = |step: &Step| Outline {
            id: step.id.clone(),
            kind: step.kind(),
        };
        Self {
            about: super::about("flow"),
            outlines: steps.iter().map(outline).collect(),
            steps,
        }
    }

    fn find(&self, id: &StepId) -> &Step {
        self.steps
            .iter()
            .find(|step| step.id == *id)
            .expect("tests name steps that exist")
    }

    fn reach(&self, id: &StepId) -> Vec<Move> {
        match &self.find(id).kind {
            Kind::Finish => vec![
                Move::Satisfied(id.clone()),
                end(id.as_str(), EndedBy::Server, None),
            ],
            Kind::Fork(entries) => {
                let entries = entries.iter().cloned().map(Move::Reach);
                std::iter::once(Move::Reach(id.clone())).chain(entries).collect()
            }
            _ => vec![Move::Reach(id.clone())],
        }
    }

    fn go_on(&self, id: &StepId) -> Vec<Move> {
        let next = self
            .find(id)
            .next
            .as_ref()
            .expect("only the last step names none, and it is a finish");
        self.reach(next)
    }

    /// process.md §5: everything that completed after the target, but for the approval, is rewound.
    fn reject(&self, id: &StepId, note: &str, state: &RunState) -> Vec<Move> {
        let Some(target) = &self.find(id).on_reject else {
            return vec![end("rejected", EndedBy::Cause, Some(note))];
        };
        let target_seq = state.steps.get(target).and_then(|step| step.completed_seq);
        let after = |seq: Option<u64>| target_seq.is_some_and(|target| seq.is_some_and(|seq| seq > target));
        let rewound = state.steps.iter().filter(|(other, step)| {
            *other != id && *other != target && !step.is_open() && after(step.completed_seq)
        });
        let mut moves: Vec<_> = rewound.map(|(other, _)| Move::Rewind(other.clone())).collect();
        moves.extend(self.reach(target));
        moves
    }
}

fn end(outcome: &str, by: EndedBy, note: Option<&str>) -> Move {
    Move::End {
        outcome: outcome.to_owned(),
        by,
        note: note.map(str::to_owned),
    }
}

impl Plan for Flow {
    fn about(&self) -> &About {
        &self.about
    }

    fn steps(&self) -> &[Outline] {
        &self.outlines
    }

    fn start(&self, inputs: &Map, _: &Starter) -> Result<Moves, Issues> {
        if inputs.contains_key("bad") {
            return Err(Issues::one("inputs.bad: not declared"));
        }
        Ok(self.reach(&self.steps[0].id).into())
    }

    fn ask(&self, step: &StepId, _: &RunState) -> Ask {
        let step = self.find(step);
        match &step.kind {
            Kind::Agent => step.work(Performer::Agent { reserved: None }),
            Kind::Task(assignee) => step.work(Performer::Task(assignee.clone())),
            Kind::Approve(assignee) => step.work(Performer::Approve(assignee.clone())),
            Kind::Wait(duration) => Ask::Sleep(Sleep::For(*duration)),
            Kind::Listen { event, timeout } => Ask::Listen {
                event: event.clone(),
                timeout: *timeout,
            },
            Kind::Fork(_) | Kind::Finish => Ask::Hold,
        }
    }

    fn judge(&self, _: &StepId, submission: &Submission, _: &RunState) -> Issues {
        let extra = submission.output.keys().filter(|key| *key == "bad");
        extra.map(|key| format!("output.{key}: not declared")).collect()
    }

    fn moves(&self, cause: &Cause<'_>, state: &RunState) -> Moves {
        match cause {
            Cause::Completed { next: Some(next), .. } => self.reach(&StepId::from(*next)),
            Cause::Completed { step, next: None } | Cause::Approved { step } | Cause::TimedOut { step } => {
                self.go_on(step)
            }
            Cause::Rejected { step, note } => self.reject(step, note, state),
            Cause::Event { .. } | Cause::Adjusted { .. } => Vec::new(),
        }
        .into()
    }

    fn takes(&self, event: &str, _: Option<&Map>, _: &RunState) -> Takes {
        match event {
            "nonsense" => Takes::Invalid(Issues::one("name: no such event")),
            _ => Takes::Hold,
        }
    }
}
