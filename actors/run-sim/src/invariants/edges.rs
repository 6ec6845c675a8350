//! Work exists only along declared edges, and a region joins after all its branches.

use std::collections::BTreeMap;

use run_core::event::{Moved, Opening};
use run_core::state::StepState;
use run_core::{Event, EventKind, RunState, StepId};

use crate::processes::{JOIN, Kind, Next, Process};

/// When each parallel step forked last.
#[derive(Debug, Default)]
pub(super) struct Forks(BTreeMap<String, u64>);

impl Forks {
    /// What an event opened, closed and joined, against the process. `after` is the state after it.
    pub(super) fn check_moves(&mut self, process: &Process, event: &Event, after: &RunState) {
        let moves = moves_of(&event.kind);
        let (mut opened, mut rewound) = (Vec::new(), false);
        let mut cut_short = false;
        for moved in moves {
            match moved {
                Moved::Reached { step, opening, .. } => {
                    opened.push(step.as_str());
                    cut_short |= matches!(opening, Opening::Failed { .. });
                }
                Moved::Rewound { .. } => rewound = true,
                Moved::Satisfied { step } => self.check_join(process, step, event, after),
                Moved::Withdrawn { step } => panic!("no process withdraws {step}: {event:?}"),
                Moved::Ended { .. } => assert!(!after.is_running()),
            }
        }
        let declared = declared(process, event, moves);
        if cut_short {
            assert!(declared.starts_with(&opened), "{opened:?} after {event:?}");
        } else {
            assert_eq!(opened, declared, "what opens after {event:?}");
        }
        assert!(
            !rewound || matches!(event.kind, EventKind::StepRejected { .. }),
            "only a rejection rewinds: {event:?}"
        );
        for id in opened {
            if matches!(process.step(id).map(|step| &step.kind), Some(Kind::Parallel(_))) {
                self.0.insert(id.to_owned(), event.seq);
            }
        }
    }

    /// A parallel step is done when no step of its branches is open and each has been begun and left since the fork.
    fn check_join(&self, process: &Process, done: &StepId, event: &Event, after: &RunState) {
        let step = process.step(done.as_str()).expect("a step of the process");
        let Kind::Parallel(entries) = &step.kind else {
            assert!(
                matches!(step.kind, Kind::Finish(_)),
                "{done} is done without a record"
            );
            return;
        };
        let forked = self.0.get(&step.id).expect("it forked before it joins");
        for entry in entries {
            let left = after.step(entry).and_then(|entry| entry.completed_seq);
            assert!(
                left.is_some_and(|left| left > *forked),
                "{entry} is not done: {event:?}"
            );
        }
        for inner in process.steps.iter().filter(|inner| is_in(inner, &step.id)) {
            let is_open = after.step(&inner.id).is_some_and(StepState::is_open);
            assert!(!is_open, "{} is open at the join: {event:?}", inner.id);
        }
    }
}

fn is_in(step: &crate::processes::Step, parallel: &str) -> bool {
    step.branch.as_ref().is_some_and(|(of, _)| of == parallel)
}

/// The steps that may open after an event, in order.
fn declared<'p>(process: &'p Process, event: &'p Event, moves: &[Moved]) -> Vec<&'p str> {
    let Some((from, to)) = edge(process, &event.kind) else {
        return Vec::new();
    };
    if to != JOIN {
        return opens(process, to);
    }
    let (parallel, _) = from
        .and_then(|from| from.branch.as_ref())
        .expect("only branches join");
    let joins = |moved: &Moved| matches!(moved, Moved::Satisfied { step } if step.as_str() == parallel);
    match process.step(parallel).map(|step| &step.next) {
        Some(Next::To(to)) if moves.iter().any(joins) => opens(process, to),
        _ => Vec::new(),
    }
}

/// The edge that an event goes along.
fn edge<'p>(
    process: &'p Process,
    kind: &'p EventKind,
) -> Option<(Option<&'p crate::processes::Step>, &'p str)> {
    let from = |step: &StepId| process.step(step.as_str());
    let next = |step: &StepId, chosen: Option<&'p str>| {
        let from = process.step(step.as_str())?;
        match &from.next {
            Next::To(to) => Some((Some(from), to.as_str())),
            Next::Routes(routes) => {
                let chosen = chosen.expect("one of several routes is chosen");
                assert!(routes.iter().any(|route| route == chosen), "{chosen} is no route");
                Some((Some(from), chosen))
            }
            Next::Nowhere => None,
        }
    };
    match kind {
        EventKind::RunStarted(_) => Some((None, process.steps.first()?.id.as_str())),
        EventKind::StepCompleted { step, result, .. } => next(step, result.next.as_deref()),
        EventKind::StepApproved { step, .. }
        | EventKind::WaitElapsed { step, .. }
        | EventKind::EventDelivered { step, .. } => next(step, None),
        EventKind::WaitTimedOut { step, .. } => match from(step).map(|step| &step.kind) {
            Some(Kind::WaitFor {
                on_timeout: Some(to), ..
            }) => Some((from(step), to)),
            _ => next(step, None),
        },
        EventKind::StepRejected { step, .. } => match from(step).map(|step| &step.kind) {
            Some(Kind::Approve(_, Some(to))) => Some((from(step), to)),
            _ => None,
        },
        _ => None,
    }
}

/// A step opens by itself, a parallel step with its entries, and a finish not at all.
fn opens<'p>(process: &'p Process, to: &'p str) -> Vec<&'p str> {
    match process.step(to).map(|step| &step.kind) {
        Some(Kind::Finish(_)) => Vec::new(),
        Some(Kind::Parallel(entries)) => std::iter::once(to)
            .chain(entries.iter().map(String::as_str))
            .collect(),
        _ => vec![to],
    }
}

fn moves_of(kind: &EventKind) -> &[Moved] {
    match kind {
        EventKind::RunStarted(started) => &started.then.moves,
        EventKind::StepCompleted { then, .. }
        | EventKind::StepApproved { then, .. }
        | EventKind::StepRejected { then, .. }
        | EventKind::StepFailed { then, .. }
        | EventKind::StepReturned { then, .. }
        | EventKind::WaitElapsed { then, .. }
        | EventKind::WaitTimedOut { then, .. }
        | EventKind::EventDelivered { then, .. }
        | EventKind::EventTaken { then, .. }
        | EventKind::RunAdjusted { then, .. } => &then.moves,
        _ => &[],
    }
}
