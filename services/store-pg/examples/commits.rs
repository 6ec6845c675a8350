//! How many commits a second the store takes: `cargo run --release -p store-pg --example commits -- [SECONDS [WRITERS [LANES]]]`, on the
//! database at `BATON_TEST_DATABASE_URL`, which is to be empty. Every writer drives runs of its own, one command after the other; one
//! command in four opens an item for a group, and is committed only while the directory is what it was.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Secret, Timestamp};
use run_core::Map;
use run_ports::{Commit, CommitVerdict, Directory, Random, RunStore};
use run_sim::contract::{Scene, Subject};
use store_pg::{Store, StoreOptions, SystemRandom};

#[path = "../tests/store/pg_accounts.rs"]
mod pg_accounts;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = std::env::args().skip(1).map(|text| text.parse());
    let arguments = arguments.collect::<Result<Vec<usize>, _>>()?;
    let seconds = arguments.first().map_or(5, |seconds| *seconds as u64);
    let some = |at: usize, all: &[usize]| arguments.get(at).map_or_else(|| all.to_vec(), |one| vec![*one]);
    let url = Secret::new(std::env::var("BATON_TEST_DATABASE_URL")?);
    Store::migrate(&url).await?;
    let mut out = std::io::stdout();
    for lanes in some(2, &[1, 2, 4]) {
        let options = StoreOptions {
            lanes,
            ..StoreOptions::new(&url)
        };
        let store = Store::connect(&options).await?;
        for writers in some(1, &[1, 16, 64, 256]) {
            let times = measure(&store, writers, Duration::from_secs(seconds)).await;
            let commits = (times.others.len() + times.opening.len()) as u64;
            writeln!(
                out,
                "{lanes} lanes, {writers} writers: {} commits/s, opening an item {}, others {}",
                commits / seconds,
                shares(times.opening),
                shares(times.others)
            )?;
        }
        store.close().await;
    }
    Ok(())
}

/// How long commits took.
#[derive(Default)]
struct Times {
    opening: Vec<Duration>,
    others: Vec<Duration>,
}

fn shares(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    format!("p50 {:?}, p99 {:?}", at(50), at(99))
}

async fn measure(store: &Store, writers: usize, time: Duration) -> Times {
    let subject = Subject {
        runs: Arc::new(store.clone()),
        work: Arc::new(store.clone()),
        versions: Arc::new(store.clone()),
        directory: Arc::new(store.clone()),
        reassignments: Arc::new(store.clone()),
        accounts: Arc::new(pg_accounts::PgAccounts(store.clone())),
        keep: Box::new(()),
    };
    let subject: &'static Subject = Box::leak(Box::new(subject));
    // Runs of an earlier measurement may be there.
    let seed = u64::try_from(SystemRandom.ulid(Timestamp::MIN).random() % (1 << 63)).unwrap_or(1);
    let scene: &'static Scene<'static> = Box::leak(Box::new(Scene::new(subject, seed).await));
    let tasks: Vec<_> = (0..writers)
        .map(|writer| tokio::spawn(write(store.clone(), scene, writer, time)))
        .collect();
    let mut all = Times::default();
    for task in tasks {
        let times = task.await.unwrap_or_default();
        all.opening.extend(times.opening);
        all.others.extend(times.others);
    }
    all
}

async fn write(store: Store, scene: &Scene<'_>, writer: usize, time: Duration) -> Times {
    let begin = Instant::now();
    let mut times = Times::default();
    let revision = store.revision(scene.organization).await.ok();
    for round in 0.. {
        let (commit, mut state) = scene.start(Map::new());
        commit_with(&store, scene, commit, format!("{writer} {round}")).await;
        for step in ["fetch", "carry"] {
            for n in 0..2 {
                let command = match n {
                    0 => scene.claim(step),
                    _ => scene.submit(&state),
                };
                let (mut commit, next) = scene.decide(&state, &command);
                let opens = !commit.changes.items_put.is_empty();
                commit.directory_revision = revision.filter(|_| opens);
                let before = Instant::now();
                commit_with(&store, scene, commit, format!("{writer} {round} {step} {n}")).await;
                let times = if opens {
                    &mut times.opening
                } else {
                    &mut times.others
                };
                times.push(before.elapsed());
                state = next;
            }
        }
        if begin.elapsed() > time {
            break;
        }
    }
    times
}

async fn commit_with(store: &Store, scene: &Scene<'_>, commit: Commit, id: String) {
    let request = Some(scene.request(&id, &commit));
    let verdict = store.commit(Commit { request, ..commit }).await;
    assert!(matches!(verdict, CommitVerdict::Committed), "{verdict:?}");
}
