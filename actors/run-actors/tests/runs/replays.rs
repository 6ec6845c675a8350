//! A request happens at most once, and its answer never changes (core-2 §4).

use base::{Digest, RunId, Scope, Ulid};
use run_actors::{RunError, StartRequest};
use run_core::{Conflict, Refusal, Rendered};
use run_ports::RequestKey;

use crate::script::{Told, play};
use crate::world::{Server, World, agent, agent_of, claim, member, operator, start_by, start_with};

/// Every answer that was given is given again.
async fn check_replays(server: &Server, run: RunId, told: &[Told]) {
    for told in told.iter().filter(|told| told.answer.is_ok()) {
        let request = told.request.clone();
        let again = match &told.command {
            None => server.start(start_by(&operator()), request).await,
            Some(command) => server.execute(run, command.clone(), request).await,
        };
        assert_eq!(again, told.answer, "{:?}", told.command);
    }
}

#[tokio::test]
async fn a_run_goes_from_start_to_end() {
    let world = World::new().await;
    let (run, told) = play(&world, &[world.server().await], |_| {}).await;
    let accepted = told.iter().filter(|told| told.answer.is_ok()).count();
    assert_eq!(accepted, told.len() - 2);
    assert!(matches!(
        told[3].answer,
        Err(RunError::Refused(Refusal::NotAccepted(_)))
    ));
    assert_eq!(
        told.last().map(|told| told.answer.clone()),
        Some(Err(RunError::Refused(Conflict::RunEnded.into())))
    );
    assert!(!world.stored(run).await.is_running());
}

#[tokio::test]
async fn answers_never_change() {
    let world = World::new().await;
    let server = world.server().await;
    let (run, told) = play(&world, std::slice::from_ref(&server), |_| {}).await;
    check_replays(&server, run, &told).await;
    drop(server);
    check_replays(&world.server().await, run, &told).await;
    assert!(!world.stored(run).await.is_running());
}

#[tokio::test]
async fn replays_write_nothing() {
    let world = World::new().await;
    let server = world.server().await;
    let (run, told) = play(&world, std::slice::from_ref(&server), |_| {}).await;
    let journal = world.journal(run).await;
    check_replays(&server, run, &told).await;
    assert_eq!(world.journal(run).await, journal);
    assert_eq!(world.store.outbox(world.organization).len(), 4);
}

#[tokio::test]
async fn a_replay_needs_no_rights_any_more() {
    let world = World::new().await;
    let server = world.server().await;
    let request = world.request(&agent(1));
    let first = server.start(start_by(&agent(1)), request.clone()).await;
    assert!(first.is_ok());
    let without = start_by(&agent_of(1, Scope::Processes(["other".to_owned()].into())));
    assert_eq!(server.start(without.clone(), request).await, first);
    let refused = server.start(without, world.request(&agent(1))).await;
    assert!(matches!(refused, Err(RunError::Refused(Refusal::Forbidden(_)))));
}

#[tokio::test]
async fn a_replayed_start_needs_neither_the_process_nor_valid_inputs() {
    let world = World::new().await;
    let server = world.server().await;
    let request = world.request(&operator());
    let first = server.start(start_by(&operator()), request.clone()).await;
    let unknown = StartRequest {
        process: "unknown".to_owned(),
        ..start_by(&operator())
    };
    assert_eq!(server.start(unknown.clone(), request.clone()).await, first);
    let wrong = start_with(&operator(), ("wrong", "input"));
    assert_eq!(server.start(wrong.clone(), request).await, first);

    let fresh = || world.request(&operator());
    assert_eq!(
        server.start(unknown, fresh()).await,
        Err(RunError::ProcessNotFound)
    );
    let refused = server.start(wrong, fresh()).await;
    assert!(matches!(refused, Err(RunError::Refused(Refusal::Invalid(_)))));
}

/// The same id with something else different.
fn others(request: &RequestKey) -> [RequestKey; 3] {
    let other = || request.clone();
    [
        RequestKey {
            arguments: Digest::new([1; 32]),
            ..other()
        },
        RequestKey {
            tool: "another".to_owned(),
            ..other()
        },
        RequestKey {
            caller: crate::world::request("any", &member(3)).caller,
            ..other()
        },
    ]
}

#[tokio::test]
async fn a_request_id_is_for_one_request() {
    let world = World::new().await;
    let server = world.server().await;
    let request = world.request(&agent(1));
    let run = server.started(&world).await;
    server
        .execute(run, claim("draft", &agent(1)), request.clone())
        .await
        .expect("the draft is ready");

    let (ended, _) = play(&world, std::slice::from_ref(&server), |_| {}).await;
    let nowhere = RunId::new(Ulid::from_parts(0, 77));
    let command = || claim("draft", &agent(1));
    for other in others(&request) {
        for run in [run, ended, nowhere] {
            let answer = server.execute(run, command(), other.clone()).await;
            assert_eq!(answer, Err(RunError::RequestReused));
        }
        let start = server.start(start_by(&operator()), other.clone()).await;
        assert_eq!(start, Err(RunError::RequestReused));
        let refused = server
            .runs
            .refused(world.organization, &other, RunError::RunNotFound);
        assert_eq!(refused.await, Err(RunError::RequestReused));
    }
    for run in [ended, nowhere] {
        let replay = server.execute(run, command(), request.clone()).await;
        assert!(matches!(replay, Ok(Rendered::Claim(_))));
    }
    let fresh = world.request(&agent(1));
    assert_eq!(
        server.execute(nowhere, command(), fresh).await,
        Err(RunError::RunNotFound)
    );
}
