//! What a refused call answers.

use serde::{Deserialize, Serialize};

/// Why a call was refused; what the caller can do about it follows from the code alone (`tools.md`, table of codes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The arguments break the schema or a rule about arguments, or a token does not verify: mend the call.
    Invalid,
    /// The submission broke a rule of its step: mend what the issues list and submit again.
    NotAccepted,
    /// The token, claim or snapshot is no longer current: read again.
    Stale,
    /// Another call came first, the run has ended, or the request id is taken: the issues say which.
    Conflict,
    /// This identity may not do that.
    Forbidden,
    /// There is no such thing in this organization.
    NotFound,
    /// Nothing is decided: send the same call with the same request id again.
    Retry,
}

/// A refusal. It is a tool result, never a protocol error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
#[serde(deny_unknown_fields)]
pub struct ToolError {
    /// The machine-readable reason.
    pub code: ErrorCode,
    /// One sentence for the caller.
    pub message: String,
    /// Every single problem, when there is more to say than the message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<String>,
}

impl ToolError {
    /// A refusal without issues.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            issues: Vec::new(),
        }
    }

    /// The same refusal with its issues.
    #[must_use]
    pub fn with_issues<I>(mut self, issues: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        self.issues = issues.into_iter().map(Into::into).collect();
        self
    }
}
