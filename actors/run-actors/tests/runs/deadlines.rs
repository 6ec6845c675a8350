//! Deadlines: fired by timers, applied by whoever asks first (process.md §9.13).

use base::{OrganizationId, RunId, Timestamp};
use run_actors::{Keeper, RunError};
use run_core::state::Phase;
use run_core::{Conflict, EventKind};
use run_ports::Timers;
use tokio::time::Duration;

use crate::errand::{Errand, PAUSE};
use crate::world::{Server, World, agent, approved, cancel, claim, decide, is_in, member, operator, pass};

/// A run that waits for an hour to pass.
pub(crate) async fn pausing(world: &World, server: &Server) -> RunId {
    let run = server.started(world).await;
    server.work(world, run, "draft").await;
    let state = world.stored(run).await;
    server
        .say(world, run, decide(&state, &member(1), approved()))
        .await
        .expect("the item is open");
    run
}

pub(crate) async fn waits_elapsed(world: &World, run: RunId) -> usize {
    let journal = world.journal(run).await;
    journal
        .iter()
        .filter(|event| matches!(event.kind, EventKind::WaitElapsed { .. }))
        .count()
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
    let server = world.server_of(Errand::waits_first()).await;
    let run = server.started(&world).await;
    world.clock.advance(PAUSE);
    let seen = server.see(run).await.expect("the run can be read");
    assert!(is_in(&seen.state, "check", |phase| matches!(
        phase,
        Phase::Assigned(_)
    )));
}

/// Each pause ends and asks for a role that was not known before, all of them before one read.
#[tokio::test]
async fn a_run_is_settled_however_many_facts_it_needs_one_after_another() {
    let world = World::new().await;
    let roles = (0..30).map(|n| format!("check-{n}"));
    world.publish(2, roles.collect()).await;
    let server = world.server_of(Errand::relay(30)).await;
    let run = server.started(&world).await;
    world.clock.advance(PAUSE * 30);
    let seen = server.see(run).await.expect("the run can be read");
    assert_eq!(seen.state.items_opened, 30);
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
