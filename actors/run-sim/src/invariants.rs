//! What must be so of every run, whatever was asked and whatever went wrong on the way. Said of its journal and of the process as it was
//! drawn, event by event; a journal that breaks one panics with the event.

mod edges;
mod shown;

use run_core::plan::Plan;
use run_core::state::{Handoff, Phase, Record, StepState};
use run_core::{Actor, Event, EventKind, RunState};
use std::sync::Arc;

use crate::processes::Process;
use edges::Forks;

/// Holds a whole journal to what must be so, and returns the state that it amounts to.
pub fn check_journal(process: &Process, plan: &dyn Plan, journal: &[Event]) -> RunState {
    let (first, others) = journal.split_first().expect("a journal has its start");
    let mut state = RunState::begin(first).expect("a journal begins with a start");
    let mut forks = Forks::default();
    forks.check_moves(process, first, &state);
    shown::check_rows(plan, &state);
    for event in others {
        let before = state.clone();
        state.evolve(event);
        check_order(&before, event);
        check_holder(&before, event);
        check_data(&before, event, &state);
        check_records(&before, event, &state);
        forks.check_moves(process, event, &state);
        shown::check_rows(plan, &state);
    }
    state
}

/// Numbers without a gap, no way back in time, and nothing after the end.
fn check_order(before: &RunState, event: &Event) {
    assert!(before.is_running(), "after the end: {event:?}");
    assert_eq!(event.seq, before.seq + 1, "a gap before {event:?}");
    assert!(event.at >= before.last_at, "back in time: {event:?}");
}

/// A step is claimed while nobody holds it, and only who holds it renews, gives up or hands in what it holds.
fn check_holder(before: &RunState, event: &Event) {
    let held = |step: &str| match before.step(step).map(|step| &step.phase) {
        Some(Phase::Claimed(claim)) if event.at < claim.expires_at => Some(claim),
        _ => None,
    };
    match &event.kind {
        EventKind::StepClaimed { step, claim, .. } => {
            assert!(held(step.as_str()).is_none(), "{step} is held: {event:?}");
            assert_eq!(claim.0, before.claims_made, "a number given twice: {event:?}");
        }
        EventKind::ClaimRenewed { step, claim, .. } => {
            assert!(held(step.as_str()).is_some(), "nobody holds {step}: {event:?}");
            assert_eq!(claim.0, before.claims_made, "a number given twice: {event:?}");
        }
        EventKind::StepEscalated {
            step,
            by: Actor::Agent(by),
            ..
        }
        | EventKind::StepCompleted {
            step,
            by: Actor::Agent(by),
            ..
        } => {
            let holder = held(step.as_str()).map(|claim| claim.agent);
            assert_eq!(holder, Some(*by), "another one holds {step}: {event:?}");
        }
        _ => {}
    }
}

/// Run data changes with what completes a step and with nothing else, and the snapshot with run data. A refusal leaves issues and
/// nothing else.
fn check_data(before: &RunState, event: &Event, after: &RunState) {
    let has_changed = before.data() != after.data();
    let has_another_snapshot = before.snapshot() != after.snapshot();
    assert_eq!(
        has_changed, has_another_snapshot,
        "run data and snapshot after {event:?}"
    );
    match &event.kind {
        EventKind::StepCompleted { .. }
        | EventKind::StepApproved { .. }
        | EventKind::StepRejected { .. }
        | EventKind::StepFailed { .. }
        | EventKind::WaitElapsed { .. }
        | EventKind::WaitTimedOut { .. }
        | EventKind::EventDelivered { .. } => assert!(has_changed, "no record of {event:?}"),
        // It ends the run when nobody can be found for the step any more.
        EventKind::StepReturned { .. } => assert_eq!(has_changed, !after.is_running(), "{event:?}"),
        EventKind::RunStarted(_) | EventKind::EventTaken { .. } | EventKind::RunAdjusted { .. } => {
            panic!("no process has such an event on its way: {event:?}")
        }
        EventKind::SubmissionRefused { step, .. } => {
            let mut but_for_issues = after.clone();
            (but_for_issues.seq, but_for_issues.last_at) = (before.seq, before.last_at);
            if let (Some(step), Some(old)) = (but_for_issues.steps.get_mut(step), before.steps.get(step)) {
                let issues = old.handoff.issues.clone();
                step.handoff = Handoff {
                    issues,
                    ..step.handoff.clone()
                };
            }
            assert_eq!(but_for_issues, *before, "a refusal changes more: {event:?}");
        }
        EventKind::StepClaimed { .. }
        | EventKind::ClaimRenewed { .. }
        | EventKind::StepEscalated { .. }
        | EventKind::StepOverdue { .. }
        | EventKind::EventHeld(_)
        | EventKind::ItemReassigned { .. }
        | EventKind::RunCancelled { .. } => assert!(!has_changed, "run data changed: {event:?}"),
    }
}

/// What was recorded once stays: what a step has on record grows at its end, and at most by one record.
fn check_records(before: &RunState, event: &Event, after: &RunState) {
    for (id, step) in &before.steps {
        let (old, new) = (on_record(step), after.step(id.as_str()).map(on_record));
        let new = new.unwrap_or_default();
        assert!(new.starts_with(&old), "{id} lost a record: {event:?}");
        assert!(new.len() <= old.len() + 1, "{id} has two at once: {event:?}");
    }
}

fn on_record(step: &StepState) -> Vec<Arc<Record>> {
    step.history.iter().chain(&step.record).cloned().collect()
}
