//! What identifies a write: id, caller, tool and arguments (core-2 §4).

use base::{Caller, Digest, Principal, RequestId};
use contracts::{ErrorCode, ToolError};
use run_core::Actor;
use run_ports::RequestKey;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The key of a request. Arguments are equal by JSON value: key order does not count, digits do (process.md §5).
pub(crate) fn request_key(
    principal: &Principal,
    (tool, id): (&str, &str),
    arguments: &impl Serialize,
) -> Result<RequestKey, ToolError> {
    let id: RequestId = id.parse().map_err(|error| {
        ToolError::new(ErrorCode::Invalid, "The requestId is not valid.").with_issues([format!("{error}")])
    })?;
    Ok(RequestKey {
        id,
        caller: actor(principal),
        tool: tool.to_owned(),
        arguments: digest(arguments)?,
    })
}

/// The identity, not its access token.
pub(crate) fn actor(principal: &Principal) -> Actor {
    match principal.caller {
        Caller::Agent { id, .. } => Actor::Agent(id),
        Caller::Person { id, .. } => Actor::Person(id),
    }
}

/// Through `Value`, whose maps are sorted and whose numbers keep their digits.
pub(crate) fn digest(arguments: &impl Serialize) -> Result<Digest, ToolError> {
    let value = serde_json::to_value(arguments).map_err(|error| {
        tracing::error!(%error, "arguments that were read cannot be written");
        ToolError::new(
            ErrorCode::Retry,
            "The server failed on this request; it has been logged.",
        )
    })?;
    Ok(Digest::new(Sha256::digest(value.to_string()).into()))
}
