//! Commits that go wrong: whoever asks again with the same request id gets the one answer, and everything is there once.

use run_core::{Event, EventKind};
use run_sim::Fault;
use tokio::time::{Duration, timeout};

use crate::script::{ACTS, play};
use crate::world::{Server, World, agent, claim, operator, pass, start_by};

const FAULTS: [Fault; 3] = [Fault::AnswerLost, Fault::WriteLost, Fault::Unavailable];

/// What happened, whatever the run is called.
fn kinds(journal: Vec<Event>) -> Vec<EventKind> {
    let mut kinds: Vec<_> = journal.into_iter().map(|event| event.kind).collect();
    if let Some(EventKind::RunStarted(started)) = kinds.first_mut() {
        started.run = base::RunId::new(base::Ulid::from_parts(0, 0));
    }
    kinds
}

/// Plays the script with faults at one write, and compares with a play without any.
async fn check(servers: usize, position: usize, faults: &[Fault]) {
    let calm = World::new().await;
    let (run, _) = play(&calm, &[calm.server().await], |_| {}).await;
    let expected = kinds(calm.journal(run).await);

    let world = World::new().await;
    let mut all = Vec::new();
    for _ in 0..servers {
        all.push(world.server().await);
    }
    let inject = |write: usize| {
        if write == position {
            for fault in faults {
                world.store.inject(*fault);
            }
        }
    };
    let (run, told) = play(&world, &all, inject).await;
    let place = format!("{faults:?} at write {position} with {servers} servers");
    assert_eq!(kinds(world.journal(run).await), expected, "{place}");
    for told in &told {
        let is_recorded = world.recorded(&told.request).await.is_some();
        assert_eq!(is_recorded, told.answer.is_ok(), "{place}: {:?}", told.command);
    }
    assert_eq!(
        world.store.outbox(world.organization).len(),
        calm.store.outbox(calm.organization).len(),
        "{place}"
    );
}

#[tokio::test]
async fn a_fault_at_any_write_loses_and_doubles_nothing() {
    for position in 0..=ACTS.len() {
        for fault in FAULTS {
            check(1, position, &[fault]).await;
            check(2, position, &[fault]).await;
        }
    }
}

#[tokio::test]
async fn two_faults_in_a_row_lose_and_double_nothing() {
    for position in 0..=ACTS.len() {
        for first in FAULTS {
            for second in FAULTS {
                check(2, position, &[first, second]).await;
            }
        }
    }
}

#[tokio::test]
async fn a_start_whose_answer_was_lost_is_not_started_twice() {
    for fault in FAULTS {
        let world = World::new().await;
        let server = world.server().await;
        let request = world.request(&operator());
        world.store.inject(fault);
        let first = server.start(start_by(&operator()), request.clone()).await;
        let second = server.start(start_by(&operator()), request.clone()).await;
        let third = world.server().await.start(start_by(&operator()), request).await;
        assert!(second.is_ok());
        assert_eq!(second, third);
        assert_eq!(first.is_ok(), fault == Fault::AnswerLost);
        assert!(first.is_err() || first == second);
    }
}

/// A claim whose commit has an unknown fate.
async fn unknown_claim(fault: Fault) -> (World, Server, base::RunId) {
    let world = World::new().await;
    let server = world.server().await;
    let run = server.started(&world).await;
    world.store.inject(fault);
    server.store.take_calls();
    (world, server, run)
}

#[tokio::test(start_paused = true)]
async fn nothing_is_said_before_an_unknown_commit_is_settled() {
    for fault in [Fault::AnswerLost, Fault::WriteLost] {
        let (world, server, run) = unknown_claim(fault).await;
        server.store.hold_settled();
        let mut answer = Box::pin(server.say(&world, run, claim("draft", &agent(1))));
        assert!(timeout(Duration::from_secs(1), &mut answer).await.is_err());
        let mut other = Box::pin(server.say(&world, run, claim("draft", &agent(2))));
        assert!(timeout(Duration::from_secs(1), &mut other).await.is_err());
        let mut read = Box::pin(server.see(run));
        assert!(timeout(Duration::from_secs(1), &mut read).await.is_err());
        assert_eq!(server.store.take_calls(), ["commit", "journal_settled"]);
        server.store.release_settled();
        assert!(answer.await.is_ok());
        assert!(other.await.is_err());
        assert_eq!(read.await.expect("the run can be read").state.claims_made, 1);
    }
}

#[tokio::test]
async fn what_nobody_knows_is_unavailable_and_never_refused() {
    let (world, server, run) = unknown_claim(Fault::AnswerLost).await;
    server.store.fail_settled(3);
    let request = world.request(&agent(1));
    let claim_again = || server.execute(run, claim("draft", &agent(1)), request.clone());
    let unavailable = Some(run_actors::RunError::Unavailable);
    assert_eq!(claim_again().await.err(), unavailable);
    let other = server.say(&world, run, claim("draft", &agent(2))).await;
    assert_eq!(other.err(), unavailable);
    assert_eq!(server.see(run).await.err(), unavailable);
    assert!(claim_again().await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn what_nobody_knows_is_not_forgotten_by_leaving() {
    let (world, server, run) = unknown_claim(Fault::AnswerLost).await;
    server.store.fail_settled(1);
    let answer = server.say(&world, run, claim("draft", &agent(1))).await;
    assert_eq!(answer.err(), Some(run_actors::RunError::Unavailable));
    server.store.hold_settled();
    // Idle for long: it would have left if it knew.
    pass(Duration::from_mins(5)).await;
    let mut read = Box::pin(server.see(run));
    assert!(timeout(Duration::from_secs(1), &mut read).await.is_err());
    server.store.release_settled();
    assert_eq!(read.await.expect("the run can be read").state.claims_made, 1);
}
