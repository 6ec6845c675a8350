use super::plans::flow::{Flow, agent, approve, approve_by, finish, fork, task};
use super::world::{World, alpha, asked, at, directory, good, group, kinds, start_command};
use crate::plan::Assignee;
use crate::state::Submission;
use crate::{Command, Decision, EvidenceKind, Known, Query, decide, start};

fn role(role: &str) -> Query {
    Query::Role {
        role: role.to_owned(),
    }
}

#[test]
fn everything_that_one_round_needs_is_asked_for_at_once() {
    let member = Assignee::Member(Some("lena@example.com".to_owned()));
    let flow = Flow::new([
        fork("all", &["check", "call", "again", "lena", "me", "ops"]),
        approve("check", "finance").next("done"),
        task("call", "legal").next("done"),
        task("again", "finance").next("done"),
        approve_by("lena", member).next("done"),
        approve_by("me", Assignee::Initiator).next("done"),
        approve_by("ops", Assignee::Operators).next("done"),
        finish("done"),
    ]);
    let decision = start(&flow, &start_command(), at(0), &Known::default()).expect("the inputs are fine");
    let email = "lena@example.com".to_owned();
    let expected = [
        Query::Member { email },
        role("finance"),
        role("legal"),
        Query::Operators,
    ];
    assert_eq!(asked(decision), expected, "each of them once");
    let decision = start(&flow, &start_command(), at(0), &directory()).expect("the inputs are fine");
    assert!(matches!(decision, Decision::Accepted(_)));
}

#[test]
fn a_fact_that_was_not_found_is_not_asked_for_again() {
    let flow = Flow::new([approve("check", "finance"), finish("done")]);
    let mut known = Known::default();
    known.note_role("finance".to_owned(), None);
    let decision = start(&flow, &start_command(), at(0), &known).expect("the inputs are fine");
    let Decision::Accepted(written) = decision else {
        panic!("everything is known");
    };
    assert!(!written.state.is_running());
}

#[test]
fn a_submission_asks_for_its_files() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    world.known = Known::default();
    let file = |reference: &str| (EvidenceKind::File, reference.to_owned());
    let evidence = vec![
        file("f_2"),
        file("f_1"),
        file("f_2"),
        (EvidenceKind::Link, "f_3".to_owned()),
    ];
    let submission = Submission { evidence, ..good() };
    let command = Command::Submit {
        claim,
        by: alpha(),
        submission,
    };
    let file = |reference: &str| Query::File {
        reference: reference.to_owned(),
    };
    assert_eq!(asked(world.decide(&command)), [file("f_1"), file("f_2")]);
    assert_eq!(
        world.state.seq, 2,
        "nothing is written before everything is known"
    );
}

#[test]
fn an_escalation_asks_who_the_operators_are() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    world.known = Known::default();
    let command = Command::Escalate {
        claim,
        by: alpha(),
        note: "no".to_owned(),
    };
    assert_eq!(asked(world.decide(&command)), [Query::Operators]);
}

#[test]
fn a_deadline_asks_before_the_command_is_looked_at() {
    let flow = Flow::new([
        super::plans::flow::wait("pause", 60),
        approve("check", "finance"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    world.known = Known::default();
    let claim = || Command::Claim {
        step: "nowhere".to_owned(),
        by: alpha(),
        lease: super::world::lease(),
    };
    world.now = at(60);
    assert_eq!(asked(world.decide(&claim())), [role("finance")]);
    world
        .known
        .note_role("finance".to_owned(), Some(group("finance", &["mira"])));
    let Decision::Refused { written, .. } = world.decide(&claim()) else {
        panic!("there is no such step");
    };
    assert_eq!((kinds(&written), written.first_seq), (vec!["wait_elapsed"], 3));
}

#[test]
fn members_are_those_of_the_moment_when_the_item_opened() {
    let flow = Flow::new([approve("check", "finance"), finish("done")]);
    let mut world = World::new(&flow);
    world
        .known
        .note_role("finance".to_owned(), Some(group("finance", &["lena"])));
    assert_eq!(world.item("check").assigned, group("finance", &["mira", "omar"]));
    let Decision::Accepted(written) = decide(&flow, &world.state, &Command::Settle, at(1), &world.known)
    else {
        panic!("a read is not refused");
    };
    assert!(written.events.is_empty());
}
