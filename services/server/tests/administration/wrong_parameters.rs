//! Something wrong in each parameter of each address, beside others that are right.

use serde_json::json;

use crate::client::{Company, PETTY_CASH, filled};
use crate::support::text;

/// What no parameter takes, as an address spells it.
fn values() -> Vec<String> {
    let spelled = [
        "%20",
        "x%20y",
        "%00",
        "%ff",
        "%ed%a0%80",
        "null",
        "true",
        "-1",
        "0",
        "1.5",
        "1e400",
        "[]",
        "%7B%7D",
        "..%2F..",
        "%27--",
    ];
    let long = ["9".repeat(40), "a".repeat(5_000)];
    spelled.into_iter().map(str::to_owned).chain(long).collect()
}

#[test]
fn something_wrong_in_any_parameter_of_any_path_is_not_found() {
    let company = Company::new();
    let admin = company.admin();
    let agent = admin.agent_id("alpha");
    let tokens = admin.get(&format!("/agents/{agent}/tokens")).with(200);
    let draft = text(&admin.post("/drafts", &json!({"source": PETTY_CASH})).with(201)["id"]);
    let right = |parameter: &str| match parameter {
        "person" => admin.member("omar@example.com"),
        "group" => admin.group("finance"),
        "agent" => agent.clone(),
        "token" => text(&tokens["items"][0]["id"]),
        "draft" => draft.clone(),
        "process" => "expense-report".to_owned(),
        "version" => "1".to_owned(),
        other => panic!("no id of {other}"),
    };
    let mut tried = 0;
    for operation in &company.document().operations {
        let body = operation.body().map(|body| body["example"].clone());
        for wrong in &operation.parameters {
            let path = filled(operation, |parameter| {
                if parameter == wrong {
                    "{wrong}".to_owned()
                } else {
                    right(parameter)
                }
            });
            for value in values() {
                let path = path.replace("{wrong}", &value);
                let reply = admin.call(&operation.method, &path, body.as_ref());
                assert_eq!(reply.refusal(), (404, "not_found"), "{} {path}", operation.method);
                tried += 1;
            }
        }
    }
    assert!(tried > 300, "{tried}");
    // What stands at the right addresses is still there.
    admin.get(&format!("/agents/{agent}")).with(200);
    admin.get(&format!("/drafts/{draft}")).with(200);
}

#[test]
fn something_wrong_in_any_parameter_of_any_query_is_invalid_there() {
    let company = Company::new();
    let admin = company.admin();
    let agent = admin.agent_id("alpha");
    let right = |parameter: &str| match parameter {
        "agent" => agent.clone(),
        "process" => "expense-report".to_owned(),
        other => panic!("no list of a {other}"),
    };
    let document = company.document();
    let mut tried = 0;
    for operation in &document.operations {
        let parameters = operation.content["parameters"].as_array();
        let parameters = parameters.into_iter().flatten().map(|it| document.resolved(it));
        for parameter in parameters.filter(|it| it["in"] == "query") {
            let name = parameter["name"].as_str().expect("a name");
            let path = filled(operation, right);
            for value in values().into_iter().chain([String::new()]) {
                let reply = admin.get(&format!("{path}?{name}={value}"));
                assert_eq!(reply.refusal(), (400, "invalid"), "{path} {name}={value}");
                let issues = reply.issues();
                assert!(
                    issues.iter().any(|issue| issue.starts_with(name)),
                    "{path} {name}={value}: {issues:?}"
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 200, "{tried}");
}

#[test]
fn a_parameter_that_a_list_does_not_have_is_invalid() {
    let company = Company::new();
    let admin = company.admin();
    for operation in &company.document().operations {
        let is_list = operation.content["parameters"].is_array();
        if !is_list || !operation.parameters.is_empty() {
            continue;
        }
        let reply = admin.get(&format!("{}?unknown=1", operation.path));
        assert_eq!(reply.refusal(), (400, "invalid"), "{}", operation.path);
    }
}
