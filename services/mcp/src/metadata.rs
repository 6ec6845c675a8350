//! Protected resource metadata (RFC 9728) of each organization's endpoint.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::{StatusCode, Uri};
use http_kit::ErrorBody;
use serde_json::json;

use crate::authentication::Doorkeeper;

/// The one scope of this endpoint.
pub const SCOPE: &str = "mcp";

/// The longest name of an organization in an address.
const NAME_BYTES_MAX: usize = 64;

/// Says which authorization server issues tokens for an organization's endpoint. It is the same for names that no
/// organization has, so that nobody learns from it which do. The resource is the endpoint as it was asked for, with or
/// without a slash at its end, because clients compare the two (RFC 9728 §3.3).
pub(crate) async fn of_organization(
    State(doorkeeper): State<Doorkeeper>,
    Path(organization): Path<String>,
    asked: Uri,
) -> Response {
    if !is_organization_name(&organization) {
        return not_found();
    }
    let slash = if asked.path().ends_with('/') { "/" } else { "" };
    metadata(&doorkeeper.config.url, &organization, slash)
}

/// The same for clients that know only the server's address: as long as there is one organization, it must be meant.
pub(crate) async fn of_the_only_organization(State(doorkeeper): State<Doorkeeper>) -> Response {
    match doorkeeper.authenticator.only_organization().await {
        Ok(Some(organization)) => metadata(&doorkeeper.config.url, &organization, ""),
        Ok(None) => {
            let message =
                "There are several organizations here: put the path of one's endpoint behind this address.";
            ErrorBody::new(StatusCode::NOT_FOUND, "not_found", message).into_response()
        }
        Err(error) => {
            ErrorBody::new(StatusCode::SERVICE_UNAVAILABLE, "retry", error.to_string()).into_response()
        }
    }
}

fn metadata(url: &str, organization: &str, slash: &str) -> Response {
    let issuer = format!("{url}/o/{organization}");
    let metadata = json!({
        "resource": format!("{issuer}/mcp{slash}"),
        "authorization_servers": [issuer],
        "bearer_methods_supported": ["header"],
        "scopes_supported": [SCOPE],
        "resource_name": format!("Baton: {organization}"),
    });
    Json(metadata).into_response()
}

/// Whether an organization can be called so: lower-case letters, digits and hyphens.
pub(crate) fn is_organization_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= NAME_BYTES_MAX
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// 404 for an address that no organization can have.
pub(crate) fn not_found() -> Response {
    let message = "No organization can have this name: it has lower-case letters, digits and hyphens.";
    ErrorBody::new(StatusCode::NOT_FOUND, "not_found", message).into_response()
}
