use base::Timestamp;

use super::plans::flow::{Flow, agent, approve, finish, task};
use super::world::{World, alpha, approved, at, good, mira, person_id};
use crate::command::Verdict;
use crate::event::EventKind;
use crate::project::{changes, rows};
use crate::state::Handoff;
use crate::{Actor, Event, RunState, RunWord, StepId};

fn flow() -> Flow {
    Flow::new([
        agent("draft").due(60),
        approve("check", "finance"),
        finish("done"),
    ])
}

#[test]
fn a_runs_row_says_where_it_stands() {
    let flow = flow();
    let mut world = World::new(&flow);
    let row = rows(&flow, &world.state).run;
    assert_eq!(
        (row.process.as_str(), row.version, row.state),
        ("flow", 1, RunWord::Active)
    );
    assert_eq!(
        (row.outcome, row.started_by),
        (None, Actor::Person(person_id("mira")))
    );
    assert_eq!((row.started_at, row.next_deadline), (at(0), Some(at(60))));
    assert_eq!(row.snapshot, world.state.snapshot());

    world.pass(5).work("draft").expect("it is ready");
    let row = rows(&flow, &world.state).run;
    assert_eq!(
        (row.state, row.updated_at, row.next_deadline),
        (RunWord::Waiting, at(5), None)
    );
    world
        .decide_step("check", mira(), approved())
        .expect("mira is of finance");
    let row = rows(&flow, &world.state).run;
    assert_eq!(
        (row.state, row.outcome.as_deref()),
        (RunWord::Ended, Some("done"))
    );
}

#[test]
fn an_offer_is_there_at_once_and_after_a_claim_when_the_lease_ends() {
    let flow = flow();
    let mut world = World::new(&flow);
    let offer = world.offers().remove(0);
    assert_eq!(
        (offer.ready_since, offer.available_at, offer.due),
        (at(0), Timestamp::MIN, Some(at(60)))
    );
    assert_eq!((offer.holder, offer.handoff), (None, Handoff::default()));
    world.pass(5).claim("draft", alpha()).expect("it is ready");
    let offer = world.offers().remove(0);
    assert_eq!((offer.ready_since, offer.available_at), (at(0), at(605)));
}

#[test]
fn only_what_differs_is_written() {
    let flow = flow();
    let mut world = World::new(&flow);
    let before = RunState::clone(&world.state);
    let same = changes(&flow, Some(&before), &world.state);
    assert!(same.offers_put.is_empty() && same.offers_gone.is_empty());
    assert!(same.items_put.is_empty() && same.items_gone.is_empty());
    world.work("draft").expect("it is ready");
    let after = changes(&flow, Some(&before), &world.state);
    assert_eq!(after.offers_gone, [StepId::from("draft")]);
    assert_eq!(
        after
            .items_put
            .iter()
            .map(|row| row.item.id.number)
            .collect::<Vec<_>>(),
        [0]
    );
    let again = changes(&flow, Some(&world.state), &world.state);
    assert!(again.items_put.is_empty() && again.offers_gone.is_empty());
}

#[test]
fn items_are_listed_oldest_first() {
    let flow = Flow::new([
        super::plans::flow::fork("all", &["z", "a"]),
        task("z", "finance").next("done"),
        task("a", "finance").next("done"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    let order: Vec<_> = world
        .read()
        .items
        .iter()
        .map(|item| item.step.to_string())
        .collect();
    assert_eq!(order, ["z", "a"]);
    world
        .decide_step("a", mira(), Verdict::Completed(good()))
        .expect("mira is of finance");
}

#[test]
fn an_event_that_is_not_the_next_one_changes_nothing() {
    let flow = flow();
    let world = World::new(&flow);
    for seq in [0, 1, 3, u64::MAX] {
        let mut state = RunState::clone(&world.state);
        let kind = EventKind::StepOverdue { step: "draft".into() };
        state.evolve(&Event { seq, at: at(1), kind });
        assert_eq!(state, *world.state, "{seq}");
    }
    assert_eq!(
        RunState::fold(&world.journal[1..]),
        None,
        "a journal begins with a start"
    );
    let overdue = EventKind::StepOverdue { step: "draft".into() };
    assert_eq!(
        RunState::begin(&Event {
            seq: 1,
            at: at(0),
            kind: overdue
        }),
        None
    );
}
