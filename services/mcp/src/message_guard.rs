//! Looks at each message before rmcp does, so that broken JSON and broken envelopes get JSON-RPC errors, and text that
//! no database can store gets a tool error which names its place.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use contracts::{ErrorCode as ToolErrorCode, ToolError};
use http::header::ALLOW;
use http::{HeaderMap, Method, StatusCode};
use http_kit::json_guard::{GuardKind, GuardProblem};
use http_kit::{ErrorBody, JsonBody, JsonBodyError, read_json};
use rmcp::model::{CallToolResult, ErrorCode};
use serde_json::{Value, json};

use crate::McpConfig;
use crate::deadline::Deadline;
use crate::envelope::Envelope;
use crate::negotiation::{is_stateless, restate, settle_forms, settle_version};
use crate::result::refused;
use crate::rpc::RpcError;

/// Middleware: only well-formed messages go on.
pub(crate) async fn guard_messages(
    State(config): State<Arc<McpConfig>>,
    Extension(deadline): Extension<Deadline>,
    request: Request,
    next: Next,
) -> Response {
    if request.method() != Method::POST {
        return without_streams();
    }
    let (mut parts, body) = request.into_parts();
    if let Err(refusal) = settle_forms(&mut parts.headers) {
        return refusal.answer(None);
    }
    let Ok(read) = deadline
        .keep(read_json(body, &config.body_limits, &config.body_room))
        .await
    else {
        let message = "The body did not arrive in time.";
        return ErrorBody::new(StatusCode::REQUEST_TIMEOUT, "retry", message).into_response();
    };
    match read {
        Ok(JsonBody { bytes, share }) => match Envelope::read(&bytes) {
            Ok(envelope) => {
                let request = Request::from_parts(parts, Body::from(bytes));
                let answer = pass_on(envelope, request, next).await;
                drop(share);
                answer
            }
            Err(broken) => {
                RpcError::bad_request(ErrorCode::INVALID_REQUEST, broken.problem).answer(broken.id.as_ref())
            }
        },
        Err(JsonBodyError::Refused { problem, bytes }) => refuse_content(&parts.headers, &problem, &bytes),
        Err(error) => error.into_response(),
    }
}

/// GET would open a stream of what a server has to say by itself, DELETE would end a session. There is neither.
fn without_streams() -> Response {
    let message = "Messages come by POST; there are no sessions and no streams here.";
    let body = ErrorBody::new(StatusCode::METHOD_NOT_ALLOWED, "invalid", message);
    ([(ALLOW, "POST, OPTIONS")], body).into_response()
}

async fn pass_on(envelope: Envelope, request: Request, next: Next) -> Response {
    if let Err(refusal) = settle_version(&envelope.method, request.headers()) {
        return refusal.answer(envelope.id.as_ref());
    }
    restate(next.run(request).await).unwrap_or_else(|refusal| refusal.answer(envelope.id.as_ref()))
}

/// Answers a body that the guard refused: as the tool's own refusal when the trouble lies inside the arguments of a
/// call, else as a protocol error.
fn refuse_content(headers: &HeaderMap, problem: &GuardProblem, bytes: &[u8]) -> Response {
    let path = match problem.kind {
        // Nothing but the arguments of a call can be nested so deep.
        GuardKind::TooDeep => Some("arguments"),
        kind if kind.is_about_content() => argument_path(problem),
        _ => return RpcError::bad_request(ErrorCode::PARSE_ERROR, problem.to_string()).answer(None),
    };
    let envelope = Envelope::read(bytes);
    match (path, envelope) {
        (Some(path), Ok(Envelope { id: Some(id), method })) if method == "tools/call" => {
            let issue = format!("{path}: {}", problem.kind.as_str());
            let error = ToolError::new(ToolErrorCode::Invalid, "The arguments are not valid.");
            rpc_result(headers, &id, refused(error.with_issues([issue])))
        }
        (_, envelope) => {
            let id = envelope.map_or_else(|broken| broken.id, |envelope| envelope.id);
            RpcError::bad_request(ErrorCode::INVALID_REQUEST, problem.to_string()).answer(id.as_ref())
        }
    }
}

/// The path of a problem inside a call's arguments, beginning with `arguments`.
fn argument_path(problem: &GuardProblem) -> Option<&str> {
    let path = problem.path.as_deref()?.strip_prefix("params.")?;
    let rest = path.strip_prefix("arguments")?;
    (rest.is_empty() || rest.starts_with(['.', '['])).then_some(path)
}

/// A tool result in the form of the caller's protocol version: older ones know no `resultType`.
fn rpc_result(headers: &HeaderMap, id: &Value, mut result: CallToolResult) -> Response {
    if !is_stateless(headers) {
        result.result_type = None;
    }
    Json(json!({ "jsonrpc": "2.0", "id": id, "result": result })).into_response()
}
