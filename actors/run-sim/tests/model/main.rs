//! Random commands and jumps of time on random processes: what the product answers and shows is what the naive model says, and what must
//! always be so is so.
//!
//! `BATON_MODEL_RUNS` says how many runs; `BATON_MODEL_SEED` runs one of them. A run that fails is shortened to the commands that matter,
//! and printed in the form that `REGRESSIONS` takes.

mod act;
mod cast;
mod doing;
mod play;
mod shown;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use std::thread;

use act::Act;
use play::Play;
use run_sim::Dice;
use run_sim::processes::Process;

/// Runs of one test where nothing else is said; there are four tests.
const RUNS: u64 = 1_250;

/// The most commands of a run.
const ACTS_MAX: usize = 60;

/// Runs that failed once, as seed and the commands that mattered. A seed means another process as soon as processes are drawn
/// otherwise; what it showed has a test of its own where the rule is, too.
const REGRESSIONS: &[(u64, &[usize])] = &[];

fn acts_of(seed: u64) -> Vec<Act> {
    // Not the dice of the process: a longer process leaves the commands as they are.
    let dice = Dice::new(!seed);
    let count = dice.between(5, ACTS_MAX);
    (0..count).map(|_| Act::random(&dice)).collect()
}

/// Plays some of a seed's commands.
fn play(seed: u64, kept: &[usize]) {
    let acts = acts_of(seed);
    let dice = Dice::new(seed ^ 0x5eed);
    let Some(mut play) = Play::start(Process::random(seed), &dice) else {
        return;
    };
    for at in kept {
        if let Some(act) = acts.get(*at) {
            play.act(act);
        }
    }
    play.end();
}

/// Says nothing: of the many failures on the way only the last one matters.
fn fails(seed: u64, kept: &[usize]) -> bool {
    IS_QUIET.set(true);
    let has_failed = catch_unwind(AssertUnwindSafe(|| play(seed, kept))).is_err();
    IS_QUIET.set(false);
    has_failed
}

fn be_quiet_when_asked() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let loud = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_QUIET.get() {
                loud(panic);
            }
        }));
    });
}

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Plays a seed; one that fails is shortened first, and fails with what is left.
fn check(seed: u64) {
    be_quiet_when_asked();
    let mut kept: Vec<usize> = (0..acts_of(seed).len()).collect();
    if !fails(seed, &kept) {
        return;
    }
    let mut at = 0;
    while at < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(at);
        if fails(seed, &fewer) {
            kept = fewer;
        } else {
            at += 1;
        }
    }
    let acts = acts_of(seed);
    let left: Vec<&Act> = kept.iter().filter_map(|at| acts.get(*at)).collect();
    // Says what is wrong.
    let _ = catch_unwind(AssertUnwindSafe(|| play(seed, &kept)));
    panic!(
        "({seed}, &{kept:?}),\n{left:#?}\n{}",
        Process::random(seed).text()
    );
}

/// A share of all runs, so that the shares go side by side.
fn share(number: u64) {
    if let Some(seed) = from_environment("BATON_MODEL_SEED") {
        return if number == 0 {
            check(seed);
        };
    }
    let runs = from_environment("BATON_MODEL_RUNS").map_or(RUNS, |runs| runs.div_ceil(4));
    (number * runs..(number + 1) * runs).for_each(check);
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long a test is, is said to it from outside"
)]
fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn a_run_is_what_the_model_says_first_share() {
    share(0);
}

#[test]
fn a_run_is_what_the_model_says_second_share() {
    share(1);
}

#[test]
fn a_run_is_what_the_model_says_third_share() {
    share(2);
}

#[test]
fn a_run_is_what_the_model_says_fourth_share() {
    share(3);
}

#[test]
fn runs_that_failed_once_do_not_fail_again() {
    for (seed, kept) in REGRESSIONS {
        play(*seed, kept);
    }
}

/// Most commands do something, else the runs say little.
#[test]
fn most_commands_are_accepted() {
    let played = thread::spawn(|| {
        let (mut accepted, mut refused) = (0, 0);
        for seed in 0..100 {
            let dice = Dice::new(seed ^ 0x5eed);
            if let Some(mut play) = Play::start(Process::random(seed), &dice) {
                for act in &acts_of(seed) {
                    play.act(act);
                }
                accepted += play.accepted;
                refused += play.refused;
            }
        }
        (accepted, refused)
    });
    let (accepted, refused) = played.join().expect("nothing fails");
    assert!(
        accepted > 500 && refused > 300,
        "{accepted} accepted, {refused} refused"
    );
}
