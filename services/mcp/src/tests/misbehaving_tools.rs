//! A tool that panics or hangs still answers. Time is virtual here: it jumps when nothing else can happen.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use contracts::Contract;
use futures::FutureExt as _;
use tower::ServiceExt as _;

use super::*;
use crate::handler::CALL_TIME_MAX;
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
    let body =
        format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": "{name}"}}}}"#);
    let request = Request::post("/o/demo/mcp")
        .header("host", "localhost")
        .header("authorization", format!("Bearer {TOKEN}"))
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body(Body::from(body))
        .expect("a request");
    let response = door(&MISBEHAVING)
        .await
        .oneshot(request)
        .await
        .expect("the router answers");
    assert_eq!(response.status(), 200);
    let bytes = to_bytes(response.into_body(), 64 * 1024)
        .await
        .expect("a small body");
    serde_json::from_slice(&bytes).expect("JSON")
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
    let start = tokio::time::Instant::now();
    check_unanswered(&call("hangs").await);
    assert_eq!(start.elapsed().as_secs(), CALL_TIME_MAX.as_secs());
}
