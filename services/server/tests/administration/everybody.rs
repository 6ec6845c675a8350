//! Every operation, called by whoever may not and with what is somebody else's.

use serde_json::{Value, json};

use crate::client::{Company, PETTY_CASH, filled};
use crate::support::text;

/// An id of the right form that nobody has, and whatever else an address may have.
fn made_up(parameter: &str) -> String {
    let prefix = match parameter {
        "person" => "u",
        "group" => "g",
        "agent" => "a",
        "token" => "t",
        "draft" => "d",
        _ => return "1".to_owned(),
    };
    format!("{prefix}_01KBC5QK0G4Y9S3M0V7W2XJ8RA")
}

#[test]
fn nobody_but_an_admin_of_the_organization_is_told_anything() {
    let (company, other) = (Company::new(), Company::new());
    let foreign = other.admin().token.expect("it has one");
    for operation in &company.document().operations {
        let path = filled(operation, made_up);
        let callers = [
            (company.person("mira@example.com"), (403, "forbidden")),
            (company.person("olga@example.com"), (403, "forbidden")),
            (company.agent("alpha"), (403, "forbidden")),
            (company.nobody(), (401, "unauthorized")),
            (company.with_token("dev_made-up"), (401, "unauthorized")),
            (company.with_token(&foreign), (401, "unauthorized")),
        ];
        for (caller, expected) in callers {
            for path in [path.as_str(), &format!("{path}?nonsense=1")] {
                let reply = caller.call(&operation.method, path, Some(&Value::Null));
                assert_eq!(reply.refusal(), expected, "{} {path}", operation.method);
            }
        }
    }
}

#[test]
fn what_another_organization_has_is_not_found() {
    let (company, other) = (Company::new(), Company::new());
    let (admin, stranger) = (company.admin(), other.admin());
    let agent = stranger.agent_id("alpha");
    let tokens = stranger.get(&format!("/agents/{agent}/tokens")).with(200);
    let publication = json!({"source": PETTY_CASH, "roles": {"finance": "finance"}});
    stranger.post("/processes/publish", &publication).with(201);
    let draft = text(&stranger.post("/drafts", &json!({"source": PETTY_CASH})).with(201)["id"]);
    let foreign = |parameter: &str| match parameter {
        "person" => stranger.member("mira@example.com"),
        "group" => stranger.group("finance"),
        "agent" => agent.clone(),
        "token" => text(&tokens["items"][0]["id"]),
        "draft" => draft.clone(),
        "process" => "petty-cash".to_owned(),
        "version" => "1".to_owned(),
        other => panic!("no id of {other}"),
    };
    let own_tokens = admin.get(&format!("/agents/{}/tokens", admin.agent_id("alpha")));
    let own_tokens = own_tokens.with(200);
    let own = |parameter: &str| match parameter {
        "person" => admin.member("omar@example.com"),
        "group" => admin.group("finance"),
        "agent" => admin.agent_id("alpha"),
        "token" => text(&own_tokens["items"][0]["id"]),
        "process" => "expense-report".to_owned(),
        other => panic!("no id of {other}"),
    };
    for operation in &company.document().operations {
        let body = operation.body();
        let body = body.map(|body| body["example"].clone());
        // All of them foreign, then one after the other.
        let mut paths = Vec::new();
        if !operation.parameters.is_empty() {
            paths.push(filled(operation, foreign));
        }
        if operation.parameters.len() > 1 {
            // The number of a version is nobody's.
            for strange in operation.parameters.iter().filter(|name| *name != "version") {
                paths.push(filled(operation, |parameter| {
                    if parameter == strange || parameter == "version" {
                        foreign(parameter)
                    } else {
                        own(parameter)
                    }
                }));
            }
        }
        for path in paths {
            let reply = admin.call(&operation.method, &path, body.as_ref());
            assert_eq!(reply.refusal(), (404, "not_found"), "{} {path}", operation.method);
        }
    }
    let group = stranger.group("finance");
    let members = stranger.get(&format!("/members?group={group}")).with(200);
    assert_eq!(members["items"].as_array().map(Vec::len), Some(2));
    let none = admin.get(&format!("/members?group={group}")).with(200);
    assert_eq!(none["items"].as_array().map(Vec::len), Some(0));
    assert!(other.agent("alpha").opens_mcp());
}

#[test]
fn what_is_no_id_is_not_found() {
    let company = Company::new();
    for operation in &company.document().operations {
        if operation.parameters.is_empty() {
            continue;
        }
        let body = operation.body();
        let body = body.map(|body| body["example"].clone());
        for wrong in ["x", "u_1", "%00", "%ff", "r_01KBC5QK0G4Y9S3M0V7W2XJ8RA", "0"] {
            let path = filled(operation, |_| wrong.to_owned());
            let reply = company.admin().call(&operation.method, &path, body.as_ref());
            assert_eq!(reply.refusal(), (404, "not_found"), "{} {path}", operation.method);
        }
    }
}

#[test]
fn an_address_or_method_that_does_not_exist_is_told() {
    let company = Company::new();
    let admin = company.admin();
    let nothing = admin.send("get", "/nothing", None);
    assert_eq!(nothing.refusal(), (404, "not_found"));
    let put = admin.send("put", "/members", None);
    assert_eq!(put.refusal(), (405, "invalid"));
    let (status, _) = company.server().get("/api/nothing");
    assert_eq!(status, 404);
}

#[test]
fn the_document_needs_no_token_and_names_its_server() {
    let company = Company::new();
    let (status, document) = company.server().get("/api/openapi.json");
    let document: Value = serde_json::from_str(&document).expect("JSON");
    assert_eq!((status, &document["openapi"]), (200, &Value::from("3.1.0")));
    assert_eq!(document["servers"][0]["url"], company.server().ready()["url"]);
}
