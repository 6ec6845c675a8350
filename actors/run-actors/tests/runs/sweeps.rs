//! Deadlines that no timer told of: the sweeper finds them, within a second, and nothing that is stuck keeps the others from it.

use std::collections::BTreeSet;

use base::{RunId, Timestamp};
use run_actors::{Keeper, Limits, RunError};
use run_ports::Timers;
use tokio::time::Duration;

use crate::deadlines::{pausing, waits_elapsed};
use crate::errand::{Errand, PAUSE};
use crate::watched::Watched;
use crate::world::{Server, World, pass};

/// Lets the server's timers forget everything.
async fn lose_timers(server: &Server) {
    while !server.timers.due(Timestamp::MAX, 64).await.is_empty() {}
}

async fn many_pausing(world: &World, count: usize) -> Vec<RunId> {
    let server = world.server_of(Errand::waits_first()).await;
    let mut runs = Vec::new();
    for _ in 0..count {
        runs.push(server.started(world).await);
    }
    runs
}

async fn waits_first(world: &World) -> Server {
    world.server_of(Errand::waits_first()).await
}

#[tokio::test(start_paused = true)]
async fn a_deadline_whose_timer_is_lost_is_found_within_a_second() {
    let world = World::new().await;
    let server = world.server().await;
    let run = pausing(&world, &server).await;
    lose_timers(&server).await;
    let _keeper = Keeper::start(&server.runs);
    pass(Duration::from_millis(1_500)).await;
    world.clock.advance(PAUSE);
    pass(Duration::from_secs(1)).await;
    assert_eq!(waits_elapsed(&world, run).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_starts_sweeps_at_once() {
    let world = World::new().await;
    let run = pausing(&world, &world.server().await).await;
    world.clock.advance(PAUSE);
    let _keeper = Keeper::start(&world.server().await.runs);
    pass(Duration::from_millis(1)).await;
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

/// More than are settled at once stand behind it.
#[tokio::test(start_paused = true)]
async fn a_run_that_hangs_delays_no_other() {
    let world = World::new().await;
    let runs = many_pausing(&world, 200).await;
    let server = waits_first(&world).await;
    world.clock.advance(PAUSE);
    let (hanging, others) = runs.split_first().expect("there are runs");
    server.store.hang_journal(*hanging);
    let _keeper = Keeper::start(&server.runs);
    pass(Duration::from_secs(1)).await;
    for run in others {
        assert_eq!(waits_elapsed(&world, *run).await, 1);
    }
    assert_eq!(waits_elapsed(&world, *hanging).await, 0);
}

/// As when the store can be read and not be written.
#[tokio::test]
async fn a_sweep_steps_over_so_many_runs_and_no_more() {
    let world = World::new().await;
    let runs = many_pausing(&world, 1_500).await;
    let server = waits_first(&world).await;
    world.clock.advance(PAUSE);
    server.store.break_journals(runs.into_iter().collect());
    let keeper = Keeper::start(&server.runs);
    server.store.take_calls();
    assert_eq!(keeper.settle_all().await, Err(RunError::Unavailable));
    let calls = server.store.take_calls();
    let reads = calls.iter().filter(|call| **call == "due_runs").count();
    let tries = calls.iter().filter(|call| **call == "journal").count();
    assert!(
        reads <= 40 && tries <= 2 * (1_024 + 64),
        "{reads} reads, {tries} tries"
    );
}

#[tokio::test]
async fn what_keepers_settle_does_not_stay_in_memory() {
    let world = World::new().await;
    let runs = many_pausing(&world, 100).await;
    let store = Watched::new(world.store.clone());
    let limits = Limits {
        live_runs_per_organization_max: 101,
        ..Limits::default()
    };
    let server = world.server_on(store, Errand::waits_first(), limits).await;
    let used = server.started(&world).await;
    world.clock.advance(PAUSE);
    let keeper = Keeper::start(&server.runs);
    assert_eq!(keeper.settle_all().await, Ok(()));
    drop(keeper);
    let calls = async |run| {
        server.store.take_calls();
        server.see(run).await.expect("the run can be read");
        server.store.take_calls()
    };
    assert_eq!(calls(used).await, ["look"]);
    for run in runs {
        assert_eq!(calls(run).await, ["journal"]);
    }
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
