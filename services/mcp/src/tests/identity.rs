//! Who calls is settled before anything else.

use reqwest::Client;

use super::*;

const METADATA: &str = "https://baton.example/.well-known/oauth-protected-resource/o/demo/mcp";

#[tokio::test]
async fn a_call_without_a_token_is_challenged() {
    let url = serve().await;
    let request = Client::new()
        .post(format!("{url}/o/demo/mcp"))
        .body("not even JSON");
    let response = send(request).await;
    assert_eq!(response.status(), 401);
    let expected = format!("Bearer resource_metadata=\"{METADATA}\", scope=\"mcp\"");
    assert_eq!(response.headers()["www-authenticate"], expected);
    assert_eq!(response.headers()["cache-control"], "no-store");
}

#[tokio::test]
async fn a_token_is_good_for_its_own_organization_only() {
    let url = serve().await;
    for (organization, token) in [("demo", "unknown"), ("demo2", TOKEN), ("nobody", TOKEN)] {
        let request = Client::new()
            .post(format!("{url}/o/{organization}/mcp"))
            .bearer_auth(token)
            .body(DESCRIBE);
        let response = send(request).await;
        assert_eq!(response.status(), 401, "{organization} {token}");
        let challenge = response.headers()["www-authenticate"]
            .to_str()
            .expect("text")
            .to_owned();
        assert!(
            challenge.starts_with("Bearer error=\"invalid_token\""),
            "{challenge}"
        );
        assert!(
            challenge.contains(&format!("/o/{organization}/mcp")),
            "{challenge}"
        );
    }
}

#[tokio::test]
async fn every_method_needs_a_token() {
    let url = serve().await;
    let client = Client::new();
    let address = format!("{url}/o/demo/mcp");
    for request in [
        client.get(&address),
        client.delete(&address),
        client.put(&address),
    ] {
        assert_eq!(send(request).await.status(), 401);
    }
    for request in [client.get(&address), client.delete(&address)] {
        let request = request.bearer_auth(TOKEN).header("accept", "text/event-stream");
        let response = send(request).await;
        assert_eq!(response.status(), 405);
        assert_eq!(response.headers()["allow"], "POST, OPTIONS");
        let body: Value = response.json().await.expect("JSON");
        assert_eq!(body["error"]["code"], "invalid");
    }
}

#[tokio::test]
async fn tokens_that_cannot_be_checked_are_not_refused() {
    let url = serve().await;
    let (status, body) = answer(post(&url, DESCRIBE).header("x", "y")).await;
    assert_eq!((status, &body["result"]["isError"]), (200, &json!(false)));
    let request = Client::new()
        .post(format!("{url}/o/demo/mcp"))
        .bearer_auth("database-is-down")
        .body(DESCRIBE);
    let response = send(request).await;
    assert_eq!(response.status(), 503);
    assert_eq!(response.headers()["retry-after"], "1");
    let body: Value = response.json().await.expect("JSON");
    assert_eq!(body["error"]["code"], "retry");
}

#[tokio::test]
async fn names_that_no_organization_can_have_are_not_found() {
    let url = serve().await;
    for path in [
        "/o/De%22mo/mcp",
        "/o/De%22mo/mcp/",
        "/o//mcp",
        "/.well-known/oauth-protected-resource/o/De%22mo/mcp",
    ] {
        let request = Client::new().get(format!("{url}{path}")).bearer_auth(TOKEN);
        assert_eq!(send(request).await.status(), 404, "{path}");
    }
}

#[tokio::test]
async fn an_address_with_a_slash_at_its_end_is_the_same_endpoint() {
    let url = serve().await;
    let address = format!("{url}/o/demo/mcp/");
    let request = Client::new().post(&address).bearer_auth(TOKEN).json(&json!({
        "jsonrpc": "2.0", "id": 1, "method": "ping",
    }));
    assert_eq!(
        answer(request).await,
        (200, json!({"jsonrpc": "2.0", "id": 1, "result": {}}))
    );
    let challenged = send(Client::new().post(&address)).await;
    let challenge = challenged.headers()["www-authenticate"]
        .to_str()
        .expect("text")
        .to_owned();
    assert!(
        challenge.contains(&format!("resource_metadata=\"{METADATA}/\"")),
        "{challenge}"
    );
    let metadata = format!("{url}/.well-known/oauth-protected-resource/o/demo/mcp/");
    let (_, body) = answer(Client::new().get(metadata)).await;
    assert_eq!(body["resource"], "https://baton.example/o/demo/mcp/");
}

#[tokio::test]
async fn the_bare_metadata_are_those_of_the_only_organization() {
    let url = serve().await;
    let bare = format!("{url}/.well-known/oauth-protected-resource");
    let its_own = format!("{bare}/o/demo/mcp");
    let answer = async |address| answer(Client::new().get(address)).await;
    assert_eq!(answer(bare).await, answer(its_own).await);
}

#[tokio::test]
async fn the_metadata_name_the_issuer_of_the_organization() {
    let url = serve().await;
    let address = format!("{url}/.well-known/oauth-protected-resource/o/demo/mcp");
    let (status, body) = answer(Client::new().get(address)).await;
    assert_eq!(status, 200);
    assert_eq!(body["resource"], "https://baton.example/o/demo/mcp");
    assert_eq!(
        body["authorization_servers"],
        json!(["https://baton.example/o/demo"])
    );
    assert_eq!(body["bearer_methods_supported"], json!(["header"]));
}
