use super::plans::flow::{Flow, agent, approve, approve_by, finish, fork, task};
use super::world::{
    World, alpha, approved, asked, at, email, good, group, lena, mira, olga, omar, person_id, returned,
};
use crate::command::{Adjustment, Command, Verdict};
use crate::plan::Assignee;
use crate::{Actor, Known, Query, Unentitled};

const REASSIGN: Command = Command::Adjust {
    by: Actor::Server,
    adjustment: Adjustment::Reassign,
};

fn one_approval() -> Flow {
    Flow::new([approve("check", "finance"), finish("done")])
}

/// The role means another group from now on, or the same one with other members.
fn map_finance(world: &mut World<'_>, name: &str, members: &[&str]) {
    world
        .known
        .note_role("finance".to_owned(), Some(group(name, members)));
}

#[test]
fn changing_a_roles_group_moves_open_items_by_an_event_of_the_run() {
    let flow = one_approval();
    let mut world = World::new(&flow);
    let item = world.item("check");
    let seen = world.state.snapshot();
    map_finance(&mut world, "treasury", &["lena"]);
    let seq = world.state.seq;
    world
        .pass(3)
        .adjust(Adjustment::Reassign)
        .expect("the run goes on");
    assert_eq!(world.happened_since(seq), [("item_reassigned", 3)]);
    let row = &world.item_rows()[0];
    assert_eq!(row.item.assigned, group("treasury", &["lena"]));
    assert_eq!(
        (row.item.id, row.opened_at),
        (item.id, at(0)),
        "it is the same item"
    );
    assert_eq!(world.state.snapshot(), seen, "run data has not changed");
    let id = item.id.to_string();
    assert_eq!(
        world.decide_item(&id, mira(), approved()),
        Err(Unentitled::NotAssigned.into())
    );
    let decide = Command::Decide {
        item: id,
        by: lena(),
        snapshot: seen.to_string(),
        verdict: approved(),
    };
    world
        .act(&decide)
        .expect("what lena saw before is what she decides");
    world.check_replays();
}

#[test]
fn changing_a_groups_members_moves_open_items() {
    let flow = one_approval();
    let mut world = World::new(&flow);
    map_finance(&mut world, "finance", &["mira", "lena"]);
    world.adjust(Adjustment::Reassign).expect("the run goes on");
    assert_eq!(
        world.decide_step("check", omar(), approved()),
        Err(Unentitled::NotAssigned.into())
    );
    world
        .decide_step("check", lena(), approved())
        .expect("she is in the group now");
}

#[test]
fn an_item_that_is_for_the_right_people_already_has_no_event() {
    let flow = one_approval();
    let mut world = World::new(&flow);
    let seq = world.state.seq;
    world.adjust(Adjustment::Reassign).expect("the run goes on");
    assert_eq!(world.state.seq, seq);
}

#[test]
fn escalations_go_to_the_operators_of_now() {
    let flow = Flow::new([task("call", "finance"), agent("draft"), finish("done")]);
    let mut world = World::new(&flow);
    world
        .decide_step("call", mira(), Verdict::Completed(good()))
        .expect("it is hers");
    let claim = world.claim("draft", alpha()).expect("it is ready");
    world.escalate(claim).expect("alpha holds it");
    map_finance(&mut world, "treasury", &["omar"]);
    world.known.note_operators(group("operators", &["olga", "omar"]));
    world.adjust(Adjustment::Reassign).expect("the run goes on");
    assert_eq!(
        world.item("draft").assigned,
        group("operators", &["olga", "omar"])
    );
    world
        .decide_step("draft", olga(), returned())
        .expect("she is an operator");
}

#[test]
fn an_escalated_item_is_for_operators_whoever_its_step_is_for() {
    let flow = Flow::new([agent("draft"), finish("done")]);
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("it is ready");
    world.escalate(claim).expect("alpha holds it");
    world.known = Known::default();
    assert_eq!(asked(world.decide(&REASSIGN)), [Query::Operators]);
}

#[test]
fn items_of_one_person_stay() {
    let lenas = Assignee::Member(Some(email("lena")));
    let flow = Flow::new([
        fork("both", &["mine", "hers"]),
        approve_by("mine", Assignee::Initiator).next("done"),
        approve_by("hers", lenas).next("done"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    world.known.note_member(email("lena"), Some(person_id("omar")));
    let seq = world.state.seq;
    world.adjust(Adjustment::Reassign).expect("the run goes on");
    assert_eq!(world.state.seq, seq);
}

#[test]
fn an_item_of_a_role_without_a_group_stays() {
    let flow = one_approval();
    let mut world = World::new(&flow);
    world.known.note_role("finance".to_owned(), None);
    world.adjust(Adjustment::Reassign).expect("the run goes on");
    assert_eq!(world.item("check").assigned, group("finance", &["mira", "omar"]));
}

#[test]
fn everything_that_open_items_need_is_asked_for_at_once() {
    let flow = Flow::new([
        fork("all", &["check", "call", "ops", "me"]),
        approve("check", "finance").next("done"),
        task("call", "legal").next("done"),
        approve_by("ops", Assignee::Operators).next("done"),
        approve_by("me", Assignee::Initiator).next("done"),
        finish("done"),
    ]);
    let mut world = World::new(&flow);
    world.known = Known::default();
    let role = |role: &str| Query::Role {
        role: role.to_owned(),
    };
    assert_eq!(
        asked(world.decide(&REASSIGN)),
        [role("finance"), role("legal"), Query::Operators]
    );
}

#[test]
fn items_that_are_not_open_any_more_are_left_alone() {
    let flow = Flow::new([approve("check", "finance"), agent("rest"), finish("done")]);
    let mut world = World::new(&flow);
    world
        .decide_step("check", mira(), approved())
        .expect("it is hers");
    world.known = Known::default();
    let seq = world.state.seq;
    world.adjust(Adjustment::Reassign).expect("nothing is asked");
    assert_eq!(world.state.seq, seq);
}
