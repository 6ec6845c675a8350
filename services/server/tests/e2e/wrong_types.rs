//! Something wrong at every position of every tool's arguments, through the real door (tools.md: `invalid`).

use std::fs;
use std::path::Path;

use jsonschema::Validator;
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

use crate::door::{Door, ERRAND, Failure, publish};
use crate::journal;
use crate::support::Server;

/// A value for every property that some tool has: right where it is taken.
fn right() -> Value {
    json!({
        "cursor": "c", "process": "p", "version": 1, "inputs": {}, "mode": "live", "requestId": "q", "runId": "r_1", "limit": 5,
        "stepId": "s", "token": "ct_1", "progress": "half", "output": {}, "evidence": [{"kind": "link", "ref": "x"}],
        "summary": "s", "next": "n", "reason": "r", "note": "n", "workItemId": "w_1", "snapshot": "sha256:00",
        "decision": "completed", "name": "paid", "data": {}, "state": "active",
    })
}

/// Something of every type, and some that are hard to swallow.
fn values() -> Vec<Value> {
    let deep = (0..40).fold(json!({}), |inner, _| json!({ "x": inner }));
    let number = |text: &str| serde_json::from_str(text).expect("a number");
    vec![
        Value::Null,
        json!(true),
        number("-1"),
        number("1.5"),
        number("1e400"),
        number("123456789012345678901234567890"),
        json!(""),
        json!("x".repeat(5_000)),
        json!([]),
        json!([[], {}]),
        json!([{"kind": "file"}]),
        deep,
    ]
}

/// Arguments with something else at each position, without each of them, and with one more.
fn broken(arguments: &Map<String, Value>) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for name in arguments.keys() {
        let mut without = arguments.clone();
        without.remove(name);
        all.push((name.clone(), without.into()));
        for value in values() {
            let mut with = arguments.clone();
            with.insert(name.clone(), value);
            all.push((name.clone(), with.into()));
        }
    }
    if let Some(item) = arguments.get("evidence").map(|items| items[0].clone()) {
        for part in ["kind", "ref", "more"] {
            for value in values() {
                let (mut with, mut item) = (arguments.clone(), item.clone());
                item[part] = value;
                with.insert("evidence".to_owned(), json!([item]));
                all.push(("evidence".to_owned(), with.into()));
            }
        }
    }
    let mut more = arguments.clone();
    more.insert("unknown".to_owned(), json!(1));
    all.push(("unknown".to_owned(), more.into()));
    all
}

/// Every tool, what its schema takes, and arguments that it does take.
fn tools() -> Vec<(String, Validator, Map<String, Value>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/tools");
    let mut tools = Vec::new();
    for entry in fs::read_dir(folder).expect("the schemas are there").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(tool) = name.strip_suffix(".arguments.json") else {
            continue;
        };
        let text = fs::read_to_string(entry.path()).expect("a schema");
        let schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
        let right = right();
        let properties = schema["properties"].as_object().into_iter().flatten();
        let arguments: Map<String, Value> = properties
            .map(|(name, _)| (name.clone(), right[name].clone()))
            .collect();
        let validator = jsonschema::validator_for(&schema).expect("a JSON Schema");
        assert!(
            validator.is_valid(&Value::Object(arguments.clone())),
            "{tool}: {arguments:?}"
        );
        tools.push((tool.to_owned(), validator, arguments));
    }
    tools
}

/// Two runs, a step of one claimed and an item of the other open: the arguments that name them, of `decide` and of all others.
struct Scene {
    alpha: Door,
    mira: Door,
    claimed: Value,
    asked: Value,
}

impl Scene {
    async fn new(server: &Server) -> Self {
        let alpha = Door::of(&server.ready(), "alpha");
        let mira = Door::of(&server.ready(), "mira");
        let call = async |tool: &str, arguments: Value| {
            let answer = alpha.call(tool, &arguments).await;
            answer.unwrap_or_else(|refused| panic!("{tool}: {refused:?}"))
        };
        let mut claims = Vec::new();
        for name in ["claimed", "asked"] {
            let start = json!({"process": "errand", "inputs": {"what": name}, "requestId": name});
            let run = call("start_run", start).await["run"]["id"].clone();
            let claim = json!({"runId": run, "stepId": "do", "requestId": format!("claim {name}")});
            let token = call("claim", claim).await["token"].clone();
            claims.push(json!({"process": "errand", "runId": run, "stepId": "do", "token": token}));
        }
        let done = json!({"token": claims[1]["token"], "output": {"result": "x"}, "summary": "x", "requestId": "submit"});
        let asked = call("submit", done).await["workItems"][0]["decide"]["arguments"].clone();
        Self {
            alpha,
            mira,
            claimed: claims.swap_remove(0),
            asked,
        }
    }

    fn caller(&self, tool: &str) -> &Door {
        if tool == "decide" { &self.mira } else { &self.alpha }
    }

    /// The arguments with names of what there is.
    fn real(&self, tool: &str, arguments: &Map<String, Value>) -> Map<String, Value> {
        let there = if tool == "decide" {
            &self.asked
        } else {
            &self.claimed
        };
        let name = |(name, value): (&String, &Value)| {
            let value = there.get(name).filter(|_| name != "requestId").unwrap_or(value);
            (name.clone(), value.clone())
        };
        arguments.iter().map(name).collect()
    }
}

/// All that writes leave.
fn written(server: &Server) -> Vec<Value> {
    let of = |table: &str| {
        journal::rows(
            &server.ready(),
            &format!("select * from {table} order by {table}::text"),
        )
    };
    ["runs", "run_events", "requests", "offers", "work_items", "outbox"]
        .map(of)
        .concat()
}

#[test]
fn something_wrong_at_any_position_of_any_tool_is_invalid_there_and_changes_nothing() {
    let server = Server::start(&["--ephemeral"]);
    publish(&server, ERRAND);
    let mut tried = 0;
    Runtime::new().expect("a runtime").block_on(async {
        let scene = Scene::new(&server).await;
        let before = written(&server);
        for (tool, schema, arguments) in tools() {
            for (place, wrong) in broken(&scene.real(&tool, &arguments)) {
                if schema.is_valid(&wrong) {
                    continue;
                }
                let answer = scene.caller(&tool).call(&tool, &wrong).await;
                let Err(Failure::Refused(code, issues)) = &answer else {
                    panic!("{tool} {wrong}: {answer:?}");
                };
                assert_eq!(code, "invalid", "{tool} {wrong}");
                let names_it = |issue: &String| issue.starts_with(&format!("arguments.{place}"));
                assert!(issues.iter().any(names_it), "{tool} {wrong}: {issues:?}");
                tried += 1;
            }
        }
        assert_eq!(written(&server), before);
    });
    assert!(tried > 500, "{tried}");
}

#[test]
fn whatever_the_schemas_take_has_an_answer() {
    let server = Server::start(&["--ephemeral"]);
    publish(&server, ERRAND);
    let mut tried = 0;
    Runtime::new().expect("a runtime").block_on(async {
        let scene = Scene::new(&server).await;
        for (tool, schema, arguments) in tools() {
            let made_up = broken(&arguments).into_iter();
            for (_, strange) in made_up.chain(broken(&scene.real(&tool, &arguments))) {
                if schema.is_valid(&strange) {
                    let answer = scene.caller(&tool).call(&tool, &strange).await;
                    assert_ne!(answer, Err(Failure::Unknown), "{tool} {strange}");
                    tried += 1;
                }
            }
        }
    });
    assert!(tried > 100, "{tried}");
}
