//! What is offered, asked of people, and timed is what the steps say.

use std::collections::BTreeSet;

use base::Timestamp;
use run_core::plan::Plan;
use run_core::project::rows;
use run_core::settle::next_deadline;
use run_core::state::{Phase, StepState};
use run_core::{RunState, RunWord};

/// The rows of lists and timers against the steps of the state.
pub(super) fn check_rows(plan: &dyn Plan, state: &RunState) {
    let rows = rows(plan, state);
    let ids = |is_one: &dyn Fn(&Phase) -> bool| -> BTreeSet<&str> {
        let steps = state.steps.iter().filter(|(_, step)| is_one(&step.phase));
        steps.map(|(id, _)| id.as_str()).collect()
    };
    let free = ids(&|phase| matches!(phase, Phase::Ready { .. } | Phase::Claimed(_)));
    let offered: BTreeSet<&str> = rows.offers_put.iter().map(|offer| offer.step.as_str()).collect();
    assert_eq!(offered, free, "offers and steps");
    let asked = ids(&|phase| matches!(phase, Phase::Assigned(_) | Phase::Escalated { .. }));
    let items: BTreeSet<&str> = rows.items_put.iter().map(|row| row.item.step.as_str()).collect();
    assert_eq!(items, asked, "items and steps");
    let timers = state.steps.values().flat_map(timers).min();
    let timers = timers.filter(|_| state.is_running());
    assert_eq!(next_deadline(state), timers, "the timer and the steps");
    assert_eq!(rows.run.next_deadline, timers, "the timer's row and the steps");
    assert_eq!(rows.run.snapshot, state.snapshot());
    let is_open = state.steps.values().any(StepState::is_open);
    assert_eq!(is_open, state.is_running(), "a run goes on while a step is open");
    let word = match (state.is_running(), free.is_empty()) {
        (true, false) => RunWord::Active,
        (true, true) => RunWord::Waiting,
        (false, _) => rows.run.state,
    };
    assert_eq!(rows.run.state, word);
}

fn timers(step: &StepState) -> Vec<Timestamp> {
    let own = match &step.phase {
        Phase::Sleeping { until } => Some(*until),
        Phase::Listening { timeout_at, .. } => *timeout_at,
        _ => None,
    };
    let due = step.due.filter(|_| step.is_open() && !step.overdue);
    own.into_iter().chain(due).collect()
}
