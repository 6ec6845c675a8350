//! Many at once: one wins, and the others are told why they did not.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::RunId;
use run_actors::RunError;
use run_core::state::Phase;
use run_core::{Command, Conflict, Outdated, Refusal, Rendered};
use run_ports::RequestKey;
use tokio::task::JoinSet;

use crate::world::{
    Server, World, agent, approved, cancel, claim, decide, is_in, member, operator, rejected, renew, run_of,
    start_by, submit,
};

/// Gives every command to a server, all at once.
async fn at_once(
    servers: &[Arc<Server>],
    run: RunId,
    commands: impl IntoIterator<Item = (Command, RequestKey)>,
) -> Vec<Result<Rendered, RunError>> {
    let mut all = JoinSet::new();
    for ((command, request), server) in commands.into_iter().zip(servers.iter().cycle()) {
        let server = Arc::clone(server);
        all.spawn(async move { server.execute(run, command, request).await });
    }
    all.join_all().await
}

async fn servers(world: &World, count: usize) -> Vec<Arc<Server>> {
    let mut servers = Vec::new();
    for _ in 0..count {
        servers.push(Arc::new(world.server().await));
    }
    servers
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_many_claims_wins() {
    for count in [1, 2] {
        let world = World::new().await;
        let servers = servers(&world, count).await;
        let run = servers[0].started(&world).await;
        let commands = (1..=50).map(|n| (claim("draft", &agent(n)), world.request(&agent(n))));
        let answers = at_once(&servers, run, commands.collect::<Vec<_>>()).await;
        let won = answers.iter().filter(|answer| answer.is_ok()).count();
        let lost = |answer: &&Result<Rendered, RunError>| {
            matches!(
                answer,
                Err(RunError::Refused(Refusal::Conflict(
                    Conflict::ClaimedByOther { .. }
                )))
            )
        };
        assert_eq!((won, answers.iter().filter(lost).count()), (1, 49));
        assert_eq!(world.stored(run).await.claims_made, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_many_decisions_wins() {
    for count in [1, 2] {
        let world = World::new().await;
        let servers = servers(&world, count).await;
        let run = servers[0].started(&world).await;
        servers[0].work(&world, run, "draft").await;
        let seen = world.stored(run).await;
        let commands = (0..30).map(|n| {
            let by = member(n % 3 + 1);
            (decide(&seen, &by, approved()), world.request(&by))
        });
        let answers = at_once(&servers, run, commands.collect::<Vec<_>>()).await;
        let won = answers.iter().filter(|answer| answer.is_ok()).count();
        let decided = Err(RunError::Refused(Conflict::AlreadyDecided.into()));
        let lost = answers.iter().filter(|answer| **answer == decided).count();
        assert_eq!((won, lost), (1, 29));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn equal_requests_get_equal_answers() {
    for count in [1, 2] {
        let world = World::new().await;
        let servers = servers(&world, count).await;
        let run = servers[0].started(&world).await;
        let request = world.request(&agent(1));
        let commands = vec![(claim("draft", &agent(1)), request); 20];
        let answers = at_once(&servers, run, commands).await;
        assert!(answers[0].is_ok());
        assert!(answers.iter().all(|answer| *answer == answers[0]));
        assert_eq!(world.journal(run).await.len(), 2);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn equal_starts_start_one_run() {
    let world = World::new().await;
    let servers = servers(&world, 2).await;
    let request = world.request(&operator());
    let mut all = JoinSet::new();
    for server in servers.iter().cycle().take(20) {
        let (server, request) = (Arc::clone(server), request.clone());
        all.spawn(async move { server.start(start_by(&operator()), request).await });
    }
    let answers = all.join_all().await;
    let runs: BTreeSet<_> = answers
        .iter()
        .map(|answer| run_of(answer.as_ref().expect("it starts")))
        .collect();
    assert_eq!(runs.len(), 1);
}

/// Two servers have the run in memory, and then it moves on through the first alone.
#[tokio::test]
async fn a_refusal_never_comes_from_a_stale_state() {
    let world = World::new().await;
    let (ahead, behind) = (world.server().await, world.server().await);
    let run = ahead.started(&world).await;
    ahead
        .say(&world, run, claim("draft", &agent(1)))
        .await
        .expect("the draft is ready");
    let held = world.stored(run).await;
    behind.see(run).await.expect("the run can be read");

    // The behind server knows a claim of agent 1 and no item yet.
    ahead
        .say(&world, run, submit(&held, &agent(1), None))
        .await
        .expect("the claim holds");
    let open = world.stored(run).await;
    let stale = behind.say(&world, run, renew(&held, &agent(1))).await;
    assert_eq!(stale, Err(RunError::Refused(Outdated::ClaimReplaced.into())));
    behind.see(run).await.expect("the run can be read");

    // The behind server knows the item; to it the draft is done and cannot be claimed.
    ahead
        .say(&world, run, decide(&open, &member(1), rejected()))
        .await
        .expect("the item is open");
    let claimed = behind.say(&world, run, claim("draft", &agent(2))).await;
    assert!(matches!(claimed, Ok(Rendered::Claim(_))), "{claimed:?}");

    // The ahead server knows the draft as ready.
    let taken = ahead.say(&world, run, claim("draft", &agent(3))).await;
    assert!(matches!(
        taken,
        Err(RunError::Refused(Refusal::Conflict(
            Conflict::ClaimedByOther { .. }
        )))
    ));
    ahead
        .say(&world, run, cancel(&operator()))
        .await
        .expect("the run goes on");
    let ended = behind.say(&world, run, claim("draft", &agent(3))).await;
    assert_eq!(ended, Err(RunError::Refused(Conflict::RunEnded.into())));
}

#[tokio::test]
async fn a_read_sees_what_another_server_acknowledged() {
    let world = World::new().await;
    let (one, other) = (world.server().await, world.server().await);
    let run = one.started(&world).await;
    assert_eq!(other.see(run).await.expect("the run can be read").state.seq, 1);
    one.work(&world, run, "draft").await;
    let seen = other.see(run).await.expect("the run can be read");
    assert_eq!(seen.state.seq, 3);
    assert!(is_in(&seen.state, "check", |phase| matches!(
        phase,
        Phase::Assigned(_)
    )));
}
