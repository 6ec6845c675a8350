//! Deadlines: fired by timers, found by the sweeper, applied by whoever asks first (process.md §9.13).

use std::collections::BTreeSet;

use base::{OrganizationId, RunId, Timestamp};
use run_actors::{Keeper, RunError};
use run_core::state::Phase;
use run_core::{Conflict, EventKind};
use run_ports::Timers;
use tokio::time::Duration;

use crate::errand::PAUSE;
use crate::world::{Server, World, agent, approved, cancel, claim, decide, is_in, member, operator, pass};

/// A run that waits for an hour to pass.
async fn pausing(world: &World, server: &Server) -> RunId {
    let run = server.started(world).await;
    server.work(world, run, "draft").await;
    let state = world.stored(run).await;
    server
        .say(world, run, decide(&state, &member(1), approved()))
        .await
        .expect("the item is open");
    run
}

async fn waits_elapsed(world: &World, run: RunId) -> usize {
    let journal = world.journal(run).await;
    journal
        .iter()
        .filter(|event| matches!(event.kind, EventKind::WaitElapsed { .. }))
        .count()
}

/// Lets the server's timers forget everything.
async fn lose_timers(server: &Server) {
    while !server.timers.due(Timestamp::MAX, 64).await.is_empty() {}
}

#[tokio::test(start_paused = true)]
async fn a_timer_fires_when_its_instant_has_come() {
    let world = World::new().await;
    let server = world.server().await;
    let run = pausing(&world, &server).await;
    let _keeper = Keeper::start(&server.runs);
    let nearly = PAUSE.saturating_sub(Duration::from_millis(1));
    world.clock.advance(nearly);
    pass(Duration::from_secs(30)).await;
    assert_eq!(waits_elapsed(&world, run).await, 0);
    world.clock.advance(Duration::from_millis(1));
    pass(Duration::from_secs(1)).await;
    assert_eq!(waits_elapsed(&world, run).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_nudge_needs_no_tick() {
    let world = World::new().await;
    let server = world.server().await;
    let run = pausing(&world, &server).await;
    let keeper = Keeper::start(&server.runs);
    pass(Duration::from_millis(1)).await;
    world.clock.advance(PAUSE);
    keeper.nudge();
    pass(Duration::from_millis(1)).await;
    assert_eq!(waits_elapsed(&world, run).await, 1);
}

#[tokio::test(start_paused = true)]
async fn lost_timers_are_found_by_the_sweeper() {
    let world = World::new().await;
    let server = world.server().await;
    let run = pausing(&world, &server).await;
    lose_timers(&server).await;
    let _keeper = Keeper::start(&server.runs);
    pass(Duration::from_secs(1)).await;
    world.clock.advance(PAUSE);
    pass(Duration::from_secs(10)).await;
    assert_eq!(waits_elapsed(&world, run).await, 1);
}

#[tokio::test]
async fn settling_all_applies_every_deadline_that_has_passed() {
    let world = World::new().await;
    let server = world.server().await;
    let mut runs = Vec::new();
    for _ in 0..150 {
        runs.push(pausing(&world, &server).await);
    }
    world.clock.advance(PAUSE);
    // Another server, which has none of them in memory and no timers.
    let keeper = Keeper::start(&world.server().await.runs);
    assert_eq!(keeper.settle_all().await, Ok(()));
    for run in runs {
        assert_eq!(waits_elapsed(&world, run).await, 1);
    }
}

/// More runs than the sweeper takes at once cannot be settled, and stand before the one that can.
#[tokio::test]
async fn runs_that_cannot_be_settled_do_not_hide_the_others() {
    let world = World::new().await;
    let server = world.server().await;
    let mut broken = Vec::new();
    for _ in 0..70 {
        broken.push(pausing(&world, &server).await);
    }
    world.clock.advance(Duration::from_secs(1));
    let run = pausing(&world, &server).await;
    let other = world.server().await;
    other.store.break_journals(broken.into_iter().collect());
    world.clock.advance(PAUSE);
    let keeper = Keeper::start(&other.runs);
    assert_eq!(keeper.settle_all().await, Err(RunError::Unavailable));
    assert_eq!(waits_elapsed(&world, run).await, 1);
    other.store.break_journals(BTreeSet::new());
    assert_eq!(keeper.settle_all().await, Ok(()));
}

#[tokio::test]
async fn a_read_after_a_deadline_applies_it_first() {
    let world = World::new().await;
    let server = world.server().await;
    let run = pausing(&world, &server).await;
    let due = world.clock.advance(PAUSE);
    world.clock.advance(Duration::from_mins(7));
    let seen = server.see(run).await.expect("the run can be read");
    let is_ready = |phase: &Phase| matches!(phase, Phase::Ready { .. });
    assert!(is_in(&seen.state, "send", is_ready));
    assert_eq!(seen.state.step("send").map(|step| step.since), Some(due));
    assert_eq!(world.stored(run).await, *seen.state);
}

#[tokio::test]
async fn a_command_after_a_deadline_applies_it_first() {
    let world = World::new().await;
    let server = world.server().await;
    let run = pausing(&world, &server).await;
    world.clock.advance(PAUSE);
    assert!(server.say(&world, run, claim("send", &agent(1))).await.is_ok());
    assert_eq!(waits_elapsed(&world, run).await, 1);
}

/// The deadline is committed although the command is not.
#[tokio::test]
async fn a_refused_command_after_a_deadline_applies_it_all_the_same() {
    let world = World::new().await;
    let server = world.server().await;
    let run = pausing(&world, &server).await;
    world.clock.advance(PAUSE);
    let refused = server.say(&world, run, claim("draft", &agent(1))).await;
    assert_eq!(refused.err(), Some(RunError::Refused(Conflict::NotReady.into())));
    assert_eq!(waits_elapsed(&world, run).await, 1);
}

/// What follows a deadline may need facts from outside, for a read as for a command.
#[tokio::test]
async fn a_read_fetches_the_facts_that_a_deadline_needs() {
    let world = World::new().await;
    let server = world.server_of(crate::errand::Errand::waits_first()).await;
    let run = server.started(&world).await;
    world.clock.advance(PAUSE);
    let seen = server.see(run).await.expect("the run can be read");
    assert!(is_in(&seen.state, "check", |phase| matches!(
        phase,
        Phase::Assigned(_)
    )));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_servers_settle_a_deadline_once() {
    let world = World::new().await;
    let (one, other) = (world.server().await, world.server().await);
    let mut runs = Vec::new();
    for _ in 0..50 {
        runs.push(pausing(&world, &one).await);
    }
    for run in &runs {
        other.see(*run).await.expect("the run can be read");
    }
    world.clock.advance(PAUSE);
    let (keeper, second) = (Keeper::start(&one.runs), Keeper::start(&other.runs));
    let both = tokio::join!(keeper.settle_all(), second.settle_all());
    assert_eq!(both, (Ok(()), Ok(())));
    for run in runs {
        assert_eq!(waits_elapsed(&world, run).await, 1);
    }
}

/// The instants that timers were given, in order.
async fn armed(server: &Server) -> Vec<(OrganizationId, RunId)> {
    server.timers.due(Timestamp::MAX, 64).await
}

#[tokio::test]
async fn a_run_that_no_longer_waits_has_no_timer() {
    let world = World::new().await;
    let server = world.server().await;
    let run = pausing(&world, &server).await;
    server
        .say(&world, run, cancel(&operator()))
        .await
        .expect("the run goes on");
    assert_eq!(armed(&server).await, []);
}

#[tokio::test]
async fn a_deadline_whose_commit_was_unknown_has_a_timer() {
    let world = World::new().await;
    let server = world.server().await;
    let run = server.started(&world).await;
    server.work(&world, run, "draft").await;
    let state = world.stored(run).await;
    world.store.inject(run_sim::Fault::AnswerLost);
    server
        .say(&world, run, decide(&state, &member(1), approved()))
        .await
        .expect("the item is open");
    assert_eq!(armed(&server).await, [(world.organization, run)]);
}
