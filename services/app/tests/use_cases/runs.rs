//! Runs as everybody sees them (process.md §5).

use std::time::Duration;

use base::{Caller, PersonId, Principal, Ulid};
use serde_json::{Value, json};

use crate::world::{World, agent, member, operator, other_agent};

const REVIEW: &str = "---\nname: review\ndescription: Write and review.\nsteps:\n\
    - {id: draft, agent: Write it.}\n- {id: check, approve: Good?, person: finance}\n\
    - {id: done, finish: printed}\n---\n";
const OWN: &str = "---\nname: own\ndescription: Whoever starts decides.\nsteps:\n\
    - {id: check, approve: Good?, person: initiator}\n- {id: done, finish: printed}\n---\n";
const LATE: &str = "---\nname: late\ndescription: Wait twice.\nsteps:\n\
    - {id: draft, agent: Write it.}\n- {id: paid, wait_for: paid}\n- {id: done, finish: printed}\n---\n";

async fn world() -> World {
    let world = World::new().await;
    for (process, source) in [("review", REVIEW), ("own", OWN), ("late", LATE)] {
        world.publish(process, source).await;
    }
    world
}

async fn done(world: &World, by: &Principal, tool: &str, arguments: Value) -> Value {
    let answer = world.call(by, tool, arguments).await;
    assert_eq!(answer["ok"], true, "{answer}");
    answer["data"].clone()
}

async fn started(world: &World, process: &str, request: &str) -> String {
    let arguments = json!({"process": process, "inputs": {}, "requestId": request});
    let view = done(world, &agent(), "start_run", arguments).await;
    view["run"]["id"].as_str().expect("a run").to_owned()
}

/// Claims and submits `draft`; the view and the claim's token.
async fn drafted(world: &World, run: &str) -> (Value, String) {
    let claim = json!({"runId": run, "stepId": "draft", "requestId": format!("claim {run}")});
    let claimed = done(world, &agent(), "claim", claim).await;
    let token = claimed["token"].as_str().expect("a token").to_owned();
    let submit =
        json!({"token": token, "output": {}, "summary": "Written.", "requestId": format!("submit {run}")});
    (done(world, &agent(), "submit", submit).await, token)
}

#[tokio::test]
async fn the_end_of_a_run_is_told_with_who_when_and_why() {
    let world = world().await;
    let at = "2023-11-14T22:13:20.000Z";
    let run = started(&world, "review", "1").await;
    let (view, _) = drafted(&world, &run).await;
    assert_eq!(view["run"]["ended"], Value::Null);
    let decide = |decision: &str, note: Option<&str>, view: &Value| {
        let mut arguments = view["workItems"][0]["decide"]["arguments"].clone();
        (arguments["decision"], arguments["requestId"]) = (decision.into(), decision.into());
        if let Some(note) = note {
            arguments["note"] = note.into();
        }
        arguments
    };
    let view = done(
        &world,
        &member(),
        "decide",
        decide("approved", Some("Fine."), &view),
    )
    .await;
    assert_eq!(
        view["run"]["ended"],
        json!({"by": "server", "at": at, "note": null})
    );

    for decision in ["rejected", "failed"] {
        let run = started(&world, "review", &format!("run {decision}")).await;
        let (view, _) = drafted(&world, &run).await;
        let view = done(&world, &member(), "decide", decide(decision, Some("No."), &view)).await;
        let by = PersonId::new(Ulid::from(4)).to_string();
        assert_eq!(view["run"]["ended"], json!({"by": by, "at": at, "note": "No."}));
    }
    let run = started(&world, "review", "2").await;
    let cancel = json!({"runId": run, "reason": "Twice.", "requestId": "cancel"});
    let view = done(&world, &operator(), "cancel", cancel).await;
    let by = PersonId::new(Ulid::from(3)).to_string();
    assert_eq!(
        view["run"]["ended"],
        json!({"by": by, "at": at, "note": "Twice."})
    );
    assert_eq!(view["run"]["outcome"], Value::Null);
}

#[tokio::test]
async fn a_claim_token_is_in_no_view_of_the_run() {
    let world = world().await;
    let run = started(&world, "review", "1").await;
    let claim = json!({"runId": run, "stepId": "draft", "requestId": "claim"});
    let claimed = done(&world, &agent(), "claim", claim).await;
    let token = claimed["token"].as_str().expect("a token");
    for by in [agent(), member(), operator()] {
        let view = done(&world, &by, "get_run", json!({"runId": run})).await;
        assert_eq!(view["steps"][0]["state"], "claimed");
        assert!(!view.to_string().contains(token) && !view.to_string().contains("ct_"));
    }
    let (view, _) = drafted(&world, &started(&world, "review", "2").await).await;
    assert!(!view.to_string().contains("ct_"));
}

/// Not even when it acts for a person.
#[tokio::test]
async fn a_run_that_an_agent_starts_has_no_initiator() {
    let world = world().await;
    let mut acting = agent();
    if let Caller::Agent { acting_for, .. } = &mut acting.caller {
        *acting_for = Some(PersonId::new(Ulid::from(4)));
    }
    for (by, request) in [(agent(), "1"), (acting, "2")] {
        let arguments = json!({"process": "own", "inputs": {}, "requestId": request});
        let refused = world.call(&by, "start_run", arguments).await;
        assert_eq!(refused["error"]["code"], "invalid");
        assert_eq!(
            refused["error"]["issues"],
            json!(["initiator: only a person can start this process"])
        );
    }
    let arguments = json!({"process": "own", "inputs": {}, "requestId": "3"});
    let view = done(&world, &member(), "start_run", arguments).await;
    assert_eq!(
        view["workItems"][0]["assignedTo"],
        json!({"person": "mira@example.com"})
    );
}

#[tokio::test]
async fn an_event_is_held_for_its_run_alone() {
    let world = world().await;
    let [first, second] = [
        started(&world, "late", "1").await,
        started(&world, "late", "2").await,
    ];
    let event = json!({"runId": first, "name": "paid", "requestId": "event"});
    assert_eq!(
        done(&world, &agent(), "send_event", event).await,
        json!({"consumedBy": null})
    );
    let (other, _) = drafted(&world, &second).await;
    assert_eq!(other["run"]["state"], "waiting", "it holds no event");
    let (view, _) = drafted(&world, &first).await;
    assert_eq!(view["run"]["state"], "ended");
}

#[tokio::test]
async fn a_run_keeps_the_version_that_it_started_with() {
    let world = world().await;
    let run = started(&world, "review", "1").await;
    let newer = REVIEW.replace("finish: printed", "finish: burnt");
    world.publish("review", &newer).await;
    let (view, _) = drafted(&world, &run).await;
    let mut arguments = view["workItems"][0]["decide"]["arguments"].clone();
    (arguments["decision"], arguments["requestId"]) = ("approved".into(), "decide".into());
    let view = done(&world, &member(), "decide", arguments).await;
    assert_eq!(
        (&view["run"]["version"], &view["run"]["outcome"]),
        (&json!(1), &json!("printed"))
    );
    let later = json!({"process": "review", "inputs": {}, "requestId": "2"});
    let view = done(&world, &agent(), "start_run", later).await;
    assert_eq!(view["run"]["version"], 2);
}

#[tokio::test]
async fn limits_are_those_of_the_specification_by_default() {
    let world = world().await;
    let described = done(&world, &agent(), "describe", json!({})).await;
    let text = r#"{"runDataBytes": 262144, "checkPass": 0.9, "checkFail": null, "checkConfidence": 0.8, "checkStateBytes": 65536}"#;
    let limits: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(described["limits"], limits);
    assert_eq!(described["maxUploadBytes"], 10_485_760);
}

#[tokio::test]
async fn a_claim_lasts_for_the_lease_that_describe_tells() {
    let world = world().await;
    let described = done(&world, &agent(), "describe", json!({})).await;
    assert_eq!(described["leaseSeconds"], 600);
    let run = started(&world, "review", "1").await;
    let claim = |request: &str| json!({"runId": run, "stepId": "draft", "requestId": request});
    let claimed = done(&world, &agent(), "claim", claim("2")).await;
    assert_eq!(claimed["expiresAt"], "2023-11-14T22:23:20.000Z");
    world.clock.advance(Duration::from_secs(599));
    let refused = world.call(&other_agent(), "claim", claim("3")).await;
    assert_eq!(refused["error"]["issues"], json!(["claimed_by_other"]));
    world.clock.advance(Duration::from_secs(1));
    done(&world, &other_agent(), "claim", claim("4")).await;
}

#[tokio::test]
async fn a_repeated_claim_has_its_token_again_even_after_the_end() {
    let world = world().await;
    let run = started(&world, "review", "1").await;
    let claim = json!({"runId": run, "stepId": "draft", "requestId": "claim"});
    let claimed = done(&world, &agent(), "claim", claim.clone()).await;
    let renew = json!({"token": claimed["token"], "requestId": "renew"});
    let renewed = done(&world, &agent(), "renew", renew.clone()).await;
    assert_ne!(renewed["token"], claimed["token"]);
    let cancel = json!({"runId": run, "reason": "Twice.", "requestId": "cancel"});
    done(&world, &operator(), "cancel", cancel).await;
    assert_eq!(done(&world, &agent(), "claim", claim).await, claimed);
    assert_eq!(done(&world, &agent(), "renew", renew).await, renewed);
}

#[tokio::test]
async fn an_argument_left_out_is_not_the_one_spelled_with_its_default() {
    let world = world().await;
    for (default, request) in [(json!({"mode": "live"}), "1"), (json!({"version": 1}), "2")] {
        let left_out = json!({"process": "review", "inputs": {}, "requestId": request});
        let mut spelled = left_out.clone();
        let members = default.as_object().expect("an object").clone();
        spelled.as_object_mut().expect("an object").extend(members);
        let first = done(&world, &agent(), "start_run", left_out.clone()).await;
        let refused = world.call(&agent(), "start_run", spelled).await;
        assert_eq!(refused["error"]["issues"], json!(["request_id_reused"]));
        assert_eq!(done(&world, &agent(), "start_run", left_out).await, first);
    }
}

#[tokio::test]
async fn any_member_may_start_runs() {
    let world = world().await;
    for (by, request) in [(member(), "1"), (operator(), "2")] {
        let arguments = json!({"process": "review", "inputs": {}, "requestId": request});
        done(&world, &by, "start_run", arguments).await;
    }
}
