//! `send_event` (process.md §5 and §9, "Time and events").

use base::Principal;
use serde_json::{Value, json};

use crate::world::{World, agent, member, operator};

const PAID: &str = "---\nname: paid\ndescription: Wait for the money.\nsteps:\n\
    - {id: pause, wait: 1d}\n- {id: payment, wait_for: paid}\n- {id: done, finish: paid}\n---\n";
const LISTENING: &str = "---\nname: listening\ndescription: Wait for the money.\nsteps:\n\
    - {id: payment, wait_for: paid}\n- {id: done, finish: paid}\n---\n";

async fn run_of(world: &World, process: &str) -> String {
    let arguments = json!({"process": process, "inputs": {}, "requestId": format!("start {process}")});
    let started = world.call(&agent(), "start_run", arguments).await;
    started["data"]["run"]["id"].as_str().expect("a run").to_owned()
}

async fn world() -> World {
    let world = World::new().await;
    world.publish("paid", PAID).await;
    world.publish("listening", LISTENING).await;
    world
}

async fn send(world: &World, by: &Principal, arguments: Value) -> Value {
    world.call(by, "send_event", arguments).await
}

#[tokio::test]
async fn consumed_by_names_the_step_and_is_the_same_when_the_request_is_repeated_after_the_end() {
    let world = world().await;
    let run = run_of(&world, "listening").await;
    let arguments = json!({"runId": run, "name": "paid", "data": {"sum": 1}, "requestId": "q"});
    let sent = send(&world, &agent(), arguments.clone()).await;
    assert_eq!(sent, json!({"ok": true, "data": {"consumedBy": "payment"}}));
    assert_eq!(send(&world, &agent(), arguments).await, sent);
    let late = json!({"runId": run, "name": "paid", "requestId": "r"});
    assert_eq!(
        send(&world, &agent(), late).await["error"]["issues"],
        json!(["run_ended"])
    );
}

#[tokio::test]
async fn consumed_by_is_null_while_the_event_is_held() {
    let world = world().await;
    let run = run_of(&world, "paid").await;
    for (by, request) in [(agent(), "q"), (operator(), "r")] {
        let arguments = json!({"runId": run, "name": "paid", "requestId": request});
        let sent = send(&world, &by, arguments.clone()).await;
        assert_eq!(sent, json!({"ok": true, "data": {"consumedBy": null}}));
        assert_eq!(send(&world, &by, arguments).await, sent);
    }
}

#[tokio::test]
async fn a_person_who_is_no_operator_is_forbidden() {
    let world = world().await;
    let run = run_of(&world, "paid").await;
    let arguments = json!({"runId": run, "name": "paid", "requestId": "q"});
    let refused = send(&world, &member(), arguments).await;
    assert_eq!(refused["error"]["code"], "forbidden");
}

#[tokio::test]
async fn a_bad_event_name_and_oversize_data_are_invalid() {
    let world = world().await;
    let run = run_of(&world, "paid").await;
    for name in ["", "Paid", "1st", "not a name", &"n".repeat(65)] {
        let arguments = json!({"runId": run, "name": name, "requestId": "q"});
        let refused = send(&world, &agent(), arguments).await;
        assert_eq!(refused["error"]["code"], "invalid", "{name}");
        let issue = refused["error"]["issues"][0].as_str().expect("an issue");
        assert!(issue.starts_with("name: expected"), "{issue}");
    }
    let data = json!({ "text": "x".repeat(262_144) });
    let arguments = json!({"runId": run, "name": "paid", "data": data, "requestId": "q"});
    let refused = send(&world, &agent(), arguments).await;
    assert_eq!(refused["error"]["code"], "invalid");
    let issue = refused["error"]["issues"][0].as_str().expect("an issue");
    assert!(
        issue.starts_with("run data: ") && issue.ends_with(" bytes, limit 262144"),
        "{issue}"
    );
}
