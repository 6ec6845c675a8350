//! Why a request is not answered as it wished, as an answer.

use app::administration::Error;
use axum::response::{IntoResponse, Response};
use base::Issues;
use http::StatusCode;
use http_kit::ErrorBody;

/// A refusal: a status, a code for programs, a sentence, and every single problem.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    code: &'static str,
    message: String,
    issues: Issues,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            issues: Issues::default(),
        }
    }

    /// A request that cannot be meant.
    pub(crate) fn invalid(message: &'static str, issues: Issues) -> Self {
        Self {
            issues,
            ..Self::new(StatusCode::BAD_REQUEST, "invalid", message)
        }
    }

    /// Who may do this is somebody else.
    pub(crate) fn forbidden() -> Self {
        let message = "Only an admin of this organization may do this.";
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// The same may succeed later.
    pub(crate) fn retry(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "retry", message)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        let (status, code, issues) = match error {
            Error::NotFound { .. } => (StatusCode::NOT_FOUND, "not_found", Issues::default()),
            Error::Invalid(issues) => (StatusCode::BAD_REQUEST, "invalid", issues),
            Error::NotAccepted { issues, .. } => (StatusCode::UNPROCESSABLE_ENTITY, "not_accepted", issues),
            Error::Conflict { issues, .. } => (StatusCode::CONFLICT, "conflict", issues),
            // The store has logged why.
            Error::Retry(_) => (StatusCode::SERVICE_UNAVAILABLE, "retry", Issues::default()),
        };
        Self {
            issues,
            ..Self::new(status, code, message)
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        ErrorBody::new(self.status, self.code, self.message)
            .with_issues(self.issues.into_vec())
            .into_response()
    }
}

#[cfg(test)]
impl Refusal {
    /// Every single problem.
    pub(crate) fn issues(&self) -> Vec<String> {
        self.issues.clone().into_vec()
    }
}
