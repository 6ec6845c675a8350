//! When the answer to a request must be out, whatever is slow: the token's lookup, the body or the tool.

use std::time::Duration;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use tokio::time::Instant;
use tokio::time::error::Elapsed;

/// No request takes longer from its headers to its answer.
pub(crate) const REQUEST_TIME_MAX: Duration = Duration::from_secs(25);

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
pub(crate) async fn start_clock(mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(Deadline::of_now());
    next.run(request).await
}
