use super::plans::flow::{Flow, agent, approve, approve_by, finish, fork, listen, task, wait};
use super::world::{
    World, alpha, approved, at, failed, good, group, lease, mira, olga, person_id, start_command,
};
use crate::command::{Adjustment, Command};
use crate::event::{Event, EventKind};
use crate::plan::Assignee;
use crate::state::{Phase, Status};
use crate::view::{end, outcome, state_word};
use crate::{
    Actor, ClaimId, Conflict, Decision, Effect, Mode, Refusal, RunState, Unentitled, Written, decide, effects,
};

fn everything_open() -> Flow {
    Flow::new([
        fork("all", &["draft", "check", "call", "pause", "ear"]),
        agent("draft").next("done"),
        approve("check", "finance").next("done"),
        task("call", "finance").next("done"),
        wait("pause", 60).next("done"),
        listen("ear", "paid", None).next("done"),
        agent("never").next("done"),
        finish("done"),
    ])
}

#[test]
fn only_an_operator_cancels() {
    let flow = everything_open();
    let mut world = World::new(&flow);
    for by in [alpha(), mira()] {
        assert_eq!(world.cancel(by), Err(Unentitled::NotAnOperator.into()));
    }
    world.pass(7).cancel(olga()).expect("olga is an operator");
    assert_eq!(
        (state_word(&world.state).as_str(), outcome(&world.state)),
        ("cancelled", None)
    );
    let end = end(&world.state).expect("it is over");
    let by = Actor::Person(person_id("olga"));
    assert_eq!(
        (end.by, end.at, end.note.as_deref()),
        (by, at(7), Some("entered twice"))
    );
}

#[test]
fn an_end_cancels_what_is_unfinished_and_leaves_the_rest() {
    let flow = everything_open();
    for check in ["done", "failed", "cancelled"] {
        let mut world = World::new(&flow);
        world.claim("draft", alpha()).expect("it is ready");
        world.send("other", None).expect("it is held");
        let ended = match check {
            "done" => world.decide_step("check", mira(), approved()),
            "failed" => world.decide_step("check", mira(), failed()),
            _ => world.cancel(olga()),
        };
        ended.expect("mira is of finance, olga is an operator");
        for step in ["all", "draft", "call", "pause", "ear"] {
            assert_eq!(world.word(step), Some("cancelled"), "{step}");
        }
        assert_eq!(world.word("check"), Some(check));
        assert_eq!(world.word("never"), None, "never reached");
        assert!(world.offers().is_empty() && world.item_rows().is_empty());
        assert!(world.state.held.is_empty());
        let view = world.read();
        assert!(view.items.is_empty());
        assert!(view.steps.iter().all(|step| step.due.is_none() && !step.overdue));
        assert!(
            !view.data["steps"].to_string().contains("cancelled"),
            "run data is as it was"
        );
    }
}

#[test]
fn run_ended_comes_before_everything() {
    let flow = everything_open();
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    world.cancel(olga()).expect("olga is an operator");
    let (text, by) = (|| "x".to_owned(), mira);
    let claim = ClaimId {
        number: crate::ClaimNumber(9),
        ..claim
    };
    let commands = [
        Command::Claim {
            step: text(),
            by: by(),
            lease: lease(),
        },
        Command::Renew {
            claim,
            by: by(),
            progress: None,
            lease: lease(),
        },
        Command::Submit {
            claim,
            by: by(),
            submission: good(),
        },
        Command::Escalate {
            claim,
            by: by(),
            note: text(),
        },
        Command::Decide {
            item: text(),
            by: alpha(),
            snapshot: text(),
            verdict: approved(),
        },
        Command::Cancel {
            by: by(),
            reason: text(),
        },
        Command::SendEvent {
            by: by(),
            name: "nonsense".to_owned(),
            data: None,
        },
        Command::Adjust {
            by: Actor::Server,
            adjustment: Adjustment::Reassign,
        },
        Command::Adjust {
            by: Actor::Server,
            adjustment: Adjustment::Plan(serde_json::Value::Null),
        },
    ];
    let before = (world.state.clone(), world.journal.len());
    for command in commands {
        assert_eq!(
            world.pass(100).act(&command),
            Err(Conflict::RunEnded.into()),
            "{command:?}"
        );
    }
    assert_eq!((world.state.clone(), world.journal.len()), before);
    world.check_replays();
}

#[test]
fn a_step_that_nobody_can_be_found_for_fails_the_run() {
    let nobody = |assignee| Flow::new([agent("draft"), approve_by("check", assignee), finish("done")]);
    let member = |email: &str| Assignee::Member(Some(email.to_owned()));
    let cases = [
        (
            Assignee::Role("nobody".to_owned()),
            "the role nobody is not mapped to a group",
        ),
        (
            member("gone@example.com"),
            "gone@example.com is not a member of this organization",
        ),
        (Assignee::Member(None), "run data names nobody for this step"),
        (
            Assignee::Initiator,
            "the run was started by an agent and has no initiator",
        ),
    ];
    for (assignee, note) in cases {
        let flow = nobody(assignee);
        let mut command = start_command();
        command.starter.initiator = None;
        let mut world = World::start(&flow, &command).expect("the inputs are fine");
        world.work("draft").expect("it is ready");
        assert_eq!((outcome(&world.state), world.state.seq), (Some("failed"), 3));
        let expected = serde_json::json!({
            "decision": "failed", "note": note, "by": "server", "at": at(0).to_string(), "history": [],
        });
        assert_eq!(world.record("check"), expected);
        assert_eq!(world.word("check"), Some("failed"));
        let end = end(&world.state).expect("it is over");
        assert_eq!((end.by, end.note.as_deref()), (Actor::Server, Some(note)));
    }
}

#[test]
fn a_branch_that_cannot_be_opened_ends_the_whole_run() {
    let flow = Flow::new([
        fork("all", &["draft", "check", "late"]),
        agent("draft").next("done"),
        approve("check", "nobody").next("done"),
        agent("late").next("done"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    assert_eq!(outcome(&world.state), Some("failed"));
    let words = ["all", "draft", "check", "late"].map(|step| world.word(step));
    assert_eq!(
        words,
        [Some("cancelled"), Some("cancelled"), Some("failed"), None]
    );
}

/// A task that waits for the operators. It comes to that only through a check on its result, so the event stands here by hand.
fn escalated_task(world: &World<'_>) -> RunState {
    let mut state = (*world.state).clone();
    state.evolve(&Event {
        seq: 2,
        at: at(5),
        kind: EventKind::StepEscalated {
            step: "call".into(),
            by: Actor::Server,
            note: "unsure".to_owned(),
            item: 1,
            assigned: group("operators", &["olga"]),
        },
    });
    state
}

/// The task given back by an operator.
fn given_back(world: &World<'_>, state: &RunState) -> Written {
    let command = Command::Decide {
        item: state.item_id(1).to_string(),
        by: olga(),
        snapshot: state.snapshot().to_string(),
        verdict: super::world::returned(),
    };
    match decide(world.plan, state, &command, at(9), &world.known) {
        Decision::Accepted(written) => written,
        other => panic!("olga is an operator: {other:?}"),
    }
}

#[test]
fn a_returned_task_waits_again_with_an_item_of_its_assignee() {
    let flow = Flow::new([task("call", "finance"), finish("done")]);
    let world = World::new(&flow);
    let written = given_back(&world, &escalated_task(&world));
    let call = &written.state.steps["call"];
    assert!(matches!(call.phase, Phase::Assigned(_)));
    let item = call.item().expect("the assignee has an item again");
    assert_eq!(
        (item.number, &item.assigned),
        (2, &group("finance", &["mira", "omar"]))
    );
    let returned = call.handoff.returned.as_ref().expect("it says what was noted");
    assert_eq!(
        (returned.note.as_str(), returned.by, returned.at),
        ("look in the archive", person_id("olga"), at(9))
    );
}

#[test]
fn a_returned_task_whose_assignee_is_gone_fails_the_run() {
    let flow = Flow::new([task("call", "finance"), finish("done")]);
    let mut world = World::new(&flow);
    world.known.note_role("finance".to_owned(), None);
    let mut state = escalated_task(&world);
    let written = given_back(&world, &state);
    let ended = &written.state;
    assert_eq!(
        (outcome(ended), state_word(ended).as_str()),
        (Some("failed"), "ended")
    );
    assert_eq!(ended.steps["call"].phase, Phase::Failed);
    let note = "the role finance is not mapped to a group";
    assert_eq!(end(ended).and_then(|end| end.note.as_deref()), Some(note));
    assert_eq!(effects(ended, &written.events), [Effect::TellEnded]);
    state.evolve(&written.events[0]);
    assert_eq!(state, *ended);
}

#[test]
fn a_start_with_issues_makes_no_run() {
    let flow = everything_open();
    let mut command = start_command();
    command.inputs = super::world::map(serde_json::json!({ "bad": 1 }));
    let refused = World::start(&flow, &command).map(|world| world.journal);
    assert_eq!(
        refused,
        Err(Refusal::Invalid(vec!["inputs.bad: not declared".to_owned()]))
    );
}

#[test]
fn effects_tell_of_items_due_times_and_the_end() {
    let flow = Flow::new([
        approve("check", "finance").due(60),
        agent("draft"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    let told = |world: &World<'_>, seq: u64| {
        let first = usize::try_from(seq).expect("a test writes few events");
        effects(&world.state, &world.journal[first..])
    };
    let opened = |step: &str, item| Effect::TellItemOpened {
        step: step.into(),
        item,
    };
    assert_eq!(told(&world, 0), [opened("check", 0)]);
    world.now = at(60);
    world.read();
    assert_eq!(told(&world, 1), [Effect::TellOverdue { step: "check".into() }]);
    world
        .decide_step("check", mira(), approved())
        .expect("mira is of finance");
    let claim = world.claim("draft", alpha()).expect("it is ready");
    world.escalate(claim).expect("alpha holds it");
    assert_eq!(told(&world, 2), [opened("draft", 1)]);
    let seq = world.state.seq;
    world
        .decide_step("draft", olga(), failed())
        .expect("olga is an operator");
    assert_eq!(told(&world, seq), [Effect::TellEnded]);
}

#[test]
fn nobody_is_told_of_an_item_that_its_own_write_closed() {
    let flow = Flow::new([
        agent("draft"),
        fork("both", &["check", "legal"]),
        approve("check", "finance").next("done"),
        approve("legal", "nobody").next("done"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    world.work("draft").expect("it is ready");
    assert_eq!(
        (world.word("check"), world.word("legal")),
        (Some("cancelled"), Some("failed"))
    );
    assert_eq!(effects(&world.state, &world.journal), [Effect::TellEnded]);
}

#[test]
fn a_test_run_says_so_in_every_claim() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    for mode in [Mode::Live, Mode::Test] {
        let mut command = start_command();
        command.mode = mode;
        let mut world = World::start(&flow, &command).expect("the inputs are fine");
        let view = world.claim_view("draft", alpha()).expect("it is ready");
        assert_eq!((view.mode, world.read().run.mode), (mode, mode));
    }
}

#[test]
fn a_test_run_tells_nobody() {
    let flow = Flow::new([approve("check", "finance").due(60), finish("done")]);
    let mut command = start_command();
    command.mode = Mode::Test;
    let mut world = World::start(&flow, &command).expect("the inputs are fine");
    world.now = at(60);
    assert_eq!(
        world.item("check").mode,
        Mode::Test,
        "everybody who looks is told that it is a test"
    );
    world
        .decide_step("check", mira(), approved())
        .expect("mira is of finance");
    assert!(effects(&world.state, &world.journal).is_empty());
    assert!(matches!(world.state.status, Status::Ended { .. }));
}
