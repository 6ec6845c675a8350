//! What results consist of, member by member (tools.md). Nothing more is in them, so a member that comes or goes is noticed.

use base::Principal;
use serde_json::{Value, json};

use crate::world::{World, agent, bystander, member, operator};

/// `World` begins at this instant, and what is due in an hour is due at the other.
const START: &str = "2023-11-14T22:13:20.000Z";
const AN_HOUR_LATER: &str = "2023-11-14T23:13:20.000Z";

const TRIP: &str = "---\nname: trip\ndescription: Plan a trip.\nrequires: {systems: [travel-desk]}\n\
    inputs: {where: string}\nsteps:\n\
    - {id: plan, agent: Plan it., due: 1h}\n- {id: pay, approve: Pay it?, person: finance, due: 1h}\n\
    - {id: pack, task: Pack., person: initiator, output: {bags: number}, evidence: [link]}\n\
    - {id: gone, finish: gone}\n---\nPack light.\n";
const WALK: &str = "---\nname: walk\ndescription: Take a walk.\nsteps:\n- {id: go, task: Go., person: finance}\n\
    - {id: gone, finish: gone}\n---\n";

async fn done(world: &World, by: &Principal, tool: &str, arguments: Value) -> Value {
    let answer = world.call(by, tool, arguments).await;
    assert_eq!(answer["ok"], true, "{tool}: {answer}");
    answer["data"].clone()
}

/// A trip that the member started in the mode.
async fn trip(mode: &str) -> (World, String) {
    let world = World::new().await;
    world.publish("trip", TRIP).await;
    let arguments =
        json!({"process": "trip", "inputs": {"where": "Rome"}, "mode": mode, "requestId": "start"});
    let view = done(&world, &member(), "start_run", arguments).await;
    let run = view["run"]["id"].as_str().expect("a text").to_owned();
    (world, run)
}

async fn claim(world: &World, run: &str) -> Value {
    let arguments = json!({"runId": run, "stepId": "plan", "requestId": "claim"});
    done(world, &agent(), "claim", arguments).await
}

/// The trip is planned; the view then.
async fn plan(world: &World, run: &str) -> Value {
    let token = claim(world, run).await["token"].clone();
    let arguments = json!({"token": token, "output": {}, "summary": "Planned.", "requestId": "submit"});
    done(world, &agent(), "submit", arguments).await
}

#[tokio::test]
async fn an_offer_of_work_has_these_members_and_no_more() {
    let (world, run) = trip("live").await;
    let offer = json!({
        "runId": run, "stepId": "plan", "process": "trip", "version": 1, "mode": "live", "readySince": START,
        "due": AN_HOUR_LATER, "overdue": false, "handoff": null,
        "claim": {"tool": "claim", "arguments": {"runId": run, "stepId": "plan", "requestId": "<new UUID>"}},
    });
    let work = done(&world, &agent(), "get_work", json!({})).await;
    assert_eq!(work, json!({"items": [offer], "nextCursor": null}));
}

#[tokio::test]
async fn a_claim_has_these_members_and_no_more() {
    let (world, run) = trip("live").await;
    let mut claim = claim(&world, &run).await;
    let token = claim["token"].take();
    assert!(token.as_str().is_some_and(|token| token.starts_with("ct_")));
    let described = done(&world, &agent(), "describe", json!({})).await;
    assert_eq!(described["leaseSeconds"], 600);
    let expected = json!({
        "token": null, "expiresAt": "2023-11-14T22:23:20.000Z", "mode": "live",
        "step": {"id": "plan", "instructions": "Plan it.", "output": null, "evidence": null, "next": null},
        "handoff": null, "body": "Pack light.\n", "data": {"inputs": {"where": "Rome"}, "steps": {}},
    });
    assert_eq!(claim, expected);
    let renewal = json!({"token": token, "requestId": "renew"});
    let mut renewal = done(&world, &agent(), "renew", renewal).await;
    assert_ne!(renewal["token"].take(), token);
    assert_eq!(
        renewal,
        json!({"token": null, "expiresAt": "2023-11-14T22:23:20.000Z"})
    );
}

#[tokio::test]
async fn an_approvals_work_item_has_these_members_and_no_more() {
    let (world, run) = trip("live").await;
    let view = plan(&world, &run).await;
    let (id, snapshot) = (&view["workItems"][0]["id"], &view["workItems"][0]["snapshot"]);
    let item = json!({
        "id": id, "stepId": "pay", "kind": "approve", "text": "Pay it?", "output": null, "evidence": null, "next": null,
        "handoff": null, "assignedTo": {"group": "g_00000000000000000000000009"}, "snapshot": snapshot,
        "due": AN_HOUR_LATER, "escalation": null,
        "decide": {
            "tool": "decide", "decisions": ["approved", "rejected", "failed"],
            "arguments": {"runId": run, "workItemId": id, "snapshot": snapshot, "requestId": "<new UUID>"},
        },
    });
    assert_eq!(view["workItems"], json!([item]));
    let listed = json!({"runId": run, "process": "trip", "version": 1, "mode": "live", "workItem": item});
    let work = done(&world, &member(), "get_work", json!({})).await;
    assert_eq!(work, json!({"items": [listed], "nextCursor": null}));
}

#[tokio::test]
async fn a_tasks_work_item_says_which_person_it_is_for_and_that_it_is_a_test() {
    let (world, run) = trip("test").await;
    let approval = plan(&world, &run).await["workItems"][0].clone();
    assert_eq!(approval["mode"], "test");
    let mut decide = approval["decide"]["arguments"].clone();
    (decide["decision"], decide["requestId"]) = ("approved".into(), "pay".into());
    let view = done(&world, &member(), "decide", decide).await;
    let (id, snapshot) = (&view["workItems"][0]["id"], &view["workItems"][0]["snapshot"]);
    let item = json!({
        "id": id, "stepId": "pack", "kind": "task", "text": "Pack.", "output": {"bags": "number"}, "evidence": ["link"],
        "next": null, "handoff": null, "assignedTo": {"person": "mira@example.com"}, "snapshot": snapshot, "due": null,
        "escalation": null, "mode": "test",
        "decide": {
            "tool": "decide", "decisions": ["completed", "failed"],
            "arguments": {"runId": run, "workItemId": id, "snapshot": snapshot, "requestId": "<new UUID>"},
        },
    });
    assert_eq!(view["workItems"], json!([item]));
}

#[tokio::test]
async fn an_escalated_steps_work_item_has_the_note_with_who_and_when() {
    let (world, run) = trip("live").await;
    let token = claim(&world, &run).await["token"].clone();
    let arguments = json!({"token": token, "note": "No trains.", "requestId": "escalate"});
    let item = done(&world, &agent(), "escalate", arguments).await["workItems"][0].clone();
    let escalation = json!({"note": "No trains.", "by": "a_00000000000000000000000002", "at": START});
    assert_eq!(
        (&item["kind"], &item["escalation"], &item["due"]),
        (&json!("agent"), &escalation, &json!(AN_HOUR_LATER))
    );
    assert_eq!(
        item["decide"]["decisions"],
        json!(["returned", "completed", "failed"])
    );
    let members: Vec<&String> = item.as_object().expect("an object").keys().collect();
    let expected = [
        "assignedTo",
        "decide",
        "due",
        "escalation",
        "evidence",
        "handoff",
        "id",
        "kind",
        "next",
        "output",
        "snapshot",
        "stepId",
        "text",
    ];
    assert_eq!(members, expected);
}

#[tokio::test]
async fn a_run_view_has_these_members_and_no_more() {
    let (world, run) = trip("live").await;
    let view = done(&world, &bystander(), "get_run", json!({"runId": run})).await;
    let expected = json!({
        "run": {
            "id": run, "process": "trip", "version": 1, "mode": "live", "state": "active", "outcome": null, "ended": null,
            "startedBy": "u_00000000000000000000000004", "startedAt": START, "updatedAt": START,
        },
        "data": {"inputs": {"where": "Rome"}, "steps": {}},
        "steps": [
            {"id": "plan", "kind": "agent", "state": "ready", "due": AN_HOUR_LATER, "overdue": false},
            {"id": "pay", "kind": "approve", "state": null},
            {"id": "pack", "kind": "task", "state": null},
            {"id": "gone", "kind": "finish", "state": null},
        ],
        "workItems": [],
        "body": "Pack light.\n",
    });
    assert_eq!(view, expected);
    let cancel = json!({"runId": run, "reason": "Rain.", "requestId": "cancel"});
    let view = done(&world, &operator(), "cancel", cancel).await;
    let ended = json!({"by": "u_00000000000000000000000003", "at": START, "note": "Rain."});
    assert_eq!(
        (
            &view["run"]["state"],
            &view["run"]["outcome"],
            &view["run"]["ended"]
        ),
        (&json!("cancelled"), &Value::Null, &ended)
    );
}

#[tokio::test]
async fn what_is_overdue_is_marked_in_views_and_in_offers() {
    let (world, run) = trip("live").await;
    world.clock.advance(std::time::Duration::from_hours(1));
    let view = done(&world, &agent(), "get_run", json!({"runId": run})).await;
    let step =
        json!({"id": "plan", "kind": "agent", "state": "ready", "due": AN_HOUR_LATER, "overdue": true});
    assert_eq!(view["steps"][0], step);
    let work = done(&world, &agent(), "get_work", json!({})).await;
    assert_eq!(work["items"][0]["overdue"], true);
}

#[tokio::test]
async fn the_catalog_and_the_description_are_for_anyone() {
    let world = World::new().await;
    world.publish("trip", TRIP).await;
    world.publish("walk", WALK).await;
    for who in [agent(), bystander(), member(), operator()] {
        let described = done(&world, &who, "describe", json!({})).await;
        assert_eq!(described["version"], "core-2");
        let listed = done(&world, &who, "list_processes", json!({})).await;
        let members = |item: &Value| -> Vec<String> {
            let item = item.as_object().expect("an object");
            item.keys().cloned().collect()
        };
        assert_eq!(
            listed["items"][0]["requires"],
            json!({"systems": ["travel-desk"]})
        );
        assert_eq!(
            members(&listed["items"][0]),
            ["description", "inputs", "name", "requires", "version"]
        );
        assert_eq!(
            members(&listed["items"][1]),
            ["description", "inputs", "name", "version"]
        );
        assert_eq!(members(&listed), ["items", "nextCursor"]);
    }
}
