use serde_json::{Value, json};

use super::plans::flow::{Flow, agent, approve, finish, listen, wait};
use super::world::{
    World, agent_id, alpha, approved, at, failed, good, lena, map, mira, omar, person_id, rejected, route,
};
use crate::Actor;
use crate::state::{Status, Submission};
use crate::view::{end, outcome};

/// draft → book → check, which goes back to draft; then legal, which goes back to draft too.
fn flow() -> Flow {
    Flow::new([
        agent("draft"),
        agent("book"),
        approve("check", "finance").on_reject("draft"),
        approve("legal", "legal").on_reject("draft"),
        finish("done"),
    ])
}

fn history(record: &Value) -> Vec<&Value> {
    record["history"].as_array().into_iter().flatten().collect()
}

#[test]
fn an_agents_record_says_what_who_and_when() {
    let flow = Flow::new([
        agent("draft").routes(&["done", "book"]),
        agent("book"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("the step is ready");
    let output = map(serde_json::from_str(r#"{"amount":12345678901234567890.10}"#).expect("a fixed text"));
    world
        .pass(7)
        .submit(
            claim,
            Submission {
                output,
                ..route("done")
            },
        )
        .expect("it is good");
    let expected =
        r#"{"at":"2023-11-14T22:13:27.000Z","by":"a_00000000000000000000000000","evidence":[],"history":[],"#
            .to_owned()
            + r#""next":"done","output":{"amount":12345678901234567890.10},"reason":"it fits","summary":"done"}"#;
    assert_eq!(world.record("draft").to_string(), expected);
    assert_eq!(outcome(&world.state), Some("done"));
    assert_eq!(world.record("done"), Value::Null, "a finish records nothing");
    assert_eq!(world.word("done"), Some("done"));
    assert_eq!(
        world.word("book"),
        None,
        "a step that was never reached stays null"
    );
}

#[test]
fn an_approval_records_its_decision_and_no_null_note() {
    let flow = flow();
    let mut world = World::new(&flow);
    world.work("draft").expect("it is ready");
    world.work("book").expect("it is ready");
    world
        .decide_step("check", omar(), approved())
        .expect("omar is of finance");
    let by = person_id("omar").to_string();
    let at = at(0).to_string();
    assert_eq!(
        world.record("check"),
        json!({ "decision": "approved", "by": by, "at": at, "history": [] })
    );
}

#[test]
fn a_rejection_rewinds_what_completed_after_its_target() {
    let flow = flow();
    let mut world = World::new(&flow);
    world.work("draft").expect("it is ready");
    world.work("book").expect("it is ready");
    world
        .pass(9)
        .decide_step("check", mira(), rejected())
        .expect("mira is of finance");

    assert_eq!(world.word("draft"), Some("ready"));
    assert!(
        world.record("draft")["summary"].is_string(),
        "the target keeps its record"
    );
    assert!(history(&world.record("draft")).is_empty());
    assert_eq!(world.word("book"), None);
    let book = world.record("book");
    assert_eq!((book.get("summary"), history(&book).len()), (None, 1));
    assert_eq!(
        history(&book)[0].get("history"),
        None,
        "entries have no history of their own"
    );
    assert_eq!(world.word("check"), None);
    let by = person_id("mira").to_string();
    let expected = json!({
        "decision": "rejected", "note": "not like this", "by": by, "at": at(9).to_string(), "history": [],
    });
    assert_eq!(world.record("check"), expected, "the approval keeps its record");
    assert_eq!(world.offers().len(), 1);
}

#[test]
fn a_second_completion_moves_the_first_one_to_history() {
    let flow = flow();
    let mut world = World::new(&flow);
    for _ in 0..2 {
        world.work("draft").expect("it is ready");
        world.work("book").expect("it is ready");
        world
            .decide_step("check", mira(), rejected())
            .expect("mira is of finance");
    }
    assert_eq!(history(&world.record("draft")).len(), 1);
    assert_eq!(history(&world.record("book")).len(), 2);
    assert_eq!(history(&world.record("check")).len(), 1);
    world.work("draft").expect("it is ready");
    world.work("book").expect("it is ready");
    world
        .decide_step("check", mira(), approved())
        .expect("mira is of finance");
    let check = world.record("check");
    assert_eq!(
        (&check["decision"], history(&check).len()),
        (&json!("approved"), 2)
    );
    world.check_replays();
}

#[test]
fn completed_after_goes_by_event_and_not_by_time() {
    let flow = flow();
    let mut world = World::new(&flow);
    world.work("draft").expect("it is ready");
    world.work("book").expect("it is ready");
    world
        .decide_step("check", mira(), approved())
        .expect("mira is of finance");
    world
        .decide_step("legal", lena(), rejected())
        .expect("lena is legal");
    assert_eq!(
        world.state.last_at,
        at(0),
        "everything happened within one millisecond"
    );
    for step in ["book", "check"] {
        assert_eq!(history(&world.record(step)).len(), 1, "{step}");
        assert_eq!(world.word(step), None, "{step}");
    }
}

#[test]
fn a_rejection_may_go_ahead_and_then_rewinds_nothing() {
    let flow = Flow::new([
        agent("draft"),
        approve("check", "finance").on_reject("repair"),
        finish("done"),
        agent("repair").next("done"),
    ]);
    let mut world = World::new(&flow);
    world.work("draft").expect("it is ready");
    world
        .decide_step("check", mira(), rejected())
        .expect("mira is of finance");
    assert_eq!((world.word("draft"), world.word("check")), (Some("done"), None));
    assert_eq!(world.word("repair"), Some("ready"));
}

#[test]
fn an_approval_that_asks_itself_again_is_a_fresh_attempt() {
    let flow = Flow::new([
        approve("check", "finance").on_reject("check").due(60),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    let first = world.item("check").id;
    world
        .pass(30)
        .decide_step("check", mira(), rejected())
        .expect("mira is of finance");
    let second = world.item("check");
    assert_ne!(second.id, first);
    assert_eq!(second.due, Some(at(90)), "due restarts");
    assert_eq!(world.word("check"), Some("waiting"));
    assert_eq!(world.record("check")["decision"], json!("rejected"));
}

#[test]
fn a_rejection_without_a_target_ends_the_run_rejected() {
    let flow = Flow::new([approve("check", "finance"), finish("done")]);
    let mut world = World::new(&flow);
    world
        .pass(3)
        .decide_step("check", mira(), rejected())
        .expect("mira is of finance");
    assert_eq!(world.word("check"), Some("done"), "its rejection ended the run");
    assert_eq!(outcome(&world.state), Some("rejected"));
    let end = end(&world.state).expect("it is over");
    let by = Actor::Person(person_id("mira"));
    assert_eq!(
        (end.by, end.at, end.note.as_deref()),
        (by, at(3), Some("not like this"))
    );
}

#[test]
fn a_rejection_into_a_finish_ends_the_run_with_its_outcome() {
    let flow = Flow::new([
        approve("check", "finance").on_reject("declined"),
        finish("done"),
        finish("declined"),
    ]);
    let mut world = World::new(&flow);
    world
        .decide_step("check", mira(), rejected())
        .expect("mira is of finance");
    let end = end(&world.state).expect("it is over");
    assert_eq!(
        (outcome(&world.state), end.by, end.note.as_ref()),
        (Some("declined"), Actor::Server, None)
    );
    assert_eq!(
        (world.word("check"), world.word("declined")),
        (Some("done"), Some("done"))
    );
}

#[test]
fn a_failed_decision_ends_the_run_in_the_persons_name() {
    let flow = flow();
    let mut world = World::new(&flow);
    world.work("draft").expect("it is ready");
    world.work("book").expect("it is ready");
    world
        .decide_step("check", mira(), failed())
        .expect("mira is of finance");
    let by = person_id("mira");
    let record = json!({
        "decision": "failed", "note": "it cannot be done", "by": by.to_string(), "at": at(0).to_string(), "history": [],
    });
    assert_eq!(world.record("check"), record);
    assert_eq!(world.word("check"), Some("failed"));
    let end = end(&world.state).expect("it is over");
    assert_eq!(
        (outcome(&world.state), end.by),
        (Some("failed"), Actor::Person(by))
    );
    assert!(matches!(world.state.status, Status::Ended { .. }));
}

#[test]
fn waits_record_the_server_and_events_their_sender() {
    let flow = Flow::new([
        wait("pause", 60),
        listen("payment", "paid", None),
        listen("more", "extra", Some(5)),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    world.now = at(60);
    world.read();
    assert_eq!(
        world.record("pause"),
        json!({ "by": "server", "at": at(60).to_string(), "history": [] })
    );
    world.now = at(70);
    world
        .send("paid", Some(json!({ "cents": 1 })))
        .expect("it is an event");
    let by = agent_id(0).to_string();
    let expected = json!({ "output": { "cents": 1 }, "by": by, "at": at(70).to_string(), "history": [] });
    assert_eq!(world.record("payment"), expected);
    world.now = at(80);
    world.read();
    assert_eq!(
        world.record("more"),
        json!({ "by": "server", "at": at(75).to_string(), "history": [] })
    );
    assert_eq!(outcome(&world.state), Some("done"));
}

#[test]
fn a_claim_that_was_rewound_is_dead() {
    let flow = flow();
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    world.submit(claim, good()).expect("it is good");
    assert!(world.submit(claim, good()).is_err());
}
