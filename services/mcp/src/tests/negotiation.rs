//! Forms and versions: what the headers of a message must say, and what is said when they do not.

use http::header::{ACCEPT, CONTENT_TYPE};

use super::*;

const VERSION: &str = "mcp-protocol-version";

/// A call of `describe` with a header set, or left out.
async fn describe(url: &str, header: impl AsRef<str>, value: Option<&str>) -> (u16, Value) {
    let mut request = post(url, DESCRIBE).build().expect("a request");
    request.headers_mut().remove(header.as_ref());
    if let Some(value) = value {
        let name: http::HeaderName = header.as_ref().parse().expect("a name");
        request
            .headers_mut()
            .insert(name, value.parse().expect("a value"));
    }
    let response = reqwest::Client::new().execute(request).await.expect("an answer");
    assert_eq!(response.headers()[CONTENT_TYPE], "application/json");
    (response.status().as_u16(), response.json().await.expect("JSON"))
}

#[tokio::test]
async fn a_message_is_application_json() {
    let url = serve().await;
    for value in ["application/json", "Application/JSON; charset=utf-8"] {
        assert_eq!(describe(&url, CONTENT_TYPE, Some(value)).await.0, 200, "{value}");
    }
    for value in [
        None,
        Some("text/plain"),
        Some("application/jsonp"),
        Some("application/x-www-form-urlencoded"),
    ] {
        let (status, answer) = describe(&url, CONTENT_TYPE, value).await;
        let expected = json!({"jsonrpc": "2.0", "id": null, "error": {
            "code": -32600, "message": "Content-Type must be application/json",
        }});
        assert_eq!((status, answer), (415, expected), "{value:?}");
    }
}

#[tokio::test]
async fn an_answer_is_for_everybody_who_can_read_json() {
    let url = serve().await;
    for value in [
        None,
        Some("application/json, text/event-stream"),
        Some("text/event-stream;q=0.5,application/json"),
        Some("application/json"),
        Some("application/*"),
        Some("*/*"),
    ] {
        assert_eq!(describe(&url, ACCEPT, value).await.0, 200, "{value:?}");
    }
    for value in ["text/html", "text/event-stream", "application/xml, text/*", ""] {
        let (status, answer) = describe(&url, ACCEPT, Some(value)).await;
        let expected = json!({"jsonrpc": "2.0", "id": null, "error": {
            "code": -32600, "message": "Accept must list application/json and text/event-stream",
        }});
        assert_eq!((status, answer), (406, expected), "{value}");
    }
}

#[tokio::test]
async fn a_version_that_is_not_served_is_refused_with_those_that_are() {
    let url = serve().await;
    for version in [
        "2024-11-05",
        "2025-03-26",
        "1999-01-01",
        "2027-01-01",
        "DRAFT",
        "",
    ] {
        let (status, answer) = describe(&url, VERSION, Some(version)).await;
        assert_eq!(status, 400, "{version}: {answer}");
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(7), &json!(-32022)),
            "{answer}"
        );
        let expected = json!({"requested": version, "supported": ["2025-06-18", "2025-11-25", "2026-07-28"]});
        assert_eq!(answer["error"]["data"], expected);
        let message = answer["error"]["message"].as_str().expect("a text");
        assert!(
            message.ends_with("2025-06-18, 2025-11-25, 2026-07-28 are"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_notification_of_a_version_that_is_not_served_is_refused() {
    let url = serve().await;
    let body = r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#;
    let mut request = post(&url, body).build().expect("a request");
    request
        .headers_mut()
        .insert(VERSION, http::HeaderValue::from_static("2024-11-05"));
    let response = reqwest::Client::new().execute(request).await.expect("an answer");
    assert_eq!(response.status(), 400);
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(
        (&answer["id"], &answer["error"]["code"]),
        (&Value::Null, &json!(-32022))
    );
}

#[tokio::test]
async fn a_client_that_forgets_the_version_is_served() {
    let url = serve().await;
    let (status, answer) = describe(&url, VERSION, None).await;
    assert_eq!(
        (status, &answer["result"]["isError"]),
        (200, &json!(false)),
        "{answer}"
    );
    assert_eq!(answer["result"].get("resultType"), None);
}

#[tokio::test]
async fn initialize_agrees_on_a_version_with_a_handshake() {
    let url = serve().await;
    let cases = [
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2024-11-05", "2025-11-25"),
        ("2025-03-26", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ];
    for (asked, expected) in cases {
        // The header is for what comes after the handshake; some send it all the same.
        for header in [None, Some(asked)] {
            let result = initialize(&url, asked, header).await;
            assert_eq!(result["protocolVersion"], expected, "{result}");
            assert_eq!(result["serverInfo"]["name"], "baton");
            assert_eq!(result["capabilities"]["tools"], json!({}));
            let instructions = result["instructions"].as_str().expect("a text");
            assert!(instructions.contains("get_work"));
        }
    }
}

#[tokio::test]
async fn an_initialize_that_says_too_little_is_told_what_it_takes() {
    let url = serve().await;
    for params in [
        "{}",
        r#"{"protocolVersion": 5}"#,
        r#"{"protocolVersion": "2025-06-18", "capabilities": {}}"#,
    ] {
        let body = format!(r#"{{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {params}}}"#);
        let (_, answer) = answer(post(&url, &body)).await;
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(0), &json!(-32602)),
            "{answer}"
        );
        let message = answer["error"]["message"].as_str().expect("a text");
        assert!(message.contains("clientInfo"), "{message}");
    }
}

async fn initialize(url: &str, version: &str, header: Option<&str>) -> Value {
    let body = format!(
        r#"{{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {{"protocolVersion": "{version}",
            "capabilities": {{}}, "clientInfo": {{"name": "t", "version": "1"}}}}}}"#
    );
    let mut request = post(url, &body).build().expect("a request");
    request.headers_mut().remove(VERSION);
    if let Some(value) = header {
        request
            .headers_mut()
            .insert(VERSION, value.parse().expect("a value"));
    }
    let response = reqwest::Client::new().execute(request).await.expect("an answer");
    assert!(!response.headers().contains_key("mcp-session-id"));
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(answer["id"], 0, "{answer}");
    answer["result"].clone()
}
