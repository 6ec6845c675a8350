//! What stands before every route of an organization: time, identity, the right of an admin, and the body's form.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use app::{AuthenticationError, Authenticator};
use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse as _, Response};
use doc_kit::json_guard::Limits;
use formats::Format;
use http::header::WWW_AUTHENTICATE;
use http::{HeaderValue, StatusCode, Uri};
use http_kit::{AUTHENTICATION_TIME_MAX, BodyRoom, ErrorBody, bearer_token, guard_json, security_headers};

use crate::refusal::Refusal;

/// No request takes longer from its headers to its answer.
const REQUEST_TIME_MAX: Duration = Duration::from_secs(25);
/// A source as a JSON string: a letter of two bytes has up to six there, `\u00e9`. And something for the rest of the body.
const BODY_BYTES_MAX: usize = 3 * Format::Process.source_bytes_max() + 64 * 1024;

/// The layer added last sees a request first: time, identity and right, body.
pub(crate) fn guarded(routes: Router, authenticator: Arc<dyn Authenticator>, room: BodyRoom) -> Router {
    let limits = Limits {
        bytes_max: BODY_BYTES_MAX,
        ..Limits::default()
    };
    routes
        .route_layer(from_fn_with_state((limits, room), guard_json))
        .route_layer(from_fn_with_state(authenticator, authenticate))
        .route_layer(from_fn(answer_in_time))
        .route_layer(map_response(security_headers))
}

/// Whatever is slow, the body, the database or we, the caller gets an answer.
async fn answer_in_time(request: Request, next: Next) -> Response {
    match tokio::time::timeout(REQUEST_TIME_MAX, next.run(request)).await {
        Ok(answer) => answer,
        Err(_) => Refusal::retry("This took too long; it may have been done all the same.").into_response(),
    }
}

/// Puts the [`base::Admin`] into the request's extensions, or answers in its place. Nothing of the body is read yet, and nothing that the
/// organization has is told to whoever is no admin of it.
async fn authenticate(
    State(authenticator): State<Arc<dyn Authenticator>>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(token) = bearer_token(request.headers()) else {
        return unauthorized("A bearer token is required.");
    };
    let looked_up = authenticator.authenticate(organization(request.uri()), &token);
    let in_time = tokio::time::timeout(AUTHENTICATION_TIME_MAX, looked_up).await;
    match in_time.unwrap_or(Err(AuthenticationError::Unavailable)) {
        Ok(principal) => match principal.admin() {
            Some(admin) => {
                request.extensions_mut().insert(admin);
                next.run(request).await
            }
            None => Refusal::forbidden().into_response(),
        },
        Err(AuthenticationError::Refused) => unauthorized("The bearer token is not valid here."),
        Err(error @ AuthenticationError::Unavailable) => Refusal::retry(error.to_string()).into_response(),
    }
}

/// The organization in `/api/o/{org}/…`, as it is written there: neither a name nor an id needs an escape.
fn organization(address: &Uri) -> &str {
    address.path().split('/').nth(3).unwrap_or_default()
}

fn unauthorized(message: &'static str) -> Response {
    let mut response = ErrorBody::new(StatusCode::UNAUTHORIZED, "unauthorized", message).into_response();
    response
        .headers_mut()
        .insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}
