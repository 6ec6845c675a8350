use serde_json::{Value, json};

use super::plans::flow::{Flow, agent, approve, finish, fork, listen, wait};
use super::world::{World, alpha, at, good, map, mira, olga, start_command};
use crate::state::Submission;
use crate::view::outcome;
use crate::{Command, Refusal, Rendered, Unentitled};

fn late_listener() -> Flow {
    Flow::new([
        wait("pause", 60),
        listen("first", "paid", None),
        listen("second", "paid", None),
        finish("done"),
    ])
}

fn n(n: u32) -> Value {
    json!({ "n": n })
}

#[test]
fn an_event_goes_to_the_step_that_waits_for_it() {
    let flow = Flow::new([listen("payment", "paid", None), finish("done")]);
    let mut world = World::new(&flow);
    assert_eq!(world.send("other", None), Ok(None));
    assert_eq!(world.send("paid", Some(n(1))), Ok(Some("payment".to_owned())));
    assert_eq!(outcome(&world.state), Some("done"));
    assert!(
        world.state.held.is_empty(),
        "unmatched ones are dropped when the run ends"
    );
    world.check_replays();
}

#[test]
fn an_early_event_is_held_and_each_satisfies_one_wait_oldest_first() {
    let flow = late_listener();
    let mut world = World::new(&flow);
    assert_eq!(world.send("paid", Some(n(1))), Ok(None));
    assert_eq!(world.pass(5).send("other", Some(n(9))), Ok(None));
    world.now = at(100);
    world.read();
    assert_eq!(
        world.happened_since(3),
        [("wait_elapsed", 60), ("event_delivered", 60)]
    );
    assert_eq!(world.record("first")["output"], json!({ "n": 1 }));
    assert_eq!(
        world.word("second"),
        Some("waiting"),
        "each delivery satisfies one wait"
    );
    assert_eq!(world.send("paid", Some(n(2))), Ok(Some("second".to_owned())));
    assert_eq!(world.record("second")["output"], json!({ "n": 2 }));
    world.check_replays();
}

#[test]
fn held_events_of_one_name_are_consumed_in_the_order_in_which_they_came() {
    let flow = late_listener();
    let mut world = World::new(&flow);
    for k in 1..=3 {
        assert_eq!(world.send("paid", Some(n(k))), Ok(None));
    }
    world.now = at(60);
    world.read();
    let got = |world: &World<'_>, step: &str| world.record(step)["output"]["n"].clone();
    assert_eq!(
        (got(&world, "first"), got(&world, "second")),
        (json!(1), json!(2))
    );
}

#[test]
fn an_event_without_data_is_recorded_with_an_empty_output() {
    let flow = Flow::new([listen("payment", "paid", None), finish("done")]);
    let mut world = World::new(&flow);
    world.send("paid", None).expect("it is an event");
    assert_eq!(world.record("payment")["output"], json!({}));
}

#[test]
fn an_event_that_arrives_after_a_timeout_was_due_loses_to_it() {
    let flow = Flow::new([
        listen("payment", "paid", Some(60)),
        agent("remind"),
        finish("done"),
    ]);
    for (seconds, consumer) in [(59, Some("payment".to_owned())), (60, None), (999, None)] {
        let mut world = World::new(&flow);
        world.now = at(seconds);
        assert_eq!(world.send("paid", Some(n(1))), Ok(consumer.clone()), "{seconds}");
        let by_server = world.record("payment")["by"] == json!("server");
        assert_eq!(by_server, consumer.is_none(), "{seconds}");
    }
}

#[test]
fn of_several_waits_the_longest_waiting_one_is_served_then_the_first_in_the_file() {
    let flow = Flow::new([
        fork("all", &["pause", "z", "a"]),
        wait("pause", 60).next("late"),
        listen("late", "paid", None).next("rest"),
        listen("z", "paid", None).next("rest"),
        listen("a", "paid", None).next("rest"),
        agent("rest"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    world.now = at(60);
    for step in ["z", "a", "late"] {
        assert_eq!(world.send("paid", None), Ok(Some(step.to_owned())));
    }
    assert_eq!(world.send("paid", None), Ok(None));
}

#[test]
fn a_run_holds_1000_events_and_no_more() {
    let flow = late_listener();
    let mut world = World::new(&flow);
    for _ in 0..1_000 {
        world.send("other", None).expect("there is room");
    }
    let issues = vec!["events: 1000 held".to_owned()];
    assert_eq!(world.send("other", None), Err(Refusal::Invalid(issues)));
    world.now = at(60);
    assert_eq!(
        world.send("paid", None),
        Ok(Some("first".to_owned())),
        "one that is consumed needs no room"
    );
}

#[test]
fn run_data_and_held_events_share_one_limit() {
    let flow = Flow::new([listen("payment", "paid", None), agent("rest"), finish("done")]);
    let mut command = start_command();
    command.limits.run_data_bytes = 400;
    let mut world = World::start(&flow, &command).expect("the inputs are small");
    // {"inputs":{},"steps":{}} has 24 bytes. The record of `paid` with data d is
    // "payment":{"at":"2023-11-14T22:13:20.000Z","by":"a_00000000000000000000000000","history":[],"output":d}
    // 11 + 31 + 1 + 35 + 1 + 12 + 1 + 9 + 1 = 102 bytes and d, so 126 bytes and d in all.
    let data = |bytes: usize| Some(json!({ "x": "y".repeat(bytes - 8) }));
    let too_much = Refusal::Invalid(vec!["run data: 401 bytes, limit 400".to_owned()]);
    assert_eq!(world.send("paid", data(275)), Err(too_much));
    assert_eq!(world.send("paid", data(274)), Ok(Some("payment".to_owned())));
    assert_eq!(world.state.data_bytes(), 400);
    assert!(
        matches!(world.send("other", None), Err(Refusal::Invalid(_))),
        "one that would be held counts too"
    );
    assert!(world.state.held.is_empty());
}

#[test]
fn what_is_held_counts_towards_the_limit_of_events() {
    let flow = late_listener();
    let mut command = start_command();
    command.limits.run_data_bytes = 400;
    let mut world = World::start(&flow, &command).expect("the inputs are small");
    let mut sent = 0;
    while world.send("other", None).is_ok() {
        sent += 1;
    }
    // Each will take about 100 bytes once it is recorded, and 24 are taken: three fit.
    assert_eq!(sent, 3);
}

/// The submission is refused for what the run would come to when the next step has consumed the event.
#[test]
fn what_is_held_counts_towards_the_limit_of_submissions() {
    let flow = Flow::new([agent("draft"), listen("p", "paid", None), finish("done")]);
    let mut command = start_command();
    command.limits.run_data_bytes = 400;
    let mut world = World::start(&flow, &command).expect("the inputs are small");
    // {"inputs":{},"steps":{}} has 24 bytes. The record of `p` with data d is
    // ,"p":{"at":"2023-11-14T22:13:20.000Z","by":"a_00000000000000000000000000","history":[],"output":d}
    // 1 + 3 + 1 + 1 + 31 + 1 + 35 + 1 + 12 + 1 + 9 + 1 = 97 bytes and d: with 36 bytes of data it takes 133.
    let data = json!({ "x": "y".repeat(28) });
    assert_eq!(world.send("paid", Some(data)), Ok(None));
    // The record of `draft` with output o has 131 bytes and o (see acceptance): 24 + 133 + 131 + 112 = 400.
    let text = |bytes: usize| Submission {
        output: map(json!({ "x": "y".repeat(bytes - 8) })),
        ..good()
    };
    let claim = world.claim("draft", alpha()).expect("it is ready");
    let issue = "run data: 401 bytes, limit 400".to_owned();
    assert_eq!(
        world.submit(claim, text(113)).err(),
        Some(Refusal::NotAccepted(vec![issue]))
    );
    world.submit(claim, text(112)).expect("it fits");
    assert_eq!(outcome(&world.state), Some("done"));
    assert_eq!(world.state.data_bytes(), 400);
}

#[test]
fn agents_and_operators_send_events_and_other_people_do_not() {
    let flow = late_listener();
    let mut world = World::new(&flow);
    let send = |by| Command::SendEvent {
        by,
        name: "paid".to_owned(),
        data: Some(map(json!({}))),
    };
    assert_eq!(world.act(&send(mira())), Err(Unentitled::NotAnOperator.into()));
    for by in [alpha(), olga()] {
        assert_eq!(world.act(&send(by)), Ok(Rendered::Sent { consumed_by: None }));
    }
}

#[test]
fn a_name_that_the_format_refuses_is_invalid() {
    let flow = late_listener();
    let mut world = World::new(&flow);
    let refusal = Refusal::Invalid(vec!["name: no such event".to_owned()]);
    assert_eq!(world.send("nonsense", None), Err(refusal));
}

#[test]
fn an_early_event_is_consumed_by_the_write_that_reaches_the_wait() {
    let flow = Flow::new([
        approve("check", "finance"),
        listen("payment", "paid", None),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    world.send("paid", Some(n(1))).expect("it is held");
    let view = world
        .decide_step("check", mira(), super::world::approved())
        .expect("mira is of finance");
    assert_eq!(outcome(&view.run), Some("done"));
    world.check_replays();
}
