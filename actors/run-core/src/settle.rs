//! Deadlines. Every command first applies those that have passed, in order, each at its due instant (process.md §9.13), so
//! that no answer about a run depends on when a timer fired.

use base::Timestamp;

use crate::draft::{Draft, Stop};
use crate::event::{DeliveredFrom, EventKind, Moved, Then};
use crate::plan::{Cause, Plan};
use crate::state::{Phase, RunState, StepState};
use crate::words::{Actor, StepId};

/// More automatic transitions than any process needs between two commands.
const AUTOMATIC_TRANSITIONS_MAX: usize = 10_000;

/// The instant at which the run next changes by itself.
pub fn next_deadline(state: &RunState) -> Option<Timestamp> {
    if !state.is_running() {
        return None;
    }
    state.steps.values().flat_map(deadlines).map(|(at, _)| at).min()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Deadline {
    Overdue,
    Elapsed,
    TimedOut,
}

fn deadlines(step: &StepState) -> impl Iterator<Item = (Timestamp, Deadline)> {
    let due = (step.is_open() && !step.overdue)
        .then_some(step.due)
        .flatten()
        .map(|at| (at, Deadline::Overdue));
    let own = match &step.phase {
        Phase::Sleeping { until } => Some((*until, Deadline::Elapsed)),
        Phase::Listening {
            timeout_at: Some(at), ..
        } => Some((*at, Deadline::TimedOut)),
        _ => None,
    };
    due.into_iter().chain(own)
}

/// Applies every automatic transition up to and including `draft.now`.
pub(crate) fn settle(draft: &mut Draft<'_>) -> Result<(), Stop> {
    for _ in 0..AUTOMATIC_TRANSITIONS_MAX {
        if !draft.state.is_running() || !(deliver_held(draft)? || pass_deadline(draft)?) {
            return Ok(());
        }
    }
    stop_runaway(draft);
    Ok(())
}

/// Gives the oldest held event to a step that listens for it. Of several such steps the one that has waited longest gets it, then
/// the first in file order (process.md §9.14).
fn deliver_held(draft: &mut Draft<'_>) -> Result<bool, Stop> {
    let state = &draft.state;
    let Some((event, step)) = state
        .held
        .iter()
        .find_map(|held| Some((held, listener(draft.plan, state, &held.name)?)))
    else {
        return Ok(false);
    };
    let kind = EventKind::EventDelivered {
        step: step.clone(),
        event: event.clone(),
        from: DeliveredFrom::Held,
        then: Then::default(),
    };
    let cause = Cause::Completed {
        step: &step,
        next: None,
    };
    draft.push_and_follow(draft.state.last_at, kind, &cause)?;
    Ok(true)
}

/// The step that the next event of this name goes to.
pub(crate) fn listener(plan: &dyn Plan, state: &RunState, name: &str) -> Option<StepId> {
    state
        .steps
        .iter()
        .filter(|(_, step)| matches!(&step.phase, Phase::Listening { event, .. } if event == name))
        .min_by_key(|(id, step)| (step.since, position(plan, id)))
        .map(|(id, _)| id.clone())
}

fn pass_deadline(draft: &mut Draft<'_>) -> Result<bool, Stop> {
    let (plan, now) = (draft.plan, draft.now);
    let next = draft
        .state
        .steps
        .iter()
        .flat_map(|(id, step)| deadlines(step).map(move |(at, deadline)| (at, id, deadline)))
        .filter(|(at, _, _)| *at <= now)
        .min_by_key(|(at, id, deadline)| (*at, position(plan, id), *deadline));
    let Some((at, step, deadline)) = next else {
        return Ok(false);
    };
    let (at, open, then) = (at.max(draft.state.last_at), step.clone(), Then::default());
    let step = open.clone();
    match deadline {
        Deadline::Overdue => draft.push_at(at, EventKind::StepOverdue { step }),
        Deadline::Elapsed => {
            let cause = Cause::Completed {
                step: &open,
                next: None,
            };
            draft.push_and_follow(at, EventKind::WaitElapsed { step, then }, &cause)?;
        }
        Deadline::TimedOut => {
            let cause = Cause::TimedOut { step: &open };
            draft.push_and_follow(at, EventKind::WaitTimedOut { step, then }, &cause)?;
        }
    }
    Ok(true)
}

fn position(plan: &dyn Plan, step: &StepId) -> usize {
    plan.steps()
        .iter()
        .position(|outline| outline.id == *step)
        .unwrap_or(usize::MAX)
}

/// A Plan that moves for ever without anybody is stopped, not followed.
fn stop_runaway(draft: &mut Draft<'_>) {
    let note =
        format!("the run made {AUTOMATIC_TRANSITIONS_MAX} automatic transitions in a row and was stopped");
    draft.push(EventKind::RunAdjusted {
        by: Actor::Server,
        change: serde_json::Value::Null,
        then: Then::moves([Moved::failed(Actor::Server, &note)]),
    });
}
