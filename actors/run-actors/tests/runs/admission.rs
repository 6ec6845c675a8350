//! Nothing queues without a bound, and a caller that goes away cancels nothing.

use std::sync::Arc;

use run_actors::{Limits, RunError};
use tokio::task::JoinSet;
use tokio::time::{Duration, timeout};

use crate::world::{Server, World, agent, claim, pass};

fn limits() -> Limits {
    Limits {
        commands_per_run_max: 4,
        commands_per_organization_max: 6,
        ..Limits::default()
    }
}

/// How many of so many calls are turned away at once while no commit gets through.
async fn turned_away(world: &Arc<World>, server: &Arc<Server>, run: base::RunId, calls: u128) -> usize {
    let mut all = JoinSet::new();
    for n in 0..calls {
        let (world, server) = (Arc::clone(world), Arc::clone(server));
        all.spawn(async move { server.say(&world, run, claim("draft", &agent(n))).await });
    }
    let mut busy = 0;
    while let Ok(Some(answer)) = timeout(Duration::from_secs(1), all.join_next()).await {
        assert_eq!(answer.expect("no caller panics").err(), Some(RunError::Busy));
        busy += 1;
    }
    // The others go away here.
    busy
}

#[tokio::test(start_paused = true)]
async fn more_commands_than_a_run_has_places_are_busy() {
    let world = Arc::new(World::new().await);
    let server = Arc::new(world.server_with(limits()).await);
    let run = server.started(&world).await;
    server.store.hold_commits();
    assert_eq!(turned_away(&world, &server, run, 20).await, 16);
}

/// A message keeps its place until it has been handled, whoever waits for it.
#[tokio::test(start_paused = true)]
async fn callers_that_go_away_make_no_room() {
    let world = Arc::new(World::new().await);
    let server = Arc::new(world.server_with(limits()).await);
    let run = server.started(&world).await;
    let other = server.started(&world).await;
    server.store.hold_commits();
    assert_eq!(turned_away(&world, &server, run, 20).await, 16);
    assert_eq!(turned_away(&world, &server, run, 20).await, 20);
    // Four of six places of the organization are taken by the first run.
    assert_eq!(turned_away(&world, &server, other, 20).await, 18);
    server.store.release_commits(1_000);
    pass(Duration::from_secs(1)).await;
    assert_eq!(
        server
            .see(run)
            .await
            .expect("there is room again")
            .state
            .claims_made,
        1
    );
    assert!(server.see(other).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_cancels_nothing() {
    let world = World::new().await;
    let server = world.server().await;
    let run = server.started(&world).await;
    server.store.hold_commits();
    let request = world.request(&agent(1));
    let first = server.execute(run, claim("draft", &agent(1)), request.clone());
    assert!(timeout(Duration::from_secs(1), first).await.is_err());
    assert_eq!(world.journal(run).await.len(), 1);
    server.store.release_commits(1);
    let seen = server.see(run).await.expect("the run can be read");
    assert_eq!(seen.state.claims_made, 1);
    let replay = server.execute(run, claim("draft", &agent(1)), request).await;
    assert!(replay.is_ok());
    assert_eq!(world.journal(run).await.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_run_that_takes_too_long_is_unavailable() {
    let world = World::new().await;
    let server = world.server().await;
    let run = server.started(&world).await;
    server.store.hold_commits();
    let claimed = server.say(&world, run, claim("draft", &agent(1))).await;
    assert_eq!(claimed.err(), Some(RunError::Unavailable));
}
