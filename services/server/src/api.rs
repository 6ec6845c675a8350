//! The administration API.

mod publish;

use std::sync::Arc;

use app::{App, AuthenticationError, Authenticator};
use axum::Router;
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use base::Principal;
use doc_kit::json_guard::Limits;
use http::header::WWW_AUTHENTICATE;
use http::{HeaderMap, HeaderValue, StatusCode};
use http_kit::{ErrorBody, bearer_token, guard_json, security_headers};

/// What the handlers work with.
#[derive(Clone)]
struct Api {
    app: Arc<App>,
    authenticator: Arc<dyn Authenticator>,
}

/// `/api/o/{org}/…`
pub(crate) fn router(app: Arc<App>, authenticator: Arc<dyn Authenticator>) -> Router {
    let api = Api { app, authenticator };
    Router::new()
        .route("/api/o/{org}/processes/publish", post(publish::publish))
        .layer(from_fn_with_state(Limits::default(), guard_json))
        .layer(map_response(security_headers))
        .with_state(api)
}

impl Api {
    /// Who calls, or the answer in place of the handler's.
    async fn caller(&self, organization: &str, headers: &HeaderMap) -> Result<Principal, Response> {
        let Some(token) = bearer_token(headers) else {
            return Err(unauthorized("A bearer token is required."));
        };
        match self.authenticator.authenticate(organization, &token).await {
            Ok(principal) => Ok(principal),
            Err(AuthenticationError::Refused) => Err(unauthorized("The bearer token is not valid here.")),
            Err(error @ AuthenticationError::Unavailable) => {
                Err(
                    ErrorBody::new(StatusCode::SERVICE_UNAVAILABLE, "retry", error.to_string())
                        .into_response(),
                )
            }
        }
    }
}

fn unauthorized(message: &'static str) -> Response {
    let mut response = ErrorBody::new(StatusCode::UNAUTHORIZED, "unauthorized", message).into_response();
    response
        .headers_mut()
        .insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}
