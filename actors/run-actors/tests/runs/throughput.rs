//! How many commands a second go through the handle. Ignored: it measures, and holds nobody to a number.
//!
//! `cargo test --release -p run-actors --test runs throughput -- --ignored --nocapture`

use std::sync::Arc;

use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::world::{Server, World, agent, claim, renew};

const CALLERS: u128 = 32;
const COMMANDS: u32 = 5_000;

/// Every caller renews its claim of its own run, again and again.
async fn renew_all(world: &Arc<World>, server: &Arc<Server>) -> f64 {
    let mut runs = Vec::new();
    for n in 0..CALLERS {
        let run = server.started(world).await;
        server
            .say(world, run, claim("draft", &agent(n)))
            .await
            .expect("the draft is ready");
        runs.push((run, agent(n)));
    }
    let begun = Instant::now();
    let mut all = JoinSet::new();
    for (run, by) in runs {
        let (world, server) = (Arc::clone(world), Arc::clone(server));
        all.spawn(async move {
            let mut state = world.stored(run).await;
            for _ in 0..COMMANDS {
                let command = renew(&state, &by);
                server.say(&world, run, command).await.expect("the claim holds");
                state.claims_made += 1;
            }
        });
    }
    all.join_all().await;
    f64::from(COMMANDS) * 32.0 / begun.elapsed().as_secs_f64()
}

/// Every caller reads its own run, again and again.
async fn read_all(world: &Arc<World>, server: &Arc<Server>) -> f64 {
    let mut runs = Vec::new();
    for _ in 0..CALLERS {
        runs.push(server.started(world).await);
    }
    let begun = Instant::now();
    let mut all = JoinSet::new();
    for run in runs {
        let server = Arc::clone(server);
        all.spawn(async move {
            for _ in 0..COMMANDS {
                server.see(run).await.expect("the run can be read");
            }
        });
    }
    all.join_all().await;
    f64::from(COMMANDS) * 32.0 / begun.elapsed().as_secs_f64()
}

#[expect(clippy::print_stderr, reason = "the numbers are what this is run for")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it measures"]
async fn commands_and_reads_per_second() {
    let world = Arc::new(World::new().await);
    let server = Arc::new(world.server().await);
    let renewals = renew_all(&world, &server).await;
    let reads = read_all(&world, &server).await;
    eprintln!("renewals/s {renewals:.0}, reads/s {reads:.0}");
}
