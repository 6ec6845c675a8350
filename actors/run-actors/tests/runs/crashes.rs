//! A Plan that panics is one caller's error. An actor that dies is rebuilt from its journal, but not for ever.

use base::{Caller, RunId};
use run_actors::{Limits, RunError};
use run_core::state::Phase;
use run_core::{Conflict, Refusal, Rendered};
use tokio::time::Duration;

use crate::world::{
    Server, World, agent, claim, decide, is_in, member, operator, rejected, run_of, start_by, start_with,
    submit,
};

/// A run whose draft agent 1 holds.
async fn drafting(world: &World) -> (Server, RunId) {
    let server = world.server().await;
    let run = server.started(world).await;
    server
        .say(world, run, claim("draft", &agent(1)))
        .await
        .expect("the draft is ready");
    (server, run)
}

#[tokio::test]
async fn a_plan_that_panics_is_that_callers_error() {
    for method in ["judge", "moves", "ask", "rows"] {
        let world = World::new().await;
        let (server, run) = drafting(&world).await;
        let held = world.stored(run).await;
        let by = agent(1);
        let broken = server
            .say(&world, run, submit(&held, &by, Some(("panic", method))))
            .await;
        assert_eq!(broken, Err(RunError::Internal), "{method}");
        assert_eq!(world.stored(run).await, held, "{method}");
        let taken = server.say(&world, run, claim("draft", &agent(2))).await;
        assert!(matches!(
            taken,
            Err(RunError::Refused(Refusal::Conflict(
                Conflict::ClaimedByOther { .. }
            )))
        ));
        let accepted = server.say(&world, run, submit(&held, &by, None)).await;
        assert!(accepted.is_ok(), "{method}: {accepted:?}");
    }
}

#[tokio::test]
async fn a_plan_that_panics_while_an_answer_is_shown_is_that_callers_error() {
    let world = World::new().await;
    let server = world.server().await;
    let start = start_with(&operator(), ("panic", "render"));
    let request = world.request(&operator());
    let run = run_of(&server.start(start, request).await.expect("it starts"));
    let claimed = server.say(&world, run, claim("draft", &agent(1))).await;
    assert_eq!(claimed, Err(RunError::Internal));
    let seen = server.see(run).await.expect("the run can be read");
    assert!(is_in(&seen.state, "draft", |phase| matches!(
        phase,
        Phase::Claimed(_)
    )));
}

#[tokio::test]
async fn a_start_that_panics_starts_nothing() {
    let world = World::new().await;
    let server = world.server().await;
    let request = world.request(&operator());
    let broken = server
        .start(start_with(&operator(), ("panic", "start")), request.clone())
        .await;
    assert_eq!(broken, Err(RunError::Internal));
    assert!(server.start(start_by(&operator()), request).await.is_ok());
}

#[tokio::test]
async fn a_replay_comes_before_a_panic() {
    let world = World::new().await;
    let (server, run) = drafting(&world).await;
    let held = world.stored(run).await;
    let request = world.request(&agent(1));
    let first = server
        .execute(run, submit(&held, &agent(1), None), request.clone())
        .await;
    let open = world.stored(run).await;
    server
        .say(&world, run, decide(&open, &member(1), rejected()))
        .await
        .expect("the item is open");
    server
        .say(&world, run, claim("draft", &agent(1)))
        .await
        .expect("the draft is ready");
    let held = world.stored(run).await;
    let panicking = submit(&held, &agent(1), Some(("panic", "judge")));
    assert_eq!(server.execute(run, panicking, request).await, first);
}

#[tokio::test]
async fn an_actor_that_dies_is_rebuilt_from_its_journal() {
    let world = World::new().await;
    let (server, run) = drafting(&world).await;
    server.store.panic_in_commits(1);
    let held = world.stored(run).await;
    let answer = server.say(&world, run, submit(&held, &agent(1), None)).await;
    assert!(matches!(answer, Ok(Rendered::Run(_))), "{answer:?}");
    assert_eq!(world.journal(run).await.len(), 3);
}

#[tokio::test]
async fn a_rebuilt_actor_waits_for_what_the_dead_one_was_writing() {
    let world = World::new().await;
    let (server, run) = drafting(&world).await;
    server.store.panic_in_commits(1);
    server.store.take_calls();
    let held = world.stored(run).await;
    server
        .say(&world, run, submit(&held, &agent(1), None))
        .await
        .expect("it is rebuilt");
    assert_eq!(server.store.take_calls(), ["commit", "journal_settled", "commit"]);
}

#[tokio::test]
async fn a_start_whose_actor_dies_is_not_started_twice() {
    let world = World::new().await;
    let server = world.server().await;
    let request = world.request(&operator());
    server.store.panic_in_commits(1);
    let first = server.start(start_by(&operator()), request.clone()).await;
    let second = server.start(start_by(&operator()), request).await;
    assert!(second.is_ok());
    assert!(
        first == second || first == Err(RunError::Unavailable),
        "{first:?}"
    );
}

/// Callers of other runs of the organization do not notice.
#[tokio::test(start_paused = true)]
async fn an_actor_that_dies_too_often_is_left_alone_for_a_minute() {
    let world = World::new().await;
    let (server, run) = drafting(&world).await;
    let other = server.started(&world).await;
    let held = world.stored(run).await;
    let by: Caller = agent(1);
    let crashes_max = Limits::default().crashes_per_minute_max;
    server.store.panic_in_commits(crashes_max);
    let mut told = Vec::new();
    for _ in 0..crashes_max {
        let answer = server.say(&world, run, submit(&held, &by, None)).await;
        told.push(answer.expect_err("its actor dies"));
    }
    // Two deaths under one command are enough; the fifth within the minute is the last.
    assert_eq!(told[..2], [RunError::Internal, RunError::Internal]);
    assert_eq!(told[2..], [RunError::Busy, RunError::Busy, RunError::Busy]);
    assert_eq!(server.see(run).await.err(), Some(RunError::Busy));
    assert!(server.say(&world, other, claim("draft", &agent(2))).await.is_ok());

    tokio::time::advance(Duration::from_mins(1)).await;
    assert!(server.say(&world, run, submit(&held, &by, None)).await.is_ok());
}
