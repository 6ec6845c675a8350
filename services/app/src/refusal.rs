//! Refusals in the words of the wire. The code says what a caller can do; the message says it to a reader.

use contracts::{ErrorCode, ToolError};
use run_actors::RunError;
use run_core::Refusal;
use run_ports::PortError;

/// The error that a caller sees.
pub(crate) fn tool_error(error: RunError) -> ToolError {
    let message = sentence(&error.to_string());
    match error {
        RunError::Refused(refusal) => refused(refusal, message),
        RunError::RunNotFound | RunError::ProcessNotFound => ToolError::new(ErrorCode::NotFound, message),
        RunError::RequestReused => {
            ToolError::new(ErrorCode::Conflict, message).with_issues(["request_id_reused"])
        }
        RunError::Busy | RunError::Unavailable | RunError::Internal => {
            ToolError::new(ErrorCode::Retry, message)
        }
    }
}

fn refused(refusal: Refusal, message: String) -> ToolError {
    match refusal {
        Refusal::Invalid(issues) => ToolError::new(ErrorCode::Invalid, message).with_issues(issues),
        Refusal::NotAccepted(issues) => ToolError::new(ErrorCode::NotAccepted, message).with_issues(issues),
        Refusal::Stale(_) => ToolError::new(ErrorCode::Stale, message),
        Refusal::Conflict(conflict) => {
            ToolError::new(ErrorCode::Conflict, message).with_issues([conflict.as_str()])
        }
        Refusal::Forbidden(_) => ToolError::new(ErrorCode::Forbidden, message),
        Refusal::NotFound(_) => ToolError::new(ErrorCode::NotFound, message),
    }
}

/// The same refusal in words about what the tool does, if it has this code.
pub(crate) fn reworded(mut error: ToolError, code: ErrorCode, message: &str) -> ToolError {
    if error.code == code {
        message.clone_into(&mut error.message);
    }
    error
}

/// A token that this server cannot have made.
pub(crate) fn bad_token() -> ToolError {
    ToolError::new(
        ErrorCode::Invalid,
        "The token does not verify. Give the token of your newest claim or renew result, unchanged.",
    )
    .with_issues(["token: does not verify"])
}

/// A cursor that this server cannot have made for this list and caller.
pub(crate) fn bad_cursor() -> ToolError {
    ToolError::new(
        ErrorCode::Invalid,
        "The cursor is not one that this list gave you. Leave it out to begin at the first page.",
    )
    .with_issues(["cursor: does not verify"])
}

/// A list that could not be read.
pub(crate) fn port_error(error: &PortError) -> ToolError {
    tracing::warn!(%error, "a list could not be read");
    tool_error(RunError::Unavailable)
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|first| first.to_uppercase().to_string())
        .unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}
