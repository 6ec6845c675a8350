use serde_json::json;

use super::plans::retry::Retry;
use super::world::{World, agent_id, alpha, at, beta, good, map};
use crate::state::Submission;
use crate::view::{outcome, state_word};
use crate::{ClaimId, Conflict, Refusal};

fn red() -> Submission {
    Submission {
        output: map(json!({ "green": false })),
        ..good()
    }
}

fn green() -> Submission {
    Submission {
        output: map(json!({ "green": true })),
        ..good()
    }
}

fn claim(world: &mut World<'_>, n: u64) -> ClaimId {
    let view = world.claim_view("fix", alpha()).expect("the step is ready");
    assert_eq!(view.instructions.as_ref(), format!("Fix it. Tries left: {n}."));
    view.claim
}

#[test]
fn a_loop_goes_on_until_its_tries_are_used_up() {
    let mut world = World::new(&Retry);
    for left in [3, 2, 1] {
        let claim = claim(&mut world, left);
        world.submit(claim, red()).expect("a red result is a result");
    }
    assert_eq!(outcome(&world.state), Some("given_up"));
    assert_eq!(world.state.memory, json!({ "triesLeft": 0 }));
    let record = world.record("fix");
    assert_eq!(record["output"], json!({ "green": false }));
    assert_eq!(record["history"].as_array().map(Vec::len), Some(2));
    assert_eq!(world.step("fix").attempt, 3);
    world.check_replays();
}

#[test]
fn a_loop_ends_with_the_first_good_result() {
    let mut world = World::new(&Retry);
    let first = claim(&mut world, 3);
    world.submit(first, red()).expect("a red result is a result");
    let second = claim(&mut world, 2);
    world.submit(second, green()).expect("a green result is a result");
    assert_eq!(outcome(&world.state), Some("green"));
}

#[test]
fn a_refused_result_uses_up_no_try() {
    let mut world = World::new(&Retry);
    let claim = claim(&mut world, 3);
    let issues = vec!["output.green: required".to_owned()];
    assert_eq!(world.submit(claim, good()), Err(Refusal::NotAccepted(issues)));
    assert_eq!(world.state.memory, json!({ "triesLeft": 3 }));
}

#[test]
fn a_reserved_offer_is_only_for_one_agent_until_its_grace_has_passed() {
    let mut world = World::new(&Retry);
    assert_eq!(world.offers()[0].reserved, None);
    let first = claim(&mut world, 3);
    world.submit(first, red()).expect("a red result is a result");

    let reserved = world.offers()[0].reserved.expect("alpha knows the work");
    assert_eq!((reserved.agent, reserved.until), (agent_id(0), at(60)));
    assert_eq!(
        world.pass(59).claim("fix", beta()),
        Err(Conflict::NotReady.into())
    );
    assert_eq!(state_word(&world.state).as_str(), "active");
    let beta = world.pass(1).claim("fix", beta()).expect("the grace has passed");
    world.submit(beta, red()).expect("a red result is a result");

    assert_eq!(
        world.offers()[0].reserved.map(|kept| kept.agent),
        Some(agent_id(1))
    );
    assert_eq!(world.claim("fix", alpha()), Err(Conflict::NotReady.into()));
}
