//! Only so many runs are live. For one more, idle ones leave.

use std::sync::Arc;

use base::{OrganizationId, RunId, Ulid};
use run_actors::{Limits, RunError};
use tokio::task::JoinSet;

use crate::passivation::is_live;
use crate::world::{World, agent, claim, pass};

/// So many live runs of an organization.
fn of_one(live_runs: usize) -> Limits {
    Limits {
        live_runs_per_organization_max: live_runs,
        ..Limits::default()
    }
}

/// So many live runs of all.
fn of_all(live_runs: usize) -> Limits {
    Limits {
        live_runs_max: live_runs,
        ..Limits::default()
    }
}

#[tokio::test]
async fn at_the_bound_idle_runs_leave() {
    for limits in [of_one(3), of_all(3)] {
        let world = World::new().await;
        let server = world.server_with(limits).await;
        let mut runs = Vec::new();
        for _ in 0..20 {
            runs.push(server.started(&world).await);
        }
        for run in runs {
            assert!(!is_live(&server, run).await);
            assert!(is_live(&server, run).await);
        }
    }
}

#[tokio::test]
async fn the_run_that_was_idle_the_longest_leaves_first() {
    let world = World::new().await;
    let server = world.server_with(of_one(3)).await;
    let (first, second) = (server.started(&world).await, server.started(&world).await);
    let third = server.started(&world).await;
    server.see(first).await.expect("the run can be read");
    server.started(&world).await;
    assert!(is_live(&server, first).await);
    assert!(is_live(&server, third).await);
    assert!(!is_live(&server, second).await);
}

#[tokio::test]
async fn many_at_once_find_room_one_after_another() {
    let world = Arc::new(World::new().await);
    let server = Arc::new(world.server_with(of_one(4)).await);
    let mut all = JoinSet::new();
    for _ in 0..200 {
        let (world, server) = (Arc::clone(&world), Arc::clone(&server));
        all.spawn(async move { server.started(&world).await });
    }
    assert_eq!(all.join_all().await.len(), 200);
}

#[tokio::test]
async fn idle_runs_leave_for_another_organization() {
    let world = World::new().await;
    let server = world.server_with(of_all(2)).await;
    server.started(&world).await;
    server.started(&world).await;
    let other = OrganizationId::new(Ulid::from_parts(0, 2));
    let nowhere = RunId::new(Ulid::from_parts(0, 3));
    let seen = server.runs.see(other, nowhere).await;
    assert_eq!(seen.err(), Some(RunError::RunNotFound));
}

#[tokio::test(start_paused = true)]
async fn runs_in_use_stay_and_a_server_full_of_them_is_busy() {
    for limits in [of_one(1), of_all(1)] {
        let world = Arc::new(World::new().await);
        let server = Arc::new(world.server_with(limits).await);
        let other = server.started(&world).await;
        let run = server.started(&world).await;
        server.store.hold_commits();
        let claimed = tokio::spawn({
            let (world, server) = (Arc::clone(&world), Arc::clone(&server));
            async move { server.say(&world, run, claim("draft", &agent(1))).await }
        });
        pass(std::time::Duration::from_secs(1)).await;
        assert_eq!(server.see(other).await.err(), Some(RunError::Busy));
        server.store.release_commits(1);
        assert!(claimed.await.expect("no caller panics").is_ok());
        assert!(server.see(other).await.is_ok());
    }
}
