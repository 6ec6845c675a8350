//! When the answer to a request must be out, whatever is slow: the token's lookup, the body or the tool.

use std::time::Duration;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http_kit::ErrorBody;
use tokio::time::Instant;
use tokio::time::error::Elapsed;

/// No request takes longer from its headers to its answer.
pub(crate) const REQUEST_TIME_MAX: Duration = Duration::from_secs(25);

/// The second net behind it, for whatever does not look at the deadline.
const NET_TIME_MAX: Duration = Duration::from_secs(30);

/// The deadline of one request, in its extensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    /// Of a request that arrives now.
    pub(crate) fn of_now() -> Self {
        Self(Instant::now() + REQUEST_TIME_MAX)
    }

    /// The outcome of the work, if it comes in time.
    pub(crate) async fn keep<F: Future>(self, work: F) -> Result<F::Output, Elapsed> {
        tokio::time::timeout_at(self.0, work).await
    }
}

/// Middleware: the clock of a request starts here.
pub(crate) async fn keep_time(mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(Deadline::of_now());
    let answer = tokio::time::timeout(NET_TIME_MAX, next.run(request)).await;
    answer.unwrap_or_else(|_| {
        tracing::error!("a request outlived its deadline");
        let message = "This took too long; it may have been done all the same.";
        ErrorBody::new(StatusCode::SERVICE_UNAVAILABLE, "retry", message).into_response()
    })
}
