//! Bodies that break the document's schemas at every position.

use serde_json::{Map, Value, json};

use crate::client::{Company, filled};
use crate::support::text;

/// One value of each type.
fn values() -> [Value; 7] {
    [
        Value::Null,
        json!(true),
        json!(1),
        json!("no such thing!"),
        json!([]),
        json!([[]]),
        json!({"x": {}}),
    ]
}

/// The value with something else at each of its positions, with each member left out, and with one more.
fn broken(value: &Value) -> Vec<Value> {
    let mut all = values().to_vec();
    match value {
        Value::Object(members) => {
            for (name, inner) in members {
                let with = |inner: Option<Value>| {
                    let mut members: Map<String, Value> = members.clone();
                    members.remove(name);
                    members.extend(inner.map(|inner| (name.clone(), inner)));
                    Value::Object(members)
                };
                all.push(with(None));
                all.extend(broken(inner).into_iter().map(|inner| with(Some(inner))));
            }
            let mut members = members.clone();
            members.insert("unknown".to_owned(), json!("x"));
            all.push(Value::Object(members));
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                all.extend(broken(item).into_iter().map(|inner| {
                    let mut items = items.clone();
                    items[index] = inner;
                    Value::Array(items)
                }));
            }
            let mut twice = items.clone();
            twice.extend(items.first().cloned());
            all.push(Value::Array(twice));
        }
        _ => {}
    }
    all
}

#[test]
fn a_body_that_breaks_its_schema_is_invalid_with_every_problem() {
    let company = Company::new();
    let admin = company.admin();
    let draft = text(&admin.post("/drafts", &json!({"source": "---"})).with(201)["id"]);
    let id = |parameter: &str| match parameter {
        "person" => admin.member("omar@example.com"),
        "group" => admin.group("finance"),
        "agent" => admin.agent_id("beta"),
        "draft" => draft.clone(),
        "process" => "expense-report".to_owned(),
        other => panic!("no id of {other}"),
    };
    let mut tried = 0;
    for operation in &company.document().operations {
        let Some(body) = operation.body() else {
            continue;
        };
        let (path, schema) = (
            filled(operation, id),
            company.document().validator(&body["schema"]),
        );
        let example = body.get("example").expect("every body has an example");
        assert!(schema.is_valid(example), "{path}: {example}");
        for wrong in broken(example) {
            if schema.is_valid(&wrong) {
                continue;
            }
            let reply = admin.call(&operation.method, &path, Some(&wrong));
            assert_eq!(
                reply.refusal(),
                (400, "invalid"),
                "{} {path} {wrong}",
                operation.method
            );
            assert!(!reply.issues().is_empty(), "{path} {wrong}");
            tried += 1;
        }
        for text in ["{", "nonsense", "\"\\ud800\"", "{\"a\": 1, \"a\": 2}", "\u{0}"] {
            let reply = admin.send(&operation.method, &path, Some(text.to_owned()));
            assert_eq!(reply.refusal(), (400, "invalid"), "{path} {text}");
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn a_body_beyond_the_cap_is_refused() {
    let company = Company::new();
    let body = format!("{{\"name\": \"{}\"}}", "a".repeat(4_000_000));
    let reply = company.admin().send("post", "/groups", Some(body));
    assert_eq!(reply.refusal(), (413, "invalid"));
}
