//! Requests as they come over the wire, in each version.

use super::*;

const MODERN_META: &str = r#""_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {}}"#;

pub(super) fn modern(url: &str, method: &str, name: Option<&str>, params: &str) -> RequestBuilder {
    let separator = if params.is_empty() { "" } else { ", " };
    let body = format!(
        r#"{{"jsonrpc": "2.0", "id": 1, "method": "{method}", "params": {{{params}{separator}{MODERN_META}}}}}"#
    );
    let request = reqwest::Client::new()
        .post(format!("{url}/o/demo/mcp"))
        .bearer_auth(TOKEN)
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method)
        .body(body);
    match name {
        Some(name) => request.header("mcp-name", name),
        None => request,
    }
}

#[tokio::test]
async fn discover_names_the_versions_served() {
    let url = serve().await;
    let (status, answer) = answer(modern(&url, "server/discover", None, "")).await;
    assert_eq!(status, 200, "{answer}");
    let versions = json!(["2025-06-18", "2025-11-25", "2026-07-28"]);
    assert_eq!(answer["result"]["supportedVersions"], versions, "{answer}");
}

#[tokio::test]
async fn a_result_is_structured_and_text_alike() {
    let url = serve().await;
    for version in ["2025-06-18", "2025-11-25"] {
        let mut request = post(&url, DESCRIBE).build().expect("a request");
        request
            .headers_mut()
            .insert("mcp-protocol-version", version.parse().expect("a value"));
        let response = reqwest::Client::new().execute(request).await.expect("an answer");
        assert_eq!(response.headers()["content-type"], "application/json");
        let answer: Value = response.json().await.expect("JSON");
        assert_eq!(answer["id"], 7);
        check_describe(&answer["result"]);
        assert_eq!(answer["result"].get("resultType"), None);
    }
    let (status, answer) = answer(modern(
        &url,
        "tools/call",
        Some("describe"),
        r#""name": "describe""#,
    ))
    .await;
    assert_eq!(status, 200, "{answer}");
    check_describe(&answer["result"]);
    assert_eq!(answer["result"]["resultType"], "complete");
}

#[track_caller]
fn check_describe(result: &Value) {
    assert_eq!(result["isError"], false, "{result}");
    let structured = &result["structuredContent"];
    assert_eq!(structured["ok"], true);
    assert_eq!(structured["data"]["version"], "core-2");
    assert_eq!(structured["data"]["limits"]["checkPass"].to_string(), "0.9");
    assert_eq!(result["content"].as_array().map(Vec::len), Some(1));
    let text = result["content"][0]["text"].as_str().expect("a text block");
    let text: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(&text, structured);
}

#[tokio::test]
async fn bad_arguments_are_a_tool_error() {
    let url = serve().await;
    let body = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "claim", "arguments": {"runId": 5, "more": null}}}"#;
    let (status, answer) = answer(post(&url, body)).await;
    assert_eq!(status, 200);
    assert_eq!(answer["result"]["isError"], true);
    let expected = json!({"ok": false, "error": {
        "code": "invalid",
        "message": "The arguments of claim are not valid. It takes runId, stepId, requestId.",
        "issues": [
            "arguments.runId: expected string",
            "arguments.stepId: missing",
            "arguments.requestId: missing",
            "arguments.more: not declared",
        ],
    }});
    assert_eq!(answer["result"]["structuredContent"], expected);
}

#[tokio::test]
async fn an_unknown_tool_and_malformed_parameters_are_invalid_params() {
    let url = serve().await;
    let params = [
        r#"{"name": "no_such_tool"}"#,
        r#"{"name": "no_such_tool", "arguments": {}}"#,
        "{}",
        r#"{"name": 5}"#,
        r#"{"name": "describe", "arguments": []}"#,
        r#"{"name": "describe", "arguments": "x"}"#,
    ];
    for params in params {
        let body = format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {params}}}"#);
        let (_, answer) = answer(post(&url, &body)).await;
        assert_eq!(answer["error"]["code"], -32602, "{params}: {answer}");
        assert_eq!(answer["id"], 1, "{params}: {answer}");
    }
    let request = modern(
        &url,
        "tools/call",
        Some("no_such_tool"),
        r#""name": "no_such_tool""#,
    );
    let (_, answer) = answer(request).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
}

#[tokio::test]
async fn an_unknown_method_is_method_not_found() {
    let url = serve().await;
    let (_, answer) = answer(post(&url, r#"{"jsonrpc": "2.0", "id": 1, "method": "no/such"}"#)).await;
    let expected = json!({"code": -32601, "message": "there is no method no/such"});
    assert_eq!(answer["error"], expected);
}

#[tokio::test]
async fn a_notification_is_accepted_without_an_answer() {
    let url = serve().await;
    for name in [
        "initialized",
        "cancelled",
        "progress",
        "roots/list_changed",
        "of/nobody",
    ] {
        let method = format!("notifications/{name}");
        let body = format!(r#"{{"jsonrpc": "2.0", "method": "{method}", "params": {{"requestId": 1}}}}"#);
        let legacy = post(&url, &body);
        let modern = modern(&url, &method, None, "").body(body.clone());
        for request in [legacy, modern] {
            let response = send(request).await;
            assert_eq!(response.status(), 202, "{method}");
            assert_eq!(response.text().await.expect("a body"), "");
        }
    }
}

#[tokio::test]
async fn in_2026_07_28_headers_and_message_must_say_the_same() {
    let url = serve().await;
    let call = |name| modern(&url, "tools/call", name, r#""name": "describe""#);
    let cases = [
        (call(None), -32020),
        (call(Some("claim")), -32020),
        (
            modern(&url, "tools/list", None, "").header("mcp-method", "tools/call"),
            -32020,
        ),
        (
            modern(&url, "tools/list", None, "")
                .body(r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#),
            -32602,
        ),
    ];
    for (request, code) in cases {
        let (status, answer) = answer(request).await;
        assert_eq!(
            (status, &answer["error"]["code"]),
            (400, &json!(code)),
            "{answer}"
        );
        assert_eq!(answer["id"], 1, "{answer}");
    }
    for version in [None, Some("2025-11-25")] {
        let mut request = modern(&url, "tools/list", None, "").build().expect("a request");
        request.headers_mut().remove("mcp-protocol-version");
        if let Some(version) = version {
            request
                .headers_mut()
                .insert("mcp-protocol-version", version.parse().expect("a value"));
        }
        let response = reqwest::Client::new().execute(request).await.expect("an answer");
        assert_eq!(response.status(), 400, "{version:?}");
        let answer: Value = response.json().await.expect("JSON");
        assert_eq!(answer["error"]["code"], -32020, "{answer}");
    }
}

#[tokio::test]
async fn in_2026_07_28_there_is_no_handshake_and_no_ping() {
    let url = serve().await;
    for method in ["initialize", "ping", "no/such"] {
        let (status, answer) = answer(modern(&url, method, None, "")).await;
        assert_eq!(
            (status, &answer["error"]["code"]),
            (404, &json!(-32601)),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn the_server_answers_pings_of_the_older_versions() {
    let url = serve().await;
    let (status, answer) = answer(post(&url, r#"{"jsonrpc": "2.0", "id": "p", "method": "ping"}"#)).await;
    assert_eq!((status, &answer["result"]), (200, &json!({})));
}
