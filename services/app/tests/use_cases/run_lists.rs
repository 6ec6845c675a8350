//! `list_runs` (tools.md).

use serde_json::{Value, json};

use crate::world::{World, agent, member, operator};

const ORDER: &str = "---\nname: order\ndescription: Order something.\n\
    inputs: {amount: number, buyer: {type: person, optional: true}}\nsteps:\n\
    - {id: buy, agent: Buy it.}\n- {id: done, finish: bought}\n---\n";

async fn world(amounts: &[&str]) -> World {
    let world = World::new().await;
    world.publish("order", ORDER).await;
    for (n, amount) in amounts.iter().enumerate() {
        let inputs = format!(r#"{{"amount": {amount}, "buyer": "Mira@example.com"}}"#);
        let inputs: Value = serde_json::from_str(&inputs).expect("JSON");
        let arguments = json!({"process": "order", "inputs": inputs, "requestId": n.to_string()});
        let started = world.call(&agent(), "start_run", arguments).await;
        assert_eq!(started["ok"], true, "{started}");
    }
    world
}

#[tokio::test]
async fn an_item_has_its_members_and_the_digits_of_its_inputs() {
    let world = world(&["12345678901234567890.10"]).await;
    for by in [agent(), member(), operator()] {
        let listed = world
            .call(&by, "list_runs", json!({"inputs": {"buyer": "mira@EXAMPLE.com"}}))
            .await;
        assert_eq!(listed["data"]["nextCursor"], Value::Null);
        let item = listed["data"]["items"][0].as_object().expect("an item");
        let members: Vec<_> = item.keys().map(String::as_str).collect();
        let expected = [
            "id",
            "inputs",
            "outcome",
            "process",
            "startedAt",
            "state",
            "updatedAt",
            "version",
        ];
        assert_eq!(members, expected);
        assert_eq!((&item["process"], &item["version"]), (&json!("order"), &json!(1)));
        assert_eq!(
            (&item["state"], &item["outcome"]),
            (&json!("active"), &Value::Null)
        );
        assert_eq!(item["inputs"]["amount"].to_string(), "12345678901234567890.10");
    }
}

#[tokio::test]
async fn a_cursor_is_its_callers_its_lists_and_its_filters() {
    let world = world(&["1", "1.0", "1.00", "2"]).await;
    let asked: Value =
        serde_json::from_str(r#"{"inputs": {"amount": 1}, "state": "active", "limit": 2}"#).expect("JSON");
    let first = world.call(&agent(), "list_runs", asked.clone()).await;
    assert_eq!(first["data"]["items"].as_array().map(Vec::len), Some(2));
    let length = first["data"]["nextCursor"].as_str().map_or(0, str::len);
    assert!(
        (100..400).contains(&length),
        "a cursor is short whatever was asked for: {length}"
    );
    let cursor = &first["data"]["nextCursor"];
    let with = |changes: Value| {
        let mut arguments = asked.as_object().expect("an object").clone();
        arguments.insert("cursor".to_owned(), cursor.clone());
        arguments.extend(changes.as_object().expect("an object").clone());
        Value::Object(arguments)
    };
    let second = world.call(&agent(), "list_runs", with(json!({"limit": 5}))).await;
    assert_eq!(second["data"]["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(second["data"]["nextCursor"], Value::Null);
    for (by, changes) in [
        (operator(), json!({})),
        (agent(), json!({"state": "ended"})),
        (agent(), json!({"process": "order"})),
        (agent(), json!({"inputs": {"amount": 2}})),
        (agent(), json!({"cursor": "made-up"})),
        (agent(), json!({"cursor": ""})),
    ] {
        let refused = world.call(&by, "list_runs", with(changes.clone())).await;
        assert_eq!(refused["error"]["code"], "invalid", "{changes}");
        assert_eq!(
            refused["error"]["issues"],
            json!(["cursor: does not verify"]),
            "{changes}"
        );
    }
}
