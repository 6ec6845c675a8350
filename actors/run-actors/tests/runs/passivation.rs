//! Actors leave memory, and nobody notices.

use std::sync::Arc;

use run_actors::{Limits, RunError};
use tokio::task::JoinSet;
use tokio::time::Duration;

use crate::script::play;
use crate::world::{Server, World, agent, claim, pass, renew};

/// Whether the run is in memory: a live one only looks at its head, another one loads its journal.
pub(crate) async fn is_live(server: &Server, run: base::RunId) -> bool {
    server.store.take_calls();
    server.see(run).await.expect("the run can be read");
    server.store.take_calls() == ["look"]
}

#[tokio::test(start_paused = true)]
async fn idle_actors_leave() {
    let world = World::new().await;
    let server = world.server().await;
    let run = server.started(&world).await;
    assert!(is_live(&server, run).await);
    pass(Limits::default().idle / 4).await;
    assert!(is_live(&server, run).await);
    pass(Limits::default().idle * 2).await;
    assert!(!is_live(&server, run).await);
    assert!(is_live(&server, run).await);
}

#[tokio::test]
async fn ended_runs_leave_at_once() {
    let world = World::new().await;
    let server = world.server().await;
    let (run, _) = play(&world, std::slice::from_ref(&server), |_| {}).await;
    for _ in 0..3 {
        assert!(!is_live(&server, run).await);
    }
}

#[tokio::test]
async fn runs_that_do_not_exist_leave_at_once() {
    let world = World::new().await;
    let limits = Limits {
        live_runs_per_organization_max: 1,
        ..Limits::default()
    };
    let server = world.server_with(limits).await;
    for n in 0..20 {
        let nowhere = base::RunId::new(base::Ulid::from_parts(0, n));
        assert_eq!(server.see(nowhere).await.err(), Some(RunError::RunNotFound));
    }
}

/// An ended run leaves after every message, so that nearly every call meets an actor that is leaving.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_call_that_meets_a_leaving_actor_is_never_lost() {
    let world = World::new().await;
    let server = Arc::new(world.server().await);
    let (run, _) = play(&world, &[world.server().await], |_| {}).await;
    let mut all = JoinSet::new();
    for _ in 0..50 {
        let server = Arc::clone(&server);
        all.spawn(async move {
            for _ in 0..100 {
                server.see(run).await.expect("the run can be read");
            }
        });
    }
    all.join_all().await;
}

/// Actors that are idle for no time at all leave at every tick.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_write_that_meets_a_leaving_actor_happens_once() {
    let world = Arc::new(World::new().await);
    let limits = Limits {
        idle: Duration::from_micros(50),
        ..Limits::default()
    };
    let server = Arc::new(world.server_with(limits).await);
    let mut all = JoinSet::new();
    for n in 0..8 {
        let (world, server) = (Arc::clone(&world), Arc::clone(&server));
        all.spawn(async move {
            let run = server.started(&world).await;
            let by = agent(n);
            server
                .say(&world, run, claim("draft", &by))
                .await
                .expect("the draft is ready");
            for _ in 0..200 {
                let state = world.stored(run).await;
                server
                    .say(&world, run, renew(&state, &by))
                    .await
                    .expect("the claim holds");
            }
            assert_eq!(world.journal(run).await.len(), 202);
        });
    }
    all.join_all().await;
}

#[tokio::test]
async fn after_a_drain_nobody_is_let_in() {
    let world = World::new().await;
    let server = world.server().await;
    let run = server.started(&world).await;
    server.runs.drain().await;
    assert_eq!(server.see(run).await.err(), Some(RunError::Unavailable));
    let claimed = server.say(&world, run, claim("draft", &agent(1))).await;
    assert_eq!(claimed.err(), Some(RunError::Unavailable));
    server.runs.drain().await;
}

#[tokio::test(start_paused = true)]
async fn a_drain_waits_for_what_is_under_way() {
    let world = Arc::new(World::new().await);
    let server = Arc::new(world.server().await);
    let run = server.started(&world).await;
    server.store.hold_commits();
    let claimed = tokio::spawn({
        let (world, server) = (Arc::clone(&world), Arc::clone(&server));
        async move { server.say(&world, run, claim("draft", &agent(1))).await }
    });
    pass(Duration::from_secs(1)).await;
    let mut drained = Box::pin(server.runs.drain());
    assert!(
        tokio::time::timeout(Duration::from_secs(1), &mut drained)
            .await
            .is_err()
    );
    server.store.release_commits(1);
    drained.await;
    assert!(claimed.await.expect("the caller did not panic").is_ok());
}
