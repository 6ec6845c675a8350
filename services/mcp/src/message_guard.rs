//! Looks at each message before rmcp does, so that broken JSON and broken envelopes get JSON-RPC errors, and text that
//! no database can store gets a tool error which names its place.

use std::fmt;
use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use contracts::{ErrorCode, ToolError};
use http::{HeaderMap, Method, StatusCode};
use http_kit::json_guard::{GuardKind, GuardProblem};
use http_kit::{ErrorBody, JsonBodyError, read_json};
use rmcp::model::{CallToolResult, ProtocolVersion};
use serde::Deserialize;
use serde::Deserializer;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Value, json};

use crate::McpConfig;
use crate::deadline::Deadline;
use crate::result::refused;

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;

/// The members of a JSON-RPC message that are looked at here. What lies deeper is skipped, not read.
#[derive(Deserialize)]
struct Message {
    jsonrpc: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
    method: Option<Value>,
    params: Option<Parameters>,
    result: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

/// Whether the parameters of a message are an object. What is in them is skipped, not read.
struct Parameters {
    are_object: bool,
}

impl<'de> Deserialize<'de> for Parameters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Shape;
        impl<'de> Visitor<'de> for Shape {
            type Value = Parameters;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("parameters")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parameters, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Parameters { are_object: true })
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Parameters, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Parameters { are_object: false })
            }
        }
        deserializer.deserialize_any(Shape)
    }
}

/// Middleware: only well-formed messages go on.
pub(crate) async fn guard_messages(
    State(config): State<Arc<McpConfig>>,
    Extension(deadline): Extension<Deadline>,
    request: Request,
    next: Next,
) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let Ok(read) = deadline.keep(read_json(body, &config.body_limits)).await else {
        let message = "The body did not arrive in time.";
        return ErrorBody::new(StatusCode::REQUEST_TIMEOUT, "retry", message).into_response();
    };
    match read {
        Ok(bytes) => match problem_of_envelope(&bytes) {
            None => next.run(Request::from_parts(parts, Body::from(bytes))).await,
            Some(problem) => rpc_error(INVALID_REQUEST, problem),
        },
        Err(JsonBodyError::Refused { problem, bytes }) => refuse_content(&parts.headers, &problem, &bytes),
        Err(error) => error.into_response(),
    }
}

/// What is wrong with the envelope of a message, if anything.
fn problem_of_envelope(bytes: &[u8]) -> Option<&'static str> {
    let Ok(message) = serde_json::from_slice::<Message>(bytes) else {
        return Some("a message is one JSON object");
    };
    if message.jsonrpc != Some("2.0".into()) {
        return Some("jsonrpc must be \"2.0\"");
    }
    if message.id.is_some_and(|id| !is_id(&id)) {
        return Some("id must be a string or an integer of 64 bits");
    }
    let is_answer = message.result.is_some() || message.error.is_some();
    match message.method {
        Some(Value::String(_)) if message.params.is_some_and(|params| !params.are_object) => {
            Some("params must be an object")
        }
        Some(Value::String(_)) => None,
        None if is_answer => None,
        _ => Some("method must be a string"),
    }
}

fn is_id(id: &Value) -> bool {
    id.is_string() || id.as_i64().is_some()
}

/// Answers a body that the guard refused: as the tool's own refusal when the trouble lies inside the arguments of a
/// call, else as a protocol error.
fn refuse_content(headers: &HeaderMap, problem: &GuardProblem, bytes: &[u8]) -> Response {
    let path = match problem.kind {
        // Nothing but the arguments of a call can be nested so deep.
        GuardKind::TooDeep => Some("arguments"),
        kind if kind.is_about_content() => argument_path(problem),
        _ => return rpc_error(PARSE_ERROR, &problem.to_string()),
    };
    match (path, id_of_call(bytes)) {
        (Some(path), Some(id)) => {
            let issue = format!("{path}: {}", problem.kind.as_str());
            let error = ToolError::new(ErrorCode::Invalid, "The arguments are not valid.");
            rpc_result(headers, &id, refused(error.with_issues([issue])))
        }
        _ => rpc_error(INVALID_REQUEST, &problem.to_string()),
    }
}

/// The path of a problem inside a call's arguments, beginning with `arguments`.
fn argument_path(problem: &GuardProblem) -> Option<&str> {
    let path = problem.path.as_deref()?.strip_prefix("params.")?;
    let rest = path.strip_prefix("arguments")?;
    (rest.is_empty() || rest.starts_with(['.', '['])).then_some(path)
}

/// The id of a `tools/call`. Strings below the envelope are skipped unread, so a lone surrogate among them does not
/// matter.
fn id_of_call(bytes: &[u8]) -> Option<Value> {
    if problem_of_envelope(bytes).is_some() {
        return None;
    }
    let message: Message = serde_json::from_slice(bytes).ok()?;
    (message.method? == "tools/call").then_some(message.id)?
}

/// A JSON-RPC error that belongs to no request.
fn rpc_error(code: i64, message: &str) -> Response {
    let body = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": message } });
    (StatusCode::BAD_REQUEST, Json(body)).into_response()
}

/// A tool result in the form of the caller's protocol version: older ones know no `resultType`.
fn rpc_result(headers: &HeaderMap, id: &Value, mut result: CallToolResult) -> Response {
    let version = headers
        .get("mcp-protocol-version")
        .and_then(|value| value.to_str().ok());
    if version.is_none_or(|version| version < ProtocolVersion::V_2026_07_28.as_str()) {
        result.result_type = None;
    }
    Json(json!({ "jsonrpc": "2.0", "id": id, "result": result })).into_response()
}

/// Tells an absent member from one that is null.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
