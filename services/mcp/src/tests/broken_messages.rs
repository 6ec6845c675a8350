//! Broken protocol is a JSON-RPC error; broken arguments are a tool's refusal.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::*;

#[track_caller]
fn check_error((status, body): (u16, Value), (code, id): (i64, Value), case: &str) {
    assert_eq!(status, 400, "{case}: {body}");
    assert_eq!(body["jsonrpc"], "2.0", "{case}: {body}");
    assert_eq!(body["error"]["code"], code, "{case}: {body}");
    assert!(body["error"]["message"].is_string(), "{case}: {body}");
    assert_eq!(body.get("id"), Some(&id), "{case}: {body}");
}

#[tokio::test]
async fn a_body_that_is_not_json_is_a_parse_error() {
    let url = serve().await;
    for body in ["", "{", "nonsense", r#"{"jsonrpc": "2.0"} x"#, r#"{"a": 01}"#] {
        check_error(answer(post(&url, body)).await, (-32700, Value::Null), body);
    }
    let not_utf8 = post(&url, "").body(b"{\"jsonrpc\": \"\xff\"}".to_vec());
    check_error(answer(not_utf8).await, (-32700, Value::Null), "not UTF-8");
}

#[tokio::test]
async fn a_message_whose_id_cannot_be_told_is_an_invalid_request_of_nobody() {
    let url = serve().await;
    let cases = [
        "[]",
        r#"[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]"#,
        "7",
        r#""ping""#,
        "null",
        "{}",
        r#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": 9223372036854775808, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": 1.0, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": true, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": {}, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": "\ud800", "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "claim", "arguments": {"a": "\u0000"}}}"#,
    ];
    for body in cases {
        check_error(answer(post(&url, body)).await, (-32600, Value::Null), body);
    }
}

#[tokio::test]
async fn a_broken_envelope_is_an_invalid_request_with_its_id() {
    let url = serve().await;
    let deep = format!(
        r#"{{"jsonrpc": "2.0", "id": "q", "method": "ping", "params": {}{}}}"#,
        "[".repeat(90),
        "]".repeat(90)
    );
    let cases = [
        r#"{"id": "q", "method": "ping"}"#,
        r#"{"jsonrpc": "1.0", "id": "q", "method": "ping"}"#,
        r#"{"jsonrpc": 2.0, "id": "q", "method": "ping"}"#,
        r#"{"jsonrpc": "2.0", "id": "q"}"#,
        r#"{"jsonrpc": "2.0", "id": "q", "method": 5}"#,
        r#"{"jsonrpc": "2.0", "id": "q", "method": null}"#,
        r#"{"jsonrpc": "2.0", "id": "q", "method": "tools/call", "params": []}"#,
        r#"{"jsonrpc": "2.0", "id": "q", "method": "tools/call", "params": "describe"}"#,
        r#"{"jsonrpc": "2.0", "id": "q", "method": "tools/call", "params": 5}"#,
        r#"{"jsonrpc": "2.0", "id": "q", "method": "tools/list", "params": {"cursor": "\ud800"}}"#,
        r#"{"jsonrpc": "2.0", "id": "q", "method": "ping", "result": {}}"#,
        r#"{"jsonrpc": "2.0", "id": "q", "method": "tools/list", "params": {"_meta": 5}}"#,
        r#"{"jsonrpc": "2.0", "id": "q", "result": {}}"#,
        r#"{"jsonrpc": "2.0", "id": "q", "error": {"code": 1, "message": "no"}}"#,
        &deep,
    ];
    for body in cases {
        check_error(answer(post(&url, body)).await, (-32600, json!("q")), body);
    }
}

#[tokio::test]
async fn parameters_of_null_are_none() {
    let url = serve().await;
    for method in ["tools/list", "ping"] {
        let body = format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "{method}", "params": null}}"#);
        let (status, answer) = answer(post(&url, &body)).await;
        assert_eq!((status, answer["result"].is_object()), (200, true), "{answer}");
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_413() {
    let url = serve().await;
    let body = format!(r#"{{"jsonrpc": "2.0", "id": "{}"}}"#, "x".repeat(64 * 1024));
    let (status, answer) = answer(post(&url, &body)).await;
    assert_eq!((status, &answer["error"]["code"]), (413, &json!("invalid")));
}

#[tokio::test]
async fn a_client_that_sends_all_before_it_reads_learns_that_it_was_too_much() {
    let url = serve().await;
    let address = url.strip_prefix("http://").expect("an address");
    let mut stream = TcpStream::connect(address).await.expect("it accepts");
    let body = vec![b' '; 8 * 1024 * 1024];
    let head = format!(
        "POST /o/demo/mcp HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {TOKEN}\r\n\
         content-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.expect("it reads");
    stream.write_all(&body).await.expect("it reads all");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
}

#[tokio::test]
async fn text_that_no_database_stores_is_refused_with_its_path() {
    let url = serve().await;
    let cases = [
        (
            r#"{"note": "a\u0000b"}"#,
            "arguments.note: the character U+0000 is not allowed",
        ),
        (
            r#"{"output": {"tags": ["x", "\ud800"]}}"#,
            "arguments.output.tags[1]: half of a surrogate pair is not allowed",
        ),
        (
            r#"{"output": {"n": 1e5000}}"#,
            "arguments.output.n: the exponent of the number is too large",
        ),
        (
            r#"{"runId": "a", "runId": "b"}"#,
            "arguments.runId: the key stands twice in one object",
        ),
    ];
    for (arguments, issue) in cases {
        for (version, result_type) in [("2025-11-25", Value::Null), ("2026-07-28", json!("complete"))] {
            let body = format!(
                r#"{{"jsonrpc": "2.0", "id": "q1", "method": "tools/call",
                    "params": {{"name": "claim", "arguments": {arguments}}}}}"#
            );
            let mut request = post(&url, &body).build().expect("a request");
            request
                .headers_mut()
                .insert("mcp-protocol-version", version.parse().expect("a value"));
            let response = reqwest::Client::new().execute(request).await.expect("an answer");
            assert_eq!(response.status(), 200, "{body}");
            let answer: Value = response.json().await.expect("JSON");
            assert_eq!(answer["id"], "q1", "{answer}");
            assert_eq!(answer["result"]["isError"], true, "{answer}");
            assert_eq!(answer["result"]["resultType"], result_type, "{answer}");
            let error = &answer["result"]["structuredContent"]["error"];
            assert_eq!(error["code"], "invalid", "{answer}");
            assert_eq!(error["issues"], json!([issue]), "{answer}");
        }
    }
}

#[tokio::test]
async fn arguments_that_are_nested_too_deep_are_the_tools_refusal() {
    let url = serve().await;
    for depth in [61, 70, 5_000] {
        let nested = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let body = format!(
            r#"{{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params":
                {{"name": "start_run", "arguments": {{"inputs": {{"a": {nested}}}}}}}}}"#
        );
        let (status, answer) = answer(post(&url, &body)).await;
        assert_eq!((status, &answer["id"]), (200, &json!(5)), "{answer}");
        let error = &answer["result"]["structuredContent"]["error"];
        assert_eq!(error["code"], "invalid", "{answer}");
        assert_eq!(
            error["issues"],
            json!(["arguments: objects and arrays are nested too deep"]),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn a_private_key_of_the_json_library_is_refused() {
    let url = serve().await;
    for key in [
        "$serde_json::private::Number",
        "\\u0024serde_json::private::RawValue",
    ] {
        let body = format!(
            r#"{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params":
                {{"name": "start_run", "arguments": {{"inputs": {{"{key}": "1.5"}}}}}}}}"#
        );
        let (status, answer) = answer(post(&url, &body)).await;
        assert_eq!(status, 200);
        assert_eq!(
            answer["result"]["structuredContent"]["error"]["code"], "invalid",
            "{answer}"
        );
    }
}

/// Every text that a caller can give to a tool, as the path and the JSON of arguments with a text at it.
fn every_text() -> Vec<(&'static str, String, String)> {
    let mut texts = Vec::new();
    for tool in contracts::TOOLS {
        let schema: Value = serde_json::from_str(tool.arguments_schema).expect("JSON");
        let properties = schema["properties"].as_object().into_iter().flatten();
        for (name, property) in properties {
            let (path, json) = match property["type"].as_str().expect("one type") {
                "string" => (String::new(), r#""TEXT""#),
                "array" => ("[0].ref".to_owned(), r#"[{"kind": "link", "ref": "TEXT"}]"#),
                "object" => (".any.thing".to_owned(), r#"{"any": {"thing": "TEXT"}}"#),
                _ => continue,
            };
            let arguments = format!(r#"{{"{name}": {json}}}"#);
            texts.push((tool.name, format!("arguments.{name}{path}"), arguments));
        }
    }
    texts
}

#[tokio::test]
async fn no_tool_takes_u_0000_or_half_a_surrogate_pair_in_any_text() {
    let url = serve().await;
    let texts = every_text();
    assert!(texts.len() > 40, "{texts:?}");
    for (tool, path, arguments) in texts {
        for (text, what) in [
            (r"a\u0000b", "the character U+0000 is not allowed"),
            (r"a\ud800", "half of a surrogate pair is not allowed"),
            (r"\udc00b", "half of a surrogate pair is not allowed"),
        ] {
            let arguments = arguments.replace("TEXT", text);
            let body = format!(
                r#"{{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                    "params": {{"name": "{tool}", "arguments": {arguments}}}}}"#
            );
            let (_, answer) = answer(post(&url, &body)).await;
            let error = &answer["result"]["structuredContent"]["error"];
            assert_eq!(error["code"], "invalid", "{tool} {arguments}: {answer}");
            assert_eq!(
                error["issues"],
                json!([format!("{path}: {what}")]),
                "{tool} {arguments}"
            );
        }
    }
}
