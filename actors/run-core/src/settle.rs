//! Deadlines. Every command first applies those that have passed, in order, each at its due instant (process.md §9.13), so
//! that no answer about a run depends on when a timer fired.

use std::collections::BTreeSet;

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

/// Gives the oldest held event to a step that listens for it.
fn deliver_held(draft: &mut Draft<'_>) -> Result<bool, Stop> {
    let state = &draft.state;
    if state.held.is_empty() {
        return Ok(false);
    }
    let awaited: BTreeSet<&str> = state.steps.values().filter_map(awaits).collect();
    let oldest = state
        .held
        .iter()
        .find(|held| awaited.contains(held.name.as_str()));
    let Some((event, step)) =
        oldest.and_then(|held| Some((held.clone(), listener(draft.plan, state, &held.name)?)))
    else {
        return Ok(false);
    };
    let kind = EventKind::EventDelivered {
        step: step.clone(),
        event,
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

/// The event that the step listens for.
fn awaits(step: &StepState) -> Option<&str> {
    match &step.phase {
        Phase::Listening { event, .. } => Some(event),
        _ => None,
    }
}

/// The step that the next event of this name goes to: of several the one that has waited longest, then the first in file order
/// (process.md §9.14).
pub(crate) fn listener(plan: &dyn Plan, state: &RunState, name: &str) -> Option<StepId> {
    let listens = |step: &StepState| awaits(step) == Some(name);
    let since = state
        .steps
        .values()
        .filter(|step| listens(step))
        .map(|step| step.since)
        .min()?;
    let mut steps = in_file_order(plan, state);
    let first = steps.find(|(_, step)| listens(step) && step.since == since);
    first.map(|(id, _)| id.clone())
}

/// Applies the earliest deadline that has passed; of several the first in file order.
fn pass_deadline(draft: &mut Draft<'_>) -> Result<bool, Stop> {
    let (state, now) = (&draft.state, draft.now);
    let passed = state.steps.values().flat_map(deadlines).map(|(at, _)| at);
    let Some(at) = passed.filter(|at| *at <= now).min() else {
        return Ok(false);
    };
    let next = in_file_order(draft.plan, state).find_map(|(id, step)| {
        let due = deadlines(step).filter(|(due, _)| *due == at);
        due.map(|(_, deadline)| (id, deadline)).min()
    });
    let Some((step, deadline)) = next else {
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

/// The steps that were ever reached, as the document lists them; last those that it does not list.
fn in_file_order<'s>(
    plan: &'s dyn Plan,
    state: &'s RunState,
) -> impl Iterator<Item = (&'s StepId, &'s StepState)> {
    let listed = plan.steps().iter();
    // Whoever looks for the first step of a kind never comes to see one twice.
    listed
        .filter_map(|outline| state.steps.get_key_value(&outline.id))
        .chain(&state.steps)
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
