use super::plans::flow::{Flow, agent, approve, finish};
use super::world::{LEASE_SECONDS, World, agent_id, alpha, at, beta, good, mira};
use crate::state::Phase;
use crate::{Command, Conflict, Missing, Outdated, Refusal, Unentitled};

fn flow() -> Flow {
    Flow::new([agent("draft"), approve("check", "finance"), finish("done")])
}

#[test]
fn a_claim_holds_the_step_for_the_lease() {
    let flow = flow();
    let mut world = World::new(&flow);
    let view = world.claim_view("draft", alpha()).expect("the step is ready");
    assert_eq!(view.expires_at, at(600));
    assert_eq!(
        (view.instructions.as_ref(), view.body.as_ref()),
        ("Do draft.", "The body.")
    );
    assert_eq!(world.word("draft"), Some("claimed"));
    let until = at(600);
    assert_eq!(
        world.claim("draft", beta()),
        Err(Conflict::ClaimedByOther { until }.into())
    );
    assert_eq!(world.claim("draft", alpha()), Err(Conflict::ClaimedByYou.into()));
}

#[test]
fn a_lease_has_ended_at_its_expiry() {
    let flow = flow();
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("the step is ready");
    world.now = at(599);
    assert_eq!(world.word("draft"), Some("claimed"));
    world.now = at(600);
    assert_eq!(world.word("draft"), Some("ready"));
    assert_eq!(world.submit(claim, good()), Err(Outdated::LeaseEnded.into()));
    assert_eq!(world.renew(claim, None), Err(Outdated::LeaseEnded.into()));
    assert_eq!(world.escalate(claim), Err(Outdated::LeaseEnded.into()));
}

#[test]
fn an_expired_step_is_claimable_at_once_without_any_timer() {
    let flow = flow();
    let mut world = World::new(&flow);
    let old = world.claim("draft", alpha()).expect("the step is ready");
    world.pass(LEASE_SECONDS);
    let new = world.claim("draft", beta()).expect("the lease has ended");
    assert_eq!(
        world.journal.len(),
        3,
        "start and two claims, and no event for the lease"
    );
    assert_eq!(world.submit(old, good()), Err(Outdated::ClaimReplaced.into()));
    assert!(world.submit(new, good()).is_ok());
}

#[test]
fn ready_since_is_the_original_one_after_a_lapse() {
    let flow = flow();
    let mut world = World::new(&flow);
    world.pass(5).claim("draft", alpha()).expect("the step is ready");
    world.pass(LEASE_SECONDS);
    let offer = world.offers().remove(0);
    assert_eq!((offer.ready_since, offer.available_at), (at(0), at(605)));
    assert_eq!(offer.holder, Some(agent_id(0)));
}

#[test]
fn a_renewal_lasts_from_now_and_kills_the_old_token() {
    let flow = flow();
    let mut world = World::new(&flow);
    let old = world.claim("draft", alpha()).expect("the step is ready");
    world.pass(599);
    let new = world.renew(old, None).expect("the lease still runs");
    let Phase::Claimed(held) = &world.step("draft").phase else {
        panic!("the step is claimed");
    };
    assert_eq!(held.expires_at, at(1_199));
    assert_eq!(world.submit(old, good()), Err(Outdated::ClaimReplaced.into()));
    assert_eq!(world.renew(old, None), Err(Outdated::ClaimReplaced.into()));
    assert!(world.submit(new, good()).is_ok());
    assert_eq!(world.renew(new, None), Err(Outdated::ClaimReplaced.into()));
}

#[test]
fn a_renewal_does_not_move_updated_at() {
    let flow = flow();
    let mut world = World::new(&flow);
    let claim = world.pass(10).claim("draft", alpha()).expect("the step is ready");
    world
        .pass(10)
        .renew(claim, Some("half"))
        .expect("the lease still runs");
    assert_eq!((world.state.updated_at, world.state.last_at), (at(10), at(20)));
}

#[test]
fn identity_is_judged_before_staleness() {
    let flow = flow();
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("the step is ready");
    world.pass(LEASE_SECONDS);
    for (by, refusal) in [
        (beta(), Unentitled::NotTheHolder),
        (mira(), Unentitled::NotAnAgent),
    ] {
        let submit = Command::Submit {
            claim,
            by: by.clone(),
            submission: good(),
        };
        assert_eq!(world.act(&submit), Err(refusal.into()));
        let escalate = Command::Escalate {
            claim,
            by,
            note: "no".to_owned(),
        };
        assert_eq!(world.act(&escalate), Err(refusal.into()));
    }
    for (by, refusal) in [
        (beta(), Unentitled::NotTheHolder),
        (mira(), Unentitled::NotAnAgent),
    ] {
        let renew = Command::Renew {
            claim,
            by,
            progress: None,
            lease: super::world::lease(),
        };
        assert_eq!(world.act(&renew), Err(refusal.into()));
    }
    assert_eq!(world.submit(claim, good()), Err(Outdated::LeaseEnded.into()));
}

#[test]
fn only_ready_agent_steps_are_claimed_and_only_by_agents() {
    let flow = flow();
    let mut world = World::new(&flow);
    let cases: [(&str, _, Refusal); 5] = [
        ("nowhere", alpha(), Missing::Step.into()),
        ("nowhere", mira(), Missing::Step.into()),
        ("draft", mira(), Unentitled::NotAnAgent.into()),
        ("check", alpha(), Unentitled::NotAnAgentStep.into()),
        ("done", alpha(), Unentitled::NotAnAgentStep.into()),
    ];
    for (step, by, refusal) in cases {
        assert_eq!(world.claim(step, by), Err(refusal), "{step}");
    }
    world.work("draft").expect("the step is ready");
    assert_eq!(world.claim("draft", beta()), Err(Conflict::NotReady.into()));
}

#[test]
fn a_claim_answers_the_same_again_after_its_lease() {
    let flow = flow();
    let mut world = World::new(&flow);
    let claim = world.claim("draft", alpha()).expect("the step is ready");
    world
        .pass(5)
        .renew(claim, Some("half"))
        .expect("the lease still runs");
    world
        .pass(LEASE_SECONDS)
        .work("draft")
        .expect("the lease has ended");
    world
        .decide_step("check", mira(), super::world::approved())
        .expect("mira is of finance");
    world.check_replays();
}
