//! A tool that panics or hangs still answers, and so does a door whose tokens or bodies are slow. Time is virtual here: it jumps when nothing else can happen.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use contracts::Contract;
use futures::{FutureExt as _, stream};
use http_kit::AUTHENTICATION_TIME_MAX;
use tokio::time::Instant;
use tower::ServiceExt as _;

use super::*;
use crate::deadline::REQUEST_TIME_MAX;
use crate::tools::Access;

const fn tool(name: &'static str) -> Tool {
    Tool {
        contract: Contract {
            name,
            arguments_schema: "{}",
            result_schema: "{}",
        },
        title: name,
        description: name,
        access: Access::Reads,
        call: |_, _, _| std::future::pending().boxed(),
    }
}

static MISBEHAVING: [Tool; 3] = [
    Tool {
        call: |_, _, _| panic!("at once"),
        ..tool("panics_at_once")
    },
    Tool {
        call: |_, _, _| async { panic!("later") }.boxed(),
        ..tool("panics_later")
    },
    tool("hangs"),
];

async fn call(name: &str) -> Value {
    let (status, answer) = post(TOKEN, message(name)).await;
    assert_eq!(status, 200);
    answer
}

fn message(name: &str) -> Body {
    let text =
        format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": "{name}"}}}}"#);
    Body::from(text)
}

/// Status and JSON of the answer to a body.
async fn post(token: &str, body: Body) -> (u16, Value) {
    let request = Request::post("/o/demo/mcp")
        .header("host", "localhost")
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body(body)
        .expect("a request");
    let response = door(&MISBEHAVING)
        .await
        .oneshot(request)
        .await
        .expect("the router answers");
    let status = response.status().as_u16();
    let bytes = to_bytes(response.into_body(), 64 * 1024)
        .await
        .expect("a small body");
    (status, serde_json::from_slice(&bytes).expect("JSON"))
}

#[track_caller]
fn check_unanswered(answer: &Value) {
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    let error = &answer["result"]["structuredContent"]["error"];
    assert_eq!(error["code"], "retry", "{answer}");
    assert!(
        !answer.to_string().contains("later"),
        "a cause stays inside: {answer}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_a_clean_refusal() {
    check_unanswered(&call("panics_at_once").await);
    check_unanswered(&call("panics_later").await);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_hangs_is_answered_in_time() {
    let start = Instant::now();
    check_unanswered(&call("hangs").await);
    assert_eq!(start.elapsed(), REQUEST_TIME_MAX);
}

#[tokio::test(start_paused = true)]
async fn a_token_whose_lookup_hangs_is_not_refused_and_soon_answered() {
    let start = Instant::now();
    let (status, answer) = post("database-hangs", message("hangs")).await;
    assert_eq!((status, &answer["error"]["code"]), (503, &json!("retry")));
    assert_eq!(start.elapsed(), AUTHENTICATION_TIME_MAX);
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_call_includes_that_of_its_token() {
    let start = Instant::now();
    let (status, answer) = post("database-is-slow", message("hangs")).await;
    assert_eq!(status, 200);
    check_unanswered(&answer);
    assert_eq!(start.elapsed(), REQUEST_TIME_MAX);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_ends_is_answered_in_time() {
    let start = Instant::now();
    let endless = stream::pending::<Result<&str, std::io::Error>>();
    let (status, answer) = post(TOKEN, Body::from_stream(endless)).await;
    assert_eq!((status, &answer["error"]["code"]), (408, &json!("retry")));
    assert_eq!(start.elapsed(), REQUEST_TIME_MAX);
}
