//! What is stored of a journal, and what happens when it is damaged.

use run_core::Map;
use run_ports::PortError;
use run_sim::contract::Scene;
use sha2::{Digest, Sha256};
use sqlx::FromRow;

use crate::support::{Database, connect, execute, subject_of};

#[derive(FromRow)]
struct Row {
    seq: i64,
    at: i64,
    kind: String,
    version: i32,
    body: String,
    chain: Vec<u8>,
}

#[tokio::test]
async fn every_event_is_chained_to_the_one_before() {
    let database = Database::migrated().await;
    let subject = subject_of(&database.store().await);
    let scene = Scene::new(&subject, 1).await;
    let mut state = scene.started().await;
    for step in ["fetch", "carry"] {
        state = scene.done(&state, &scene.claim(step)).await;
        state = scene.done(&state, &scene.submit(&state)).await;
    }
    let mut owner = connect(&database.owner()).await;
    let rows: Vec<Row> = sqlx::query_as("select * from run_events order by seq")
        .fetch_all(&mut owner)
        .await
        .expect("it may be read");
    assert_eq!(rows.len() as u64, state.seq);
    let mut chain = Sha256::digest(format!("{} {}", scene.organization, state.run)).to_vec();
    for row in rows {
        let line = format!("{} {} {} {} {}", row.seq, row.at, row.kind, row.version, row.body);
        chain = Sha256::digest([chain.as_slice(), line.as_bytes()].concat()).to_vec();
        assert_eq!(row.chain, chain, "{line}");
    }
    let (head,): (Vec<u8>,) = sqlx::query_as("select chain from runs")
        .fetch_one(&mut owner)
        .await
        .expect("it may be read");
    assert_eq!(head, chain);
}

#[tokio::test]
async fn a_damaged_journal_is_not_taken_for_a_shorter_one() {
    let database = Database::migrated().await;
    let subject = subject_of(&database.store().await);
    let scene = Scene::new(&subject, 2).await;
    for damage in [
        "delete from run_events where seq = 2",
        "delete from run_events where seq = 3",
        "update run_events set body = '[]' where seq = 1",
        "update run_events set kind = 'step_beamed' where seq = 1",
    ] {
        let (start, state) = scene.start(Map::new());
        scene.commit(start).await;
        let state = scene.done(&state, &scene.claim("fetch")).await;
        let state = scene.done(&state, &scene.submit(&state)).await;
        let damage = format!(
            "set session_replication_role = replica; {damage} and run = '{}'",
            state.run
        );
        execute(&database.owner(), &damage).await;
        let read = subject.runs.journal(scene.organization, state.run, 0).await;
        assert!(
            matches!(read, Err(PortError::Corrupt { .. })),
            "{damage}: {read:?}"
        );
    }
}
