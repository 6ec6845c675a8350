//! Whole servers in virtual time, from one seed: their ports fail before and after they took effect, actors and servers die, clocks
//! differ, timers are lost and come twice, the directory changes, and callers ask again.
//!
//! `BATON_SIM_SEED` runs one seed, `BATON_SIM_SEEDS` says how many, and `BATON_SIM_FIRST` which is the first. A seed that fails prints what
//! happened.

mod link;
mod participant;
mod refusals;
mod verify;
mod watched;
mod world;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, Once};
use std::time::Duration;

use link::{lock, pause};
use participant::{Role, participate};
use run_core::RunWord;
use run_sim::Dice;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use verify::{check_keepers, verify};
use world::{World, millis};

/// Seeds of one test where nothing else is said; there are two tests.
const SEEDS: u64 = 100;

/// How long things go wrong, in virtual time.
const TROUBLE: Duration = Duration::from_mins(5);

/// How long it may take then until every run has come to its end.
const CALM_MAX: Duration = Duration::from_hours(48);

/// How long keepers may take for what is due and for items that are to move, once nothing goes wrong any more.
const KEEPERS_MAX: Duration = Duration::from_secs(45);

/// What came of a seed.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    trace: Vec<String>,
    counts: BTreeMap<&'static str, u64>,
    calls: usize,
    lasted: Duration,
}

type Trace = Arc<Mutex<Vec<String>>>;

fn simulate(seed: u64, trace: &Trace) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime starts");
    runtime.block_on(live(seed, Arc::clone(trace)))
}

async fn live(seed: u64, trace: Trace) -> Outcome {
    let began = Instant::now();
    let world = World::new(seed, trace).await;
    let dice = Dice::new(seed.rotate_left(32));
    for _ in 0..dice.between(2, 3) {
        world.start_server().await;
    }
    let mut participants = Vec::new();
    for organization in 0..world.organizations.len() {
        for role in [
            Role::Agent(1),
            Role::Agent(2),
            Role::People,
            Role::People,
            Role::Sender,
        ] {
            let seed = dice.below(1 << 60) as u64;
            participants.push(tokio::spawn(participate(
                Arc::clone(&world),
                organization,
                role,
                seed,
            )));
        }
    }
    trouble(&world, &dice, began + TROUBLE).await;
    world.fates.calm();
    world.say("calm");
    while world.servers_running() < 2 {
        world.start_server().await;
    }
    until_all_have_ended(&world, &participants).await;
    world.is_over.store(true, Ordering::SeqCst);
    for participant in participants {
        if let Err(error) = participant.await {
            std::panic::resume_unwind(error.into_panic());
        }
    }
    let calls = lock(&world.told).len();
    verify(&world).await;
    Outcome {
        trace: world.trace(),
        counts: world.fates.counts(),
        calls,
        lasted: began.elapsed(),
    }
}

/// Servers die and come back, the database is away, and who is who changes.
async fn trouble(world: &Arc<World>, dice: &Dice, until: Instant) {
    while Instant::now() < until {
        pause(millis(dice, 500, 25_000)).await;
        match dice.below(10) {
            0..=3 => {
                world.kill_a_server();
                if dice.chance(50) {
                    pause(millis(dice, 0, 20_000)).await;
                }
                world.start_server().await;
            }
            4 => {
                world.fates.count("the database was away");
                world.say("the database is away");
                world.database.go_away();
                pause(millis(dice, 500, 30_000)).await;
                world.database.come_back();
                world.say("the database is back");
            }
            5..=7 => {
                let organization = dice.below(world.organizations.len());
                let members: &[usize] = dice
                    .pick(&[&[0, 1][..], &[0], &[1], &[1, 2]])
                    .copied()
                    .unwrap_or(&[0]);
                world.fates.count("a group changed");
                world.say(format!("finance is {members:?} in organization {organization}"));
                world.put_group(organization, "finance", members);
                if let Some((_, server)) = world.server() {
                    let (world, id) = (Arc::clone(world), world.organizations[organization].id);
                    tokio::spawn(async move {
                        let applied = server.answer(async {
                            server.runs.apply_reassignments(id).await;
                            Ok(())
                        });
                        let _ = applied.await;
                        world.say("the change was applied");
                    });
                }
            }
            8 => {
                let organization = dice.below(world.organizations.len());
                let place = dice.below(world.organizations[organization].processes.len());
                world.fates.count("a version was published");
                world.say(format!(
                    "process {place} is published in organization {organization}"
                ));
                world.publish(organization, place).await;
            }
            _ => {}
        }
    }
}

/// Returns early when a participant has found something wrong.
async fn until_all_have_ended(world: &World, participants: &[JoinHandle<()>]) {
    let calm_since = Instant::now();
    let bound = calm_since + CALM_MAX;
    loop {
        pause(Duration::from_secs(10)).await;
        if participants.iter().any(JoinHandle::is_finished) {
            return;
        }
        if Instant::now() > calm_since + KEEPERS_MAX {
            check_keepers(world).await;
        }
        let mut running = 0;
        for organization in &world.organizations {
            for (run, _) in organization.runs() {
                let kept = world.database.store.kept(organization.id, run);
                let is_over =
                    kept.is_some_and(|kept| matches!(kept.row.state, RunWord::Ended | RunWord::Cancelled));
                running += usize::from(!is_over);
            }
        }
        let started: usize = world
            .organizations
            .iter()
            .map(|organization| organization.runs().len())
            .sum();
        if running == 0 && started > 0 {
            return;
        }
        assert!(
            Instant::now() < bound,
            "{running} of {started} runs come to no end"
        );
    }
}

/// Runs a seed; one that fails says what happened.
fn check(seed: u64) -> Outcome {
    be_quiet_about_killed_actors();
    let trace = Trace::default();
    let outcome = catch_unwind(AssertUnwindSafe(|| simulate(seed, &trace)));
    outcome.unwrap_or_else(|_| panic!("BATON_SIM_SEED={seed}\n{}", lock(&trace).join("\n")))
}

fn be_quiet_about_killed_actors() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let loud = take_hook();
        set_hook(Box::new(move |panic| {
            let is_ours = panic
                .payload_as_str()
                .is_some_and(|text| text.contains("killed by the simulation"));
            if !is_ours {
                loud(panic);
            }
        }));
    });
}

fn share(number: u64) {
    if let Some(seed) = from_environment("BATON_SIM_SEED") {
        if number == 0 {
            check(seed);
        }
        return;
    }
    let seeds = from_environment("BATON_SIM_SEEDS").map_or(SEEDS, |seeds| seeds.div_ceil(2));
    let first = from_environment("BATON_SIM_FIRST").unwrap_or(0) + number * seeds;
    let (mut counts, mut calls, mut lasted) = (BTreeMap::new(), 0, Duration::ZERO);
    for seed in first..first + seeds {
        let outcome = check(seed);
        for (what, count) in outcome.counts {
            *counts.entry(what).or_insert(0) += count;
        }
        calls += outcome.calls;
        lasted += outcome.lasted;
    }
    eprint_summary(seeds, calls, lasted, &counts);
}

#[expect(
    clippy::print_stderr,
    reason = "figures of a long run, for whoever reads its log"
)]
fn eprint_summary(seeds: u64, calls: usize, lasted: Duration, counts: &BTreeMap<&'static str, u64>) {
    let hours = lasted.as_secs() / 3600;
    eprintln!("{seeds} seeds, {calls} writes asked for, {hours} hours of virtual time, {counts:?}");
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long a test is, is said to it from outside"
)]
fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn what_was_acknowledged_is_kept_and_every_run_ends_first_share() {
    share(0);
}

#[test]
fn what_was_acknowledged_is_kept_and_every_run_ends_second_share() {
    share(1);
}

#[test]
fn a_seed_is_the_same_every_time() {
    for seed in 1_000_000..1_000_005 {
        let (one, other) = (check(seed), check(seed));
        let differs = one
            .trace
            .iter()
            .zip(&other.trace)
            .position(|(one, other)| one != other);
        assert_eq!(
            differs,
            None,
            "seed {seed}: {:?}",
            differs.map(|at| (&one.trace[at], &other.trace[at]))
        );
        assert_eq!(one.trace.len(), other.trace.len());
    }
}
