//! Agents and their tokens.

use serde_json::{Value, json};

use crate::client::Company;
use crate::support::text;

#[test]
fn an_agent_may_do_what_it_was_allowed_from_its_next_call_on() {
    let company = Company::new();
    let admin = company.admin();
    let created = admin.post("/agents", &json!({"name": "gamma", "start": [], "work": "all"}));
    assert!(created.location.is_some());
    let created = created.with(201);
    let path = format!("/agents/{}", text(&created["id"]));
    assert_eq!(admin.get(&path).with(200), created);
    let issued = admin.post(&format!("{path}/tokens"), &json!({})).with(201);
    let token = text(&issued["token"]);
    let start = |number: &str| {
        let inputs = json!({"employee": "Ada", "purpose": "Lunch", "receipts": []});
        let arguments = json!({"process": "expense-report", "requestId": number, "inputs": inputs});
        let (_, answer) = company
            .server()
            .call(&company.name(), &token, "start_run", &arguments);
        answer["ok"].clone()
    };
    assert_eq!(start("1"), json!(false));
    let change = json!({"start": ["expense-report"], "name": "delta"});
    let changed = admin.patch(&path, &change).with(200);
    assert_eq!(
        (&changed["name"], &changed["start"], &changed["work"]),
        (&json!("delta"), &json!(["expense-report"]), &json!("all"))
    );
    assert_eq!(start("2"), json!(true));
    let refused = admin.post("/agents", &json!({"name": "delta", "start": [], "work": []}));
    assert_eq!(refused.refusal(), (409, "conflict"));

    admin.delete(&path).with(204);
    assert!(!company.with_token(&token).opens_mcp());
    assert_eq!(admin.get(&path).refusal(), (404, "not_found"));
    let issue = admin.post(&format!("{path}/tokens"), &json!({}));
    assert_eq!(issue.refusal(), (404, "not_found"));
    admin
        .post("/agents", &json!({"name": "delta", "start": [], "work": []}))
        .with(201);
}

#[test]
fn a_token_is_shown_once_and_ends_when_it_is_revoked() {
    let company = Company::new();
    let admin = company.admin();
    let tokens = format!("/agents/{}/tokens", admin.agent_id("alpha"));
    let reply = admin.post(&tokens, &Value::Null);
    assert_eq!(reply.refusal(), (400, "invalid"));
    let issued = admin.call("post", &tokens, None).with(201);
    let token = company.with_token(&text(&issued["token"]));
    assert!(token.opens_mcp());
    let listed = admin.get(&tokens);
    assert!(!listed.text.contains(&text(&issued["token"])));
    // The demo's own is one of them.
    assert_eq!(listed.with(200)["items"].as_array().map(Vec::len), Some(2));
    let path = format!("{tokens}/{}", text(&issued["id"]));
    let other = format!(
        "/agents/{}/tokens/{}",
        admin.agent_id("beta"),
        text(&issued["id"])
    );
    assert_eq!(admin.delete(&other).refusal(), (404, "not_found"));
    admin.delete(&path).with(204);
    assert!(!token.opens_mcp());
    assert_eq!(admin.delete(&path).refusal(), (404, "not_found"));
    assert!(company.agent("alpha").opens_mcp());
}

#[test]
fn a_token_ends_at_its_time() {
    let company = Company::new();
    let admin = company.admin();
    let tokens = format!("/agents/{}/tokens", admin.agent_id("alpha"));
    for wrong in [json!(0), json!(-1), json!(1.5), json!("60"), json!(315_360_001)] {
        let reply = admin.post(&tokens, &json!({"expiresInSeconds": wrong}));
        assert_eq!(reply.refusal(), (400, "invalid"), "{wrong}");
        assert_eq!(reply.issues().len(), 1);
    }
    let body = Some(r#"{"expiresInSeconds": 3600.0}"#.to_owned());
    let issued = admin.send("post", &tokens, body).with(201);
    let token = company.with_token(&text(&issued["token"]));
    assert!(token.opens_mcp());
    let (status, _) = company
        .server()
        .post("/dev/clock", "", &json!({"advanceSeconds": 3600}));
    assert_eq!(status, 200);
    assert!(!token.opens_mcp());
    let listed = admin.get(&tokens).with(200);
    let listed = listed["items"].as_array().expect("a list").iter();
    assert!(
        listed
            .clone()
            .any(|token| token["expiresAt"] == issued["expiresAt"])
    );
}

#[test]
fn an_agent_has_at_most_20_tokens() {
    let company = Company::new();
    let admin = company.admin();
    let tokens = format!("/agents/{}/tokens", admin.agent_id("beta"));
    for _ in 1..20 {
        admin.post(&tokens, &json!({})).with(201);
    }
    let full = admin.post(&tokens, &json!({}));
    assert_eq!(full.refusal(), (409, "conflict"));
}

/// process.md §5: the caller is the identity, not its access token.
#[test]
fn a_request_is_answered_again_whatever_token_its_caller_has_by_now() {
    let company = Company::new();
    let admin = company.admin();
    let id = admin.agent_id("alpha");
    let issue = || text(&admin.post(&format!("/agents/{id}/tokens"), &json!({})).with(201)["token"]);
    let inputs = json!({"employee": "Ada", "purpose": "Lunch", "receipts": []});
    let arguments = json!({"process": "expense-report", "requestId": "once", "inputs": inputs});
    let start = |token: &str| {
        let (_, answer) = company
            .server()
            .call(&company.name(), token, "start_run", &arguments);
        answer
    };
    let first = start(&issue());
    assert_eq!(first["ok"], true, "{first}");
    assert_eq!(start(&issue()), first);
    let beta = format!("/agents/{}/tokens", admin.agent_id("beta"));
    let other = text(&admin.post(&beta, &json!({})).with(201)["token"]);
    assert_eq!(start(&other)["error"]["issues"], json!(["request_id_reused"]));
}
