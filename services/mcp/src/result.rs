//! Envelopes as tool results.

use contracts::{ErrorCode, ToolError, envelope};
use rmcp::model::CallToolResult;
use serde_json::Value;

/// A result with the envelope as structured content and the same JSON as one text block; `isError` is true exactly when
/// `ok` is false (`process.md` §9.8).
pub(crate) fn tool_result(envelope: Value) -> CallToolResult {
    if envelope["ok"] == Value::Bool(true) {
        CallToolResult::structured(envelope)
    } else {
        CallToolResult::structured_error(envelope)
    }
}

/// A refusal as a result.
pub(crate) fn refused(error: ToolError) -> CallToolResult {
    tool_result(envelope::<()>(&Err(error)))
}

/// The answer to a call whose fate the caller must ask for again.
pub(crate) fn unanswered() -> CallToolResult {
    let message = "The server could not answer. Send the same call with the same requestId.";
    refused(ToolError::new(ErrorCode::Retry, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_error_is_true_exactly_when_ok_is_false() {
        let accepted = tool_result(envelope(&Ok(1)));
        assert_eq!(accepted.is_error, Some(false));
        for refusal in [
            refused(ToolError::new(ErrorCode::Stale, "Read again.")),
            unanswered(),
        ] {
            assert_eq!(refusal.is_error, Some(true));
            assert_eq!(
                refusal.structured_content.map(|content| content["ok"].clone()),
                Some(Value::Bool(false))
            );
        }
    }
}
