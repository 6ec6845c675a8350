use super::plans::flow::{Flow, agent, approve, approve_by, finish, fork, task, wait};
use super::world::{
    World, alpha, approved, at, failed, good, group, lena, mira, olga, omar, person_id, rejected, returned,
    route,
};
use crate::DecisionWord::{Approved, Completed, Failed, Rejected, Returned};
use crate::command::{Command, Verdict};
use crate::plan::Assignee;
use crate::state::Submission;
use crate::view::outcome;
use crate::{Conflict, Missing, Outdated, Refusal, Unentitled};

fn two_approvals() -> Flow {
    Flow::new([
        fork("both", &["check", "legal"]),
        approve("check", "finance").next("rest"),
        approve("legal", "legal").next("rest"),
        agent("rest"),
        wait("pause", 3_600),
        finish("done"),
    ])
}

fn decide(item: &str, by: base::Caller, snapshot: &str, verdict: Verdict) -> Command {
    Command::Decide {
        item: item.to_owned(),
        by,
        snapshot: snapshot.to_owned(),
        verdict,
    }
}

#[test]
fn any_member_of_the_group_decides_an_item_and_the_first_decision_wins() {
    let flow = two_approvals();
    for (first, second) in [(mira(), omar()), (omar(), mira())] {
        let mut world = World::new(&flow);
        let item = world.item("check");
        assert_eq!(
            item.assigned,
            group("finance", &["mira", "omar"]),
            "one item for both"
        );
        let item = item.id.to_string();
        world
            .decide_item(&item, first, approved())
            .expect("both are of finance");
        let second = world.decide_item(&item, second, rejected());
        assert_eq!(second, Err(Conflict::AlreadyDecided.into()));
        assert_eq!(world.record("check")["decision"], "approved");
    }
}

#[test]
fn refusals_come_in_the_order_of_the_tool() {
    let flow = two_approvals();
    let mut world = World::new(&flow);
    let item = world.item("check").id.to_string();
    let legal = world.item("legal").id.to_string();
    let stale = world.state.snapshot().to_string();
    world
        .decide_item(&legal, lena(), approved())
        .expect("lena is legal");
    let current = world.state.snapshot().to_string();
    let completed = || Verdict::Completed(good());
    let other_run = item.replace("w_00", "w_01");
    let cases: [(&str, &str, base::Caller, &str, Refusal); 8] = [
        (
            "decided",
            &legal,
            alpha(),
            &stale,
            Conflict::AlreadyDecided.into(),
        ),
        (
            "never opened",
            &format!("{}7", &item[..item.len() - 1]),
            alpha(),
            &stale,
            Missing::Item.into(),
        ),
        (
            "of another run",
            &other_run,
            alpha(),
            &stale,
            Missing::Item.into(),
        ),
        ("no id", "check", alpha(), &stale, Missing::Item.into()),
        (
            "old snapshot",
            &item,
            alpha(),
            &stale,
            Outdated::SnapshotChanged.into(),
        ),
        (
            "an agent",
            &item,
            alpha(),
            &current,
            Unentitled::NotAPerson.into(),
        ),
        (
            "outside the group",
            &item,
            lena(),
            &current,
            Unentitled::NotAssigned.into(),
        ),
        (
            "an operator outside the group",
            &item,
            olga(),
            &current,
            Unentitled::NotAssigned.into(),
        ),
    ];
    for (name, item, by, snapshot, refusal) in cases {
        let refused = world.act(&decide(item, by, snapshot, completed()));
        assert_eq!(refused, Err(refusal), "{name}");
    }
}

#[test]
fn a_decision_that_is_not_offered_is_not_accepted_and_run_ended_comes_first() {
    let flow = two_approvals();
    let mut world = World::new(&flow);
    let issue = "decision: completed is not offered, one of approved, rejected, failed".to_owned();
    let refused = world.decide_step("check", mira(), Verdict::Completed(good()));
    assert_eq!(refused, Err(Refusal::NotAccepted(vec![issue])));
    assert_eq!(world.state.seq, 1, "there is no submission that could be refused");
    world.cancel(olga()).expect("olga is an operator");
    let refused = world.act(&decide("check", alpha(), "", approved()));
    assert_eq!(refused, Err(Conflict::RunEnded.into()));
}

#[test]
fn a_decision_on_run_data_that_changed_is_stale() {
    let flow = Flow::new([
        fork("both", &["check", "pause"]),
        approve("check", "finance").next("done"),
        wait("pause", 60).next("rest"),
        agent("rest"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    let item = world.item("check").id.to_string();
    let seen = world.state.snapshot().to_string();
    world.now = at(60);
    let refused = world.act(&decide(&item, mira(), &seen, approved()));
    assert_eq!(
        refused,
        Err(Outdated::SnapshotChanged.into()),
        "the wait was over before the decision"
    );
    let now = world.state.snapshot().to_string();
    world
        .act(&decide(&item, mira(), &now, approved()))
        .expect("this is what mira sees now");
}

#[test]
fn items_offer_the_decisions_of_their_kind() {
    let flow = Flow::new([
        agent("draft"),
        task("call", "finance"),
        approve("check", "finance"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    world.escalate(claim).expect("alpha holds it");
    assert_eq!(world.item("draft").decisions, [Returned, Completed, Failed]);
    for verdict in [approved(), rejected()] {
        assert!(matches!(
            world.decide_step("draft", olga(), verdict),
            Err(Refusal::NotAccepted(_))
        ));
    }
    world
        .decide_step("draft", olga(), Verdict::Completed(good()))
        .expect("olga is an operator");
    assert_eq!(world.item("call").decisions, [Completed, Failed]);
    for verdict in [approved(), rejected(), returned()] {
        assert!(matches!(
            world.decide_step("call", mira(), verdict),
            Err(Refusal::NotAccepted(_))
        ));
    }
    world
        .decide_step("call", mira(), Verdict::Completed(good()))
        .expect("mira is of finance");
    assert_eq!(world.item("check").decisions, [Approved, Rejected, Failed]);
    for verdict in [Verdict::Completed(good()), returned()] {
        assert!(matches!(
            world.decide_step("check", mira(), verdict),
            Err(Refusal::NotAccepted(_))
        ));
    }
}

#[test]
fn an_escalated_step_is_for_operators_and_its_token_is_dead() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    world.pass(7).escalate(claim).expect("alpha holds it");
    assert_eq!(world.word("draft"), Some("waiting"));
    assert!(world.offers().is_empty());
    for refused in [world.submit(claim, good()).err(), world.escalate(claim).err()] {
        assert_eq!(refused, Some(Outdated::ClaimReplaced.into()));
    }
    assert_eq!(world.claim("draft", alpha()), Err(Conflict::NotReady.into()));

    let item = world.item("draft");
    let escalation = item.escalation.expect("the item is about an escalation");
    assert_eq!(
        (escalation.note.as_str(), escalation.at),
        ("the order is missing", at(7))
    );
    assert_eq!(
        world.item_rows()[0].opened_at,
        at(7),
        "it opened when the step was given up"
    );
    let refused = world.decide_step("draft", mira(), returned());
    assert_eq!(refused, Err(Unentitled::NotAssigned.into()));
    world
        .decide_step("draft", olga(), returned())
        .expect("olga is an operator");
    assert_eq!(world.word("draft"), Some("ready"));
}

#[test]
fn an_operator_completes_an_escalated_step_as_its_contract_asks() {
    let flow = Flow::new([
        agent("draft").routes(&["done", "book"]),
        agent("book"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    world.escalate(claim).expect("alpha holds it");
    let refused = world.decide_step("draft", olga(), Verdict::Completed(good()));
    assert!(matches!(refused, Err(Refusal::NotAccepted(_))));
    let nothing_said = Submission {
        summary: None,
        ..route("done")
    };
    world
        .decide_step("draft", olga(), Verdict::Completed(nothing_said))
        .expect("people need no summary");
    assert_eq!(world.record("draft")["by"], person_id("olga").to_string());
    assert_eq!(outcome(&world.state), Some("done"));
}

#[test]
fn a_failed_escalation_ends_the_run() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    world.escalate(claim).expect("alpha holds it");
    world
        .decide_step("draft", olga(), failed())
        .expect("olga is an operator");
    assert_eq!(outcome(&world.state), Some("failed"));
    assert_eq!(world.word("draft"), Some("failed"));
}

#[test]
fn an_item_of_the_initiator_is_only_for_them() {
    let flow = Flow::new([approve_by("check", Assignee::Initiator), finish("done")]);
    let mut world = World::new(&flow);
    let refused = world.decide_step("check", omar(), approved());
    assert_eq!(refused, Err(Unentitled::NotAssigned.into()));
    world
        .decide_step("check", mira(), approved())
        .expect("mira started the run");
}
