use run_core::Map;
use run_sim::contract::{Scene, Subject};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::*;
use crate::committer::Encoded;

type Reply = oneshot::Receiver<Outcome>;

fn push(queue: &Queue, scene: &Scene<'_>, input_bytes: usize) -> (RunId, Reply) {
    let inputs = Map::from_iter([("text".to_owned(), "x".repeat(input_bytes).into())]);
    let (commit, state) = scene.start(inputs);
    (state.run, push_commit(queue, commit))
}

fn push_commit(queue: &Queue, commit: run_ports::Commit) -> Reply {
    let (reply, outcome) = oneshot::channel();
    queue.push(Pending {
        command: Encoded::of(commit).expect("it is numbered from its seq"),
        reply,
        since: Instant::now(),
        tries: 0,
    });
    outcome
}

async fn next(queue: &Queue) -> Vec<RunId> {
    let batch = queue.next().await.expect("it is open");
    batch.iter().map(|pending| pending.command.run).collect()
}

#[tokio::test]
async fn organizations_take_turns() {
    let subject = Subject::in_memory();
    let (busy, quiet) = (Scene::new(&subject, 1).await, Scene::new(&subject, 2).await);
    let queue = Queue::default();
    let many: Vec<_> = (0..100).map(|_| push(&queue, &busy, 0)).collect();
    let few: Vec<_> = (0..2).map(|_| push(&queue, &quiet, 0)).collect();
    let first = next(&queue).await;
    assert_eq!(first.len(), BATCH_COMMANDS_MAX);
    assert_eq!(first[..4], [many[0].0, few[0].0, many[1].0, few[1].0]);
    let second = next(&queue).await;
    assert_eq!(second, many[62..].iter().map(|(run, _)| *run).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_batch_ends_before_a_mebibyte() {
    let subject = Subject::in_memory();
    let scene = Scene::new(&subject, 3).await;
    let queue = Queue::default();
    // The inputs of a start are stored twice, in its row and in its event.
    let runs: Vec<_> = [250_000, 250_000, 250_000, 10]
        .map(|bytes| push(&queue, &scene, bytes))
        .into();
    let runs: Vec<_> = runs.into_iter().map(|(run, _)| run).collect();
    assert_eq!(next(&queue).await, runs[..2]);
    assert_eq!(next(&queue).await, runs[2..]);
}

#[tokio::test]
async fn a_run_is_in_a_batch_once() {
    let subject = Subject::in_memory();
    let scene = Scene::new(&subject, 4).await;
    let queue = Queue::default();
    let state = scene.started().await;
    let replies: Vec<_> = ["fetch", "carry"]
        .map(|step| push_commit(&queue, scene.decide(&state, &scene.claim(step)).0))
        .into();
    let (other, _reply) = push(&queue, &scene, 0);
    assert_eq!(next(&queue).await, [state.run, other]);
    assert_eq!(next(&queue).await, [state.run]);
    drop(replies);
}

/// Full by its number of commands, and by their bytes.
#[tokio::test]
async fn a_full_organization_turns_nobody_else_away() {
    for (input_bytes, fitting) in [
        (0, QUEUE_COMMANDS_MAX..=QUEUE_COMMANDS_MAX),
        (250_000, 1..=QUEUE_BYTES_MAX / 250_000),
    ] {
        let subject = Subject::in_memory();
        let (busy, quiet) = (Scene::new(&subject, 6).await, Scene::new(&subject, 7).await);
        let queue = Queue::default();
        let commit = busy
            .start(Map::from_iter([(
                "text".to_owned(),
                "x".repeat(input_bytes).into(),
            )]))
            .0;
        let mut waiting = Vec::new();
        let refused = loop {
            let mut reply = push_commit(&queue, commit.clone());
            if let Ok(outcome) = reply.try_recv() {
                break outcome;
            }
            waiting.push(reply);
        };
        assert!(matches!(refused, Outcome::Unavailable(_)), "{refused:?}");
        assert!(fitting.contains(&waiting.len()), "{}", waiting.len());
        let (run, _reply) = push(&queue, &quiet, input_bytes);
        assert_eq!(next(&queue).await, [commit.run, run]);
        assert!(
            push_commit(&queue, commit).try_recv().is_err(),
            "there is room again"
        );
    }
}

#[tokio::test]
async fn a_closed_queue_answers_what_waits_and_what_comes() {
    let subject = Subject::in_memory();
    let scene = Scene::new(&subject, 5).await;
    let queue = Queue::default();
    let (_, waiting) = push(&queue, &scene, 0);
    queue.close();
    let (_, late) = push(&queue, &scene, 0);
    for reply in [waiting, late] {
        let outcome = reply.await.expect("it is answered");
        assert!(matches!(outcome, Outcome::Unavailable(_)), "{outcome:?}");
    }
    assert!(queue.next().await.is_none());
}
