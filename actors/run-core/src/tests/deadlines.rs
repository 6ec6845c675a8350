use base::Issues;

use super::plans::flow::{Flow, agent, approve, approve_by, finish, fork, listen, task, wait};
use super::world::{World, alpha, approved, at, mira, returned};
use crate::plan::{About, Ask, Assignee, Cause, Move, Moves, Outline, Plan, Sleep, Starter, Takes};
use crate::settle::next_deadline;
use crate::state::{RunState, Submission};
use crate::view::{end, outcome, state_word};
use crate::{Actor, Conflict, Effect, Map, StepId, effects};

#[test]
fn a_wait_that_follows_a_wait_starts_at_the_first_ones_due_instant() {
    let flow = Flow::new([
        wait("first", 60),
        wait("second", 60),
        agent("draft"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    assert_eq!(next_deadline(&world.state), Some(at(60)));
    world.now = at(1_000);
    world.read();
    assert_eq!(
        world.happened_since(1),
        [("wait_elapsed", 60), ("wait_elapsed", 120)]
    );
    assert_eq!(
        world.offers()[0].ready_since,
        at(120),
        "what became ready then is ready since then"
    );
    assert_eq!(world.state.updated_at, at(120));
    assert_eq!(next_deadline(&world.state), None);
}

#[test]
fn a_wait_is_over_at_its_instant_and_not_before() {
    let flow = Flow::new([wait("pause", 60), finish("done")]);
    let mut world = World::new(&flow);
    world.now = at(59);
    world.read();
    assert_eq!(
        (world.state.seq, state_word(&world.state).as_str()),
        (1, "waiting")
    );
    world.now = at(60);
    world.read();
    assert_eq!(outcome(&world.state), Some("done"));
    let end = end(&world.state).expect("it is over");
    assert_eq!((end.by, end.at, end.note.as_ref()), (Actor::Server, at(60), None));
}

#[test]
fn deadlines_are_applied_by_instant_then_in_file_order() {
    let flow = Flow::new([
        fork("all", &["slow", "b", "a"]),
        wait("slow", 30).next("rest"),
        wait("b", 20).next("rest"),
        wait("a", 20).next("rest"),
        agent("rest").due(10),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    world.now = at(99);
    world.read();
    let order: Vec<_> = world.journal[1..]
        .iter()
        .map(|event| format!("{:?}", event.kind))
        .collect();
    let step = |n: usize| order[n].split('"').nth(1);
    assert_eq!(
        (step(0), step(1)),
        (Some("b"), Some("a")),
        "file order between equal instants"
    );
    let expected = [
        ("wait_elapsed", 20),
        ("wait_elapsed", 20),
        ("step_overdue", 30),
        ("wait_elapsed", 30),
    ];
    // `slow` stands before `rest` in the file, so its end comes first although both are due at 30.
    let expected = [expected[0], expected[1], expected[3], expected[2]];
    assert_eq!(world.happened_since(1), expected);
}

#[test]
fn overdue_is_marked_once_and_the_work_stays_open() {
    let flow = Flow::new([agent("draft").due(60), finish("done")]);
    let mut world = World::new(&flow);
    assert_eq!(world.offers()[0].due, Some(at(60)));
    world.now = at(59);
    assert!(!world.read().steps[0].overdue);
    for seconds in [60, 60, 500] {
        world.now = at(seconds);
        let view = world.read();
        assert!(view.steps[0].overdue);
        assert_eq!(view.steps[0].due, Some(at(60)));
    }
    assert_eq!(world.happened_since(1), [("step_overdue", 60)]);
    let told = [Effect::TellOverdue { step: "draft".into() }];
    assert_eq!(effects(&world.state, &world.journal), told, "once");
    assert_eq!(world.state.updated_at, at(0), "a notice does not move updatedAt");
    assert!(world.offers()[0].overdue);
    world.work("draft").expect("it is still ready");
}

#[test]
fn a_returned_step_keeps_its_due_clock_and_is_not_overdue_twice() {
    let flow = Flow::new([agent("draft").due(60), finish("done")]);
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    world.escalate(claim).expect("alpha holds it");
    world.now = at(70);
    world
        .decide_step("draft", super::world::olga(), returned())
        .expect("olga is an operator");
    world.now = at(900);
    world.read();
    let overdue = |(kind, _): &(&str, i64)| *kind == "step_overdue";
    assert_eq!(world.happened_since(1).into_iter().filter(overdue).count(), 1);
}

#[test]
fn a_rework_starts_its_due_clock_anew_and_can_be_overdue_again() {
    let flow = Flow::new([
        agent("draft").due(60),
        approve("check", "finance").on_reject("draft"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    world.now = at(60);
    world.work("draft").expect("it is ready");
    world
        .decide_step("check", mira(), super::world::rejected())
        .expect("mira is of finance");
    assert_eq!(
        (world.step("draft").overdue, world.step("draft").due),
        (false, Some(at(120)))
    );
    world.now = at(120);
    world.read();
    assert!(world.step("draft").overdue);
}

#[test]
fn what_was_due_is_committed_before_a_refusal() {
    let flow = Flow::new([wait("pause", 60), finish("done")]);
    let mut world = World::new(&flow);
    world.now = at(100);
    let refused = world.claim("pause", alpha());
    assert_eq!(
        refused,
        Err(Conflict::RunEnded.into()),
        "the run ended before the command"
    );
    assert_eq!(world.happened_since(1), [("wait_elapsed", 60)]);
}

#[test]
fn the_answer_shows_what_the_write_triggered() {
    let flow = Flow::new([agent("draft"), wait("none", 0), finish("done")]);
    let mut world = World::new(&flow);
    let view = world.work("draft").expect("it is ready");
    assert_eq!(outcome(&view.run), Some("done"));
    assert_eq!(
        world.happened_since(2),
        [("step_completed", 0), ("wait_elapsed", 0)]
    );
    world.check_replays();
}

#[test]
fn a_clock_that_goes_back_does_not_take_the_run_back() {
    let flow = Flow::new([agent("draft"), task("call", "finance"), finish("done")]);
    let mut world = World::new(&flow);
    world.now = at(100);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    world.now = at(40);
    world.submit(claim, super::world::good()).expect("alpha holds it");
    assert_eq!(
        world.happened_since(1),
        [("step_claimed", 100), ("step_completed", 100)]
    );
    assert_eq!(world.item_rows()[0].opened_at, at(100));
}

#[test]
fn timers_stop_when_the_run_ends() {
    let flow = Flow::new([
        fork("all", &["slow", "check", "ear"]),
        wait("slow", 30).next("done"),
        listen("ear", "paid", Some(30)).next("done"),
        approve("check", "finance").due(30).next("done"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    world
        .decide_step("check", mira(), approved())
        .expect("mira is of finance");
    assert_eq!(next_deadline(&world.state), None);
    let seq = world.state.seq;
    world.now = at(999);
    world.read();
    assert_eq!(world.state.seq, seq);
    for step in ["all", "slow", "ear"] {
        assert_eq!(world.word(step), Some("cancelled"), "{step}");
    }
}

#[test]
fn settling_in_steps_comes_to_the_same_as_settling_at_once() {
    let flow = Flow::new([
        fork("all", &["one", "two"]),
        wait("one", 7).next("three"),
        wait("two", 11).next("four"),
        listen("three", "paid", Some(5)).next("five"),
        wait("four", 1).next("five"),
        approve_by("five", Assignee::Initiator).due(2),
        finish("done"),
    ]);
    let (mut stepwise, mut at_once) = (World::new(&flow), World::new(&flow));
    for seconds in 0..30 {
        stepwise.now = at(seconds);
        stepwise.read();
    }
    at_once.now = at(29);
    at_once.read();
    assert_eq!(stepwise.journal, at_once.journal);
    assert_eq!(at_once.happened_since(1).len(), 5);
}

/// A wait until an instant, and one that never ends by itself because it starts over.
struct Until {
    about: About,
    steps: [Outline; 1],
    sleep: Sleep,
    moves: fn() -> Vec<Move>,
}

impl Plan for Until {
    fn about(&self) -> &About {
        &self.about
    }

    fn steps(&self) -> &[Outline] {
        &self.steps
    }

    fn start(&self, _: &Map, _: &Starter) -> Result<Moves, Issues> {
        Ok(vec![Move::Reach("pause".into())].into())
    }

    fn ask(&self, _: &StepId, _: &RunState) -> Ask {
        Ask::Sleep(self.sleep)
    }

    fn judge(&self, _: &StepId, _: &Submission, _: &RunState) -> Issues {
        Issues::default()
    }

    fn moves(&self, _: &Cause<'_>, _: &RunState) -> Moves {
        (self.moves)().into()
    }

    fn takes(&self, _: &str, _: Option<&Map>, _: &RunState) -> Takes {
        Takes::Hold
    }
}

fn until(sleep: Sleep, moves: fn() -> Vec<Move>) -> Until {
    let flow = Flow::new([wait("pause", 0), finish("done")]);
    Until {
        about: flow.about().clone(),
        steps: [flow.steps()[0].clone()],
        sleep,
        moves,
    }
}

#[test]
fn a_wait_until_an_instant_that_has_passed_goes_on_at_once() {
    let plan = until(Sleep::Until(at(-500)), Vec::new);
    let world = World::new(&plan);
    assert_eq!(world.happened_since(1), [("wait_elapsed", 0)]);
}

#[test]
fn a_format_that_moves_for_ever_is_stopped() {
    let plan = until(Sleep::Until(at(0)), || vec![Move::Reach("pause".into())]);
    let state = World::new(&plan).state;
    assert_eq!(
        (outcome(&state), state_word(&state).as_str()),
        (Some("failed"), "ended")
    );
    let note = end(&state).and_then(|end| end.note.clone()).expect("it says why");
    assert!(note.contains("10000 automatic transitions"), "{note}");
    assert!(state.step("pause").is_some_and(|step| !step.is_open()));
}
