//! Who calls: decided before anything of the body is read.

use std::sync::Arc;

use app::{AuthenticationError, Authenticator};
use axum::extract::{Path, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http_kit::{AUTHENTICATION_TIME_MAX, Challenge, ErrorBody, bearer_token};

use crate::McpConfig;
use crate::metadata::{SCOPE, is_organization_name, not_found};

/// What the middleware needs.
#[derive(Clone)]
pub(crate) struct Doorkeeper {
    pub authenticator: Arc<dyn Authenticator>,
    pub config: Arc<McpConfig>,
}

/// Puts the [`base::Principal`] into the request's extensions, or answers in its place.
pub(crate) async fn authenticate(
    State(doorkeeper): State<Doorkeeper>,
    Path(organization): Path<String>,
    mut request: Request,
    next: Next,
) -> Response {
    if !is_organization_name(&organization) {
        return not_found();
    }
    let path = request.uri().path().to_owned();
    let challenge = Challenge {
        url: &doorkeeper.config.url,
        resource: &path,
        scope: SCOPE,
    };
    let Some(token) = bearer_token(request.headers()) else {
        return challenge.token_missing();
    };
    let looked_up = doorkeeper.authenticator.authenticate(&organization, &token);
    let in_time = tokio::time::timeout(AUTHENTICATION_TIME_MAX, looked_up).await;
    match in_time.unwrap_or(Err(AuthenticationError::Unavailable)) {
        Ok(principal) => {
            request.extensions_mut().insert(principal);
            next.run(request).await
        }
        Err(AuthenticationError::Refused) => challenge.token_invalid(),
        Err(error @ AuthenticationError::Unavailable) => {
            ErrorBody::new(StatusCode::SERVICE_UNAVAILABLE, "retry", error.to_string()).into_response()
        }
    }
}
