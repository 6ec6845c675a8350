//! What the headers of a message say of it: its form, the forms of an answer, the protocol version.

use axum::response::Response;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, StatusCode};
use rmcp::model::{ErrorCode, ProtocolVersion};
use serde_json::json;

use crate::rpc::RpcError;

/// The versions served side by side, oldest first.
pub(crate) const VERSIONS: [ProtocolVersion; 3] = [
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2026_07_28,
];

pub(crate) const PROTOCOL_VERSION: &str = "mcp-protocol-version";

const JSON: &str = "application/json";
/// Every answer here is JSON, but clients must take both forms, and rmcp insists on it.
const ACCEPTED: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// Sees to it that a message and its answer can be JSON. Clients must list both forms of an answer in `Accept`; one that
/// lists JSON alone, anything, or nothing can read ours all the same.
pub(crate) fn settle_forms(headers: &mut HeaderMap) -> Result<(), RpcError> {
    if !media_types(headers.get_all(CONTENT_TYPE)).any(|kind| kind.eq_ignore_ascii_case(JSON)) {
        return Err(refusal(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "Content-Type must be application/json",
        ));
    }
    let readable = ["*/*", "application/*", JSON];
    let takes_json = !headers.contains_key(ACCEPT)
        || media_types(headers.get_all(ACCEPT))
            .any(|kind| readable.iter().any(|form| kind.eq_ignore_ascii_case(form)));
    if !takes_json {
        return Err(refusal(
            StatusCode::NOT_ACCEPTABLE,
            "Accept must list application/json and text/event-stream",
        ));
    }
    headers.insert(ACCEPT, ACCEPTED);
    Ok(())
}

/// Media types of header lines, without their parameters.
fn media_types<'a>(lines: impl IntoIterator<Item = &'a HeaderValue>) -> impl Iterator<Item = &'a str> {
    lines
        .into_iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .filter_map(|entry| entry.split(';').next())
        .map(str::trim)
}

/// Refuses a message that is not of a version served here.
///
/// - `initialize` agrees on a version by its parameters, so its header says nothing.
/// - A header must name a version of ours; what is no longer or not yet served is 400.
/// - Without a header a server should assume 2025-03-26 (2025-06-18, "Protocol Version Header"), unless it can tell the
///   version in another way. It can: `initialize` agrees here on none before 2025-06-18, so a client without the header is
///   one that forgot it, and answers of 2025-06-18 hold nothing that 2025-03-26 forbids. It is served.
pub(crate) fn settle_version(method: &str, headers: &HeaderMap) -> Result<(), RpcError> {
    let Some(header) = headers.get(PROTOCOL_VERSION) else {
        return Ok(());
    };
    let is_served = VERSIONS.iter().any(|version| header == version.as_str());
    if method == "initialize" || is_served {
        return Ok(());
    }
    let requested = String::from_utf8_lossy(header.as_bytes());
    let message = format!(
        "MCP-Protocol-Version {requested} is not served here; {} are",
        VERSIONS.map(|version| version.to_string()).join(", ")
    );
    Err(RpcError {
        data: Some(json!({ "supported": VERSIONS, "requested": requested })),
        ..RpcError::bad_request(ErrorCode::UNSUPPORTED_PROTOCOL_VERSION, message)
    })
}

/// Whether a message says that it is of 2026-07-28 or later: no handshake, and results say of what type they are.
pub(crate) fn is_stateless(headers: &HeaderMap) -> bool {
    let version = headers
        .get(PROTOCOL_VERSION)
        .and_then(|value| value.to_str().ok());
    version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28.as_str())
}

fn refusal(status: StatusCode, message: &str) -> RpcError {
    RpcError {
        status,
        ..RpcError::bad_request(ErrorCode::INVALID_REQUEST, message)
    }
}

/// rmcp's own refusals that are not JSON-RPC: a message that the guard takes and rmcp does not, or a fault inside.
pub(crate) fn restate(response: Response) -> Result<Response, RpcError> {
    let status = response.status();
    let is_refusal = status.is_client_error() || status.is_server_error();
    if !is_refusal || media_types(response.headers().get_all(CONTENT_TYPE)).any(|kind| kind == JSON) {
        return Ok(response);
    }
    Err(match status {
        StatusCode::UNSUPPORTED_MEDIA_TYPE | StatusCode::BAD_REQUEST => {
            RpcError::bad_request(ErrorCode::INVALID_REQUEST, "this is no message of the protocol")
        }
        _ => RpcError {
            status,
            ..RpcError::bad_request(ErrorCode::INTERNAL_ERROR, "the server could not answer")
        },
    })
}
