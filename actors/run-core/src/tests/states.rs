//! The states of runs and steps, and what a snapshot covers (process.md §5).

use super::plans::flow::{Flow, agent, approve, finish, fork, listen, task, wait};
use super::world::{World, alpha, approved, at, failed, mira, olga, rejected};
use crate::settle::next_deadline;
use crate::view::{outcome, state_word};

/// A step of every kind, open at once.
fn every_kind() -> Flow {
    Flow::new([
        fork("all", &["draft", "check", "call", "pause", "ear"]),
        agent("draft").next("done"),
        approve("check", "finance").next("done"),
        task("call", "finance").next("done"),
        wait("pause", 60).next("done"),
        listen("ear", "paid", Some(90)).next("done"),
        finish("done"),
    ])
}

#[test]
fn a_step_opens_as_its_kind_asks() {
    let flow = every_kind();
    let mut world = World::new(&flow);
    let words = ["all", "draft", "check", "call", "pause", "ear", "done"].map(|step| world.word(step));
    let waiting = Some("waiting");
    assert_eq!(
        words,
        [waiting, Some("ready"), waiting, waiting, waiting, waiting, None]
    );
    let items: Vec<_> = world
        .item_rows()
        .iter()
        .map(|row| row.item.step.to_string())
        .collect();
    assert_eq!(items, ["check", "call"], "one item for each step of a person");
    assert_eq!(next_deadline(&world.state), Some(at(60)), "the wait has a timer");
    world.now = at(60);
    world.read();
    assert_eq!(next_deadline(&world.state), None, "its end was the run's");
    assert_eq!(outcome(&world.state), Some("done"));
}

#[test]
fn a_step_is_null_ready_claimed_waiting_done_failed_or_cancelled() {
    let flow = Flow::new([
        agent("draft"),
        agent("book"),
        approve("check", "finance").on_reject("draft"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    let words = |world: &mut World<'_>| ["draft", "book", "check", "done"].map(|step| world.word(step));
    let (ready, claimed, waiting) = (Some("ready"), Some("claimed"), Some("waiting"));
    let (done, failed_word, cancelled) = (Some("done"), Some("failed"), Some("cancelled"));
    assert_eq!(words(&mut world), [ready, None, None, None]);
    world.claim("draft", alpha()).expect("it is ready");
    assert_eq!(words(&mut world), [claimed, None, None, None]);
    world.pass(600).work("draft").expect("the lease has ended");
    world.work("book").expect("it is ready");
    assert_eq!(words(&mut world), [done, done, waiting, None]);
    world
        .decide_step("check", mira(), rejected())
        .expect("mira is of finance");
    assert_eq!(words(&mut world), [ready, None, None, None], "rewound");
    world.work("draft").expect("it is ready");
    world.work("book").expect("it is ready");
    let mut other = World::new(&flow);
    other.cancel(olga()).expect("olga is an operator");
    assert_eq!(words(&mut other), [cancelled, None, None, None]);
    world
        .decide_step("check", mira(), failed())
        .expect("mira is of finance");
    assert_eq!(words(&mut world), [done, done, failed_word, None]);
}

#[test]
fn a_run_is_active_while_any_step_is_ready_or_claimed() {
    let flow = Flow::new([
        fork("both", &["draft", "check"]),
        agent("draft").next("rest"),
        approve("check", "finance").next("done"),
        task("rest", "finance"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    let shown = |world: &mut World<'_>| state_word(&world.read().run).as_str();
    assert_eq!(
        shown(&mut world),
        "active",
        "the draft is ready beside an approval"
    );
    let claim = world.claim("draft", alpha()).expect("it is ready");
    assert_eq!(shown(&mut world), "active", "it is claimed");
    world.pass(600);
    assert_eq!(shown(&mut world), "active", "it is ready again");
    assert!(world.escalate(claim).is_err());
    world.work("draft").expect("it is ready");
    assert_eq!(shown(&mut world), "waiting", "only people are awaited");
    world
        .decide_step("check", mira(), approved())
        .expect("mira is of finance");
    assert_eq!(
        (shown(&mut world), outcome(&world.state)),
        ("ended", Some("done"))
    );
}

#[test]
fn a_snapshot_is_the_hash_of_run_data() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    let mut world = World::new(&flow);
    // printf '{"inputs":{},"steps":{}}' | sha256sum
    let empty = "sha256:44ff71b8d6db0b99cdf920066acdd90044d7e769f5e55c337bfb4d08a4d5db18";
    assert_eq!(world.read().run.snapshot().to_string(), empty);
    let mut other = super::world::start_command();
    other.inputs = super::world::map(serde_json::json!({ "n": 1 }));
    let other = World::start(&flow, &other).expect("the inputs are fine");
    assert_ne!(other.state.snapshot().to_string(), empty, "inputs are covered");
    world.work("draft").expect("it is ready");
    assert_ne!(world.state.snapshot().to_string(), empty, "records are covered");
}

/// The second rejection says what the first one said, at the same instant: only history differs.
#[test]
fn a_snapshot_covers_history() {
    let flow = Flow::new([approve("check", "finance").on_reject("check"), finish("done")]);
    let mut world = World::new(&flow);
    let mut seen = Vec::new();
    for _ in 0..2 {
        world
            .decide_step("check", mira(), rejected())
            .expect("mira is of finance");
        let mut record = world.record("check");
        record["history"].take();
        seen.push((record, world.state.snapshot()));
    }
    assert_eq!(seen[0].0, seen[1].0);
    assert_ne!(seen[0].1, seen[1].1);
}
