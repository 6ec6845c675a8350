use super::plans::flow::{Flow, agent, approve, finish, task};
use super::world::{
    LEASE_SECONDS, World, alpha, approved, at, bad, beta, good, mira, olga, person_id, rejected, returned,
};
use crate::Refusal;
use crate::command::Verdict;
use crate::state::{Handoff, Returned};

fn flow() -> Flow {
    Flow::new([
        agent("draft"),
        approve("check", "finance").on_reject("draft"),
        finish("done"),
    ])
}

fn bad_output() -> Refusal {
    Refusal::NotAccepted(vec!["output.bad: not declared".to_owned()])
}

#[test]
fn a_first_claim_finds_nothing() {
    let flow = flow();
    let mut world = World::new(&flow);
    let view = world.claim_view("draft", alpha()).expect("the step is ready");
    assert!(view.handoff.is_empty());
}

#[test]
fn progress_shows_only_after_the_lease_has_ended() {
    let flow = flow();
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("the step is ready");
    world.renew(claim, Some("half")).expect("the lease runs");
    assert_eq!(world.step("draft").handoff_at(at(599)), Handoff::default());
    let progress = |text: &str| Handoff {
        progress: Some(text.to_owned()),
        ..Handoff::default()
    };
    assert_eq!(world.step("draft").handoff_at(at(600)), progress("half"));
    assert_eq!(
        world.offers()[0].handoff,
        progress("half"),
        "what a claim will find then"
    );

    let view = world
        .pass(LEASE_SECONDS)
        .claim_view("draft", beta())
        .expect("the lease has ended");
    assert_eq!(view.handoff, progress("half"));
    world.renew(view.claim, Some("more")).expect("the lease runs");
    let view = world
        .pass(LEASE_SECONDS)
        .claim_view("draft", alpha())
        .expect("the lease has ended");
    assert_eq!(view.handoff, progress("more"), "the newest wins");
    let view = world
        .pass(LEASE_SECONDS)
        .claim_view("draft", beta())
        .expect("the lease has ended");
    assert_eq!(
        view.handoff,
        progress("more"),
        "a lapse without a note keeps the last one"
    );
}

#[test]
fn a_refused_submission_leaves_its_issues_and_nothing_else() {
    let flow = flow();
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("the step is ready");
    let before = world.state.clone();
    assert_eq!(world.pass(5).submit(claim, bad()), Err(bad_output()));
    assert_eq!(world.happened_since(2), [("submission_refused", 5)]);

    let issues = vec!["output.bad: not declared".to_owned()];
    let mut expected = (*before).clone();
    (expected.seq, expected.last_at) = (3, at(5));
    let draft = expected.steps.get_mut("draft").expect("it was reached");
    draft.handoff.issues = Some(issues);
    assert_eq!(*world.state, expected);
    assert_eq!(world.state.snapshot(), before.snapshot());
    assert!(world.submit(claim, good()).is_ok(), "the claim stands");
}

#[test]
fn equal_issues_again_write_no_event() {
    let flow = flow();
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("the step is ready");
    for _ in 0..3 {
        assert_eq!(world.submit(claim, bad()), Err(bad_output()));
    }
    assert_eq!(world.happened_since(2), [("submission_refused", 0)]);
    let mut other = bad();
    other.summary = None;
    assert!(world.submit(claim, other).is_err());
    assert_eq!(
        world.happened_since(3),
        [("submission_refused", 0)],
        "others are another refusal"
    );
}

#[test]
fn a_persons_refused_completion_leaves_its_issues_too() {
    let flow = Flow::new([task("call", "finance"), finish("done")]);
    let mut world = World::new(&flow);
    assert_eq!(
        world.decide_step("call", mira(), Verdict::Completed(bad())),
        Err(bad_output())
    );
    let issues = Some(vec!["output.bad: not declared".to_owned()]);
    assert_eq!(world.item("call").handoff.issues, issues);
    assert_eq!(world.item_rows()[0].item.handoff.issues, issues);
    let seen_before = world.decide_step("call", mira(), Verdict::Completed(good()));
    assert!(seen_before.is_ok(), "the snapshot is still that of before");
}

#[test]
fn a_returned_step_carries_the_note_and_keeps_the_rest() {
    let flow = Flow::new([agent("draft").due(3_600), finish("done")]);
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("the step is ready");
    assert!(world.submit(claim, bad()).is_err());
    world.escalate(claim).expect("alpha holds it");
    world
        .pass(50)
        .decide_step("draft", olga(), returned())
        .expect("olga is an operator");

    let (note, by) = ("look in the archive".to_owned(), person_id("olga"));
    let expected = Handoff {
        progress: None,
        returned: Some(Returned { note, by, at: at(50) }),
        issues: Some(vec!["output.bad: not declared".to_owned()]),
    };
    let offer = world.offers().remove(0);
    assert_eq!((offer.handoff, offer.due), (expected.clone(), Some(at(3_600))));
    assert_eq!(world.step("draft").attempt, 1, "the same attempt");
    let view = world.claim_view("draft", beta()).expect("the step is ready");
    assert_eq!(view.handoff, expected);
}

/// Progress of a lapsed lease, a return and issues; then newer ones of each.
#[test]
fn what_a_handoff_tells_stands_together_and_the_newest_of_each_wins() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    let mut world = World::new(&flow);
    let give_back = |world: &mut World<'_>, note: &str| {
        let note = note.to_owned();
        let given = world.decide_step("draft", olga(), Verdict::Returned { note });
        given.expect("olga is an operator");
    };
    let mut unsaid = good();
    unsaid.summary = None;
    let rounds = [("half", bad(), "ask omar"), ("nearly", unsaid, "ask lena")];
    for (progress, submission, note) in rounds {
        let claim = world.claim("draft", alpha()).expect("the step is ready");
        world.renew(claim, Some(progress)).expect("the lease runs");
        let claim = world
            .pass(LEASE_SECONDS)
            .claim("draft", beta())
            .expect("the lease has ended");
        assert!(world.submit(claim, submission).is_err());
        world.escalate(claim).expect("beta holds it");
        give_back(&mut world, note);
    }
    let returned = Returned {
        note: "ask lena".to_owned(),
        by: person_id("olga"),
        at: at(1_200),
    };
    let expected = Handoff {
        progress: Some("nearly".to_owned()),
        returned: Some(returned),
        issues: Some(vec!["summary: missing".to_owned()]),
    };
    let view = world.claim_view("draft", alpha()).expect("the step is ready");
    assert_eq!(view.handoff, expected);
}

#[test]
fn a_fresh_attempt_finds_nothing() {
    let flow = flow();
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("the step is ready");
    world.renew(claim, Some("half")).expect("the lease runs");
    let claim = world
        .pass(LEASE_SECONDS)
        .claim("draft", alpha())
        .expect("the lease has ended");
    world.escalate(claim).expect("alpha holds it");
    world
        .decide_step("draft", olga(), returned())
        .expect("olga is an operator");
    let claim = world.claim("draft", alpha()).expect("the step is ready");
    assert!(world.submit(claim, bad()).is_err());
    world.submit(claim, good()).expect("it is good now");
    world
        .decide_step("check", mira(), rejected())
        .expect("mira is of finance");
    let view = world
        .claim_view("draft", alpha())
        .expect("the step is ready again");
    assert!(view.handoff.is_empty());
}

#[test]
fn handoff_and_leases_are_no_run_data_and_do_not_change_the_snapshot() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    let mut world = World::new(&flow);
    let (data, before) = (world.state.data(), world.state.snapshot());
    let claim = world.claim("draft", alpha()).expect("the step is ready");
    world.renew(claim, Some("half")).expect("the lease runs");
    let claim = world
        .pass(LEASE_SECONDS)
        .claim("draft", alpha())
        .expect("the lease has ended");
    assert!(world.submit(claim, bad()).is_err());
    world.escalate(claim).expect("alpha holds it");
    world
        .decide_step("draft", olga(), returned())
        .expect("olga is an operator");
    assert_eq!((world.state.data(), world.state.snapshot()), (data, before));
    world.work("draft").expect("the step is ready");
    assert_ne!(world.state.snapshot(), before);
}

#[test]
fn an_approval_has_no_contract() {
    let flow = flow();
    let mut world = World::new(&flow);
    world.work("draft").expect("the step is ready");
    let item = world.item("check");
    assert_eq!(item.contract, crate::view::Contract::default());
    let offered: Vec<_> = item.decisions.iter().map(|word| word.as_str()).collect();
    assert_eq!(offered, ["approved", "rejected", "failed"]);
    world
        .decide_step("check", mira(), approved())
        .expect("mira is of finance");
}
