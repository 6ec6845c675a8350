use serde_json::json;

use super::plans::facts::Facts;
use super::world::{World, alpha, approved, at, beta, good, mira, start_command};
use crate::command::Adjustment;
use crate::plan::Plan;
use crate::view::{outcome, state_word};
use crate::{Map, Outdated, Refusal, Rendered};

fn delegate() -> Adjustment {
    Adjustment::Plan(json!({ "delegated": true }))
}

#[test]
fn a_run_with_nothing_open_waits() {
    let mut world = World::new(&Facts);
    let view = world.read();
    assert!(view.items.is_empty() && world.offers().is_empty());
    assert_eq!(state_word(&world.state).as_str(), "waiting");
    assert!(world.state.is_running());
}

#[test]
fn a_fact_makes_a_step_legal() {
    let mut world = World::new(&Facts);
    assert_eq!(world.pass(5).send("paid", None), Ok(None));
    assert_eq!(world.happened_since(1), [("event_taken", 5)]);
    assert_eq!(world.state.memory, json!({ "paid": true }));
    assert_eq!(world.offers()[0].ready_since, at(5));
    let seq = world.state.seq;
    world.send("paid", None).expect("a fact that is known already");
    assert_eq!(world.step("ship").attempt, 1, "an open step stays as it is");
    assert_eq!(world.happened_since(seq), [("event_taken", 5)]);
}

#[test]
fn an_event_that_is_no_fact_is_invalid_and_writes_nothing() {
    let mut world = World::new(&Facts);
    let issues = vec!["name: sunshine is not a fact".to_owned()];
    assert_eq!(world.send("sunshine", None), Err(Refusal::Invalid(issues)));
    assert_eq!(world.state.seq, 1);
}

#[test]
fn a_claimed_step_that_is_no_longer_legal_is_taken_back() {
    let mut world = World::new(&Facts);
    world.send("paid", None).expect("it is a fact");
    let claim = world.claim("ship", alpha()).expect("the step is legal");
    world.send("recalled", None).expect("it is a fact");
    assert_eq!(world.word("ship"), None);
    assert!(world.offers().is_empty());
    assert_eq!(world.submit(claim, good()), Err(Outdated::ClaimReplaced.into()));
    assert_eq!(world.renew(claim, None), Err(Outdated::ClaimReplaced.into()));
    assert_eq!(state_word(&world.state).as_str(), "waiting");
    world.check_replays();
}

#[test]
fn a_gate_becomes_an_agent_step_and_its_item_is_stale() {
    let mut world = World::new(&Facts);
    world.send("paid", None).expect("it is a fact");
    world.work("ship").expect("the step is legal");
    let item = world.item("release").id.to_string();
    let decide = |world: &mut World<'_>| world.decide_item(&item, mira(), approved());

    world
        .adjust(delegate())
        .expect("whoever adjusts has been checked");
    assert_eq!(decide(&mut world), Err(Outdated::ItemWithdrawn.into()));
    assert!(world.item_rows().is_empty());

    let claim = world.claim("release", beta()).expect("the gate is delegated");
    assert_eq!(world.step("release").attempt, 2, "it is a fresh attempt");
    world
        .submit(claim, good())
        .expect("there is nothing to complain about");
    assert_eq!(outcome(&world.state), Some("released"));
}

#[test]
fn a_gate_that_is_not_delegated_is_decided_by_a_person() {
    let mut world = World::new(&Facts);
    world.send("paid", None).expect("it is a fact");
    world.work("ship").expect("the step is legal");
    world
        .decide_step("release", mira(), approved())
        .expect("mira is of finance");
    assert_eq!(outcome(&world.state), Some("released"));
}

#[test]
fn a_memory_that_changed_makes_a_decision_stale() {
    let mut world = World::new(&Facts);
    let before = world.state.snapshot();
    world.send("paid", None).expect("it is a fact");
    assert_ne!(world.state.snapshot(), before);
}

#[test]
fn a_fact_is_bounded_like_any_event() {
    let mut command = start_command();
    command.limits.run_data_bytes = 200;
    let mut world = World::start(&Facts, &command).expect("there are no inputs");
    let data = |bytes| Some(json!({ "x": "y".repeat(bytes) }));
    assert!(matches!(world.send("paid", data(100)), Err(Refusal::Invalid(_))));
    assert_eq!(world.state.seq, 1);
    assert_eq!(world.send("paid", data(10)), Ok(None));
}

#[test]
fn a_format_answers_the_tools_that_it_adds() {
    let mut world = World::new(&Facts);
    world.send("paid", None).expect("it is a fact");
    let ask = |name: &str| Facts.query(name, &Map::new(), &world.state);
    assert_eq!(ask("evaluate"), Some(Ok(json!({ "paid": true }))));
    assert_eq!(ask("route"), None);
}

#[test]
fn a_taken_event_is_consumed_by_no_step_also_when_asked_again() {
    let mut world = World::new(&Facts);
    world.send("paid", None).expect("it is a fact");
    world.work("ship").expect("the step is legal");
    let shown = crate::render(&Facts, &world.state, &world.journal[1..2], at(0));
    assert_eq!(shown, Rendered::Sent { consumed_by: None });
}
