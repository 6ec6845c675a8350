//! Random processes, commands and jumps of time. What must always be so after a write is checked by `World`.

mod acts;
mod process;

use std::collections::BTreeMap;
use std::time::Duration;

use base::Timestamp;
use proptest::collection::vec;
use proptest::prelude::*;

use super::world::{World, agent, group, lease};
use crate::event::EventKind;
use crate::settle::next_deadline;
use crate::state::{Handoff, Phase, RunState};
use crate::view::run_view;
use crate::{Command, Conflict, Decision, Refusal, Rendered, decide};
use acts::{Act, act, command};
use process::{Sketch, process, sketch};

/// The state without what a refused submission may change.
fn without_handoff(state: &RunState) -> RunState {
    let mut state = state.clone();
    state.seq = 0;
    for step in state.steps.values_mut() {
        step.handoff = Handoff::default();
    }
    state
}

/// A refused command changes nothing but handoff; what is due has been applied before.
fn check_refusal(before: &RunState, world: &World<'_>, refusal: &Refusal) {
    let written = &world.journal[usize::try_from(before.seq).expect("few events")..];
    let is_remembered = |kind: &EventKind| matches!(kind, EventKind::SubmissionRefused { .. });
    assert!(
        written.iter().all(|event| is_remembered(&event.kind)),
        "{refusal:?} wrote {written:?}"
    );
    let mut before = without_handoff(before);
    before.last_at = world.state.last_at;
    assert_eq!(before, without_handoff(&world.state));
    if !before.is_running() {
        assert_eq!(*refusal, Conflict::RunEnded.into());
        assert!(written.is_empty());
    }
}

/// The next deadline is the instant of the next change, and it is in the future of a settled run.
fn check_deadline(world: &World<'_>) {
    let settle = |at| match decide(world.plan, &world.state, &Command::Settle, at, &world.known) {
        Decision::Accepted(written) => written,
        other => panic!("a read comes to {other:?}"),
    };
    assert!(settle(world.now).events.is_empty(), "what is settled is settled");
    let far = world.now.after(Duration::from_hours(24));
    let Some(next) = next_deadline(&world.state) else {
        assert!(
            settle(far).events.is_empty(),
            "without a deadline nothing happens by itself"
        );
        return;
    };
    assert!(next > world.now);
    let just_before = Timestamp::from_millis(next.as_millis() - 1);
    assert!(settle(just_before).events.is_empty());
    assert_eq!(settle(next).events.first().map(|event| event.at), Some(next));
    // However often somebody looks in between, it comes to the same.
    let halfway = Timestamp::from_millis(i64::midpoint(world.now.as_millis(), far.as_millis()));
    let (at_once, mut stepwise) = (settle(far), settle(halfway).state);
    if let Decision::Accepted(rest) = decide(world.plan, &stepwise, &Command::Settle, far, &world.known) {
        rest.events.iter().for_each(|event| stepwise.evolve(event));
    }
    assert_eq!(at_once.state, stepwise);
}

/// The lists say what the run itself says.
fn check_lists(world: &World<'_>) {
    for (step, open) in &world.state.steps {
        let command = Command::Claim {
            step: step.to_string(),
            by: agent(7),
            lease: lease(),
        };
        let is_claimable = matches!(world.decide(&command), Decision::Accepted(_));
        let offers = world.offers();
        let offer = offers.iter().find(|offer| offer.step == *step);
        assert_eq!(
            is_claimable,
            offer.is_some_and(|offer| offer.available_at <= world.now),
            "{step}"
        );
        assert_eq!(
            offer.is_some(),
            matches!(open.phase, Phase::Ready { .. } | Phase::Claimed(_))
        );
    }
    let shown = run_view(world.plan, &world.state, world.now).items;
    let listed: Vec<_> = world.item_rows().into_iter().map(|row| row.item).collect();
    assert_eq!(shown, listed);
    if !world.state.is_running() {
        assert!(listed.is_empty() && world.offers().is_empty() && next_deadline(&world.state).is_none());
    }
}

/// A decision is stale exactly when run data changed.
fn check_snapshots(world: &World<'_>) {
    let (mut by_data, mut by_snapshot) = (BTreeMap::new(), BTreeMap::new());
    let mut state = RunState::begin(&world.journal[0]).expect("a journal begins with a start");
    for event in &world.journal {
        state.evolve(event);
        let (data, snapshot) = (state.data().to_string(), state.snapshot());
        assert_eq!(*by_data.entry(data.clone()).or_insert(snapshot), snapshot);
        assert_eq!(*by_snapshot.entry(snapshot).or_insert(data.clone()), data);
    }
}

fn live(sketches: &[Sketch], acts: &[Act]) {
    let flow = process(sketches);
    let mut world = World::new(&flow);
    let mut tokens = Vec::new();
    for act in acts {
        if let Act::Wait(seconds) = act {
            world.pass(*seconds);
        }
        if let Act::Reassign(members) = act {
            let members = [&["mira", "omar"][..], &["mira"], &[]][usize::from(members % 3)];
            world
                .known
                .note_role("finance".to_owned(), Some(group("finance", members)));
        }
        world.read();
        let Some(command) = command(act, &world, &tokens) else {
            continue;
        };
        let before = world.state.clone();
        match world.act(&command) {
            Ok(Rendered::Claim(view)) => tokens.push(view.claim),
            Ok(Rendered::Renewal { claim, .. }) => tokens.push(claim),
            Ok(Rendered::Run(_) | Rendered::Sent { .. }) => {}
            Err(refusal) => check_refusal(&before, &world, &refusal),
        }
        if matches!(act, Act::Reassign(_)) {
            check_assigned(&world);
        }
        check_deadline(&world);
        check_lists(&world);
    }
    world.check_replays();
    check_snapshots(&world);
}

/// No item is for those of yesterday.
fn check_assigned(world: &World<'_>) {
    let role = |name| world.known.role(name).ok().flatten();
    let present = [role("finance"), role("legal"), world.known.operators().ok()];
    for row in world.item_rows() {
        assert!(present.contains(&Some(&row.item.assigned)), "{row:?}");
    }
}

proptest! {
    #[test]
    fn a_run_keeps_its_promises(sketches in vec(sketch(), 2..8), acts in vec(act(), 1..60)) {
        live(&sketches, &acts);
    }
}
