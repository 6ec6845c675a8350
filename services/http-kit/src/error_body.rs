//! The body of every HTTP error of ours.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::header::RETRY_AFTER;
use http::{HeaderValue, StatusCode};
use serde::Serialize;

/// When to try again after a 503: soon, since most of what fails is back at once.
const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("1");

/// An HTTP error: its status and `{error: {code, message, issues?}}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorBody {
    status: StatusCode,
    code: &'static str,
    message: String,
    issues: Vec<String>,
}

#[derive(Serialize)]
struct Wire<'a> {
    error: WireError<'a>,
}

#[derive(Serialize)]
struct WireError<'a> {
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    issues: &'a [String],
}

impl ErrorBody {
    /// An error with a stable code for programs and a sentence for people.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            issues: Vec::new(),
        }
    }

    /// The same error with its single problems.
    #[must_use]
    pub fn with_issues(mut self, issues: Vec<String>) -> Self {
        self.issues = issues;
        self
    }
}

impl IntoResponse for ErrorBody {
    fn into_response(self) -> Response {
        let error = WireError {
            code: self.code,
            message: &self.message,
            issues: &self.issues,
        };
        let mut response = (self.status, Json(Wire { error })).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        response
    }
}
