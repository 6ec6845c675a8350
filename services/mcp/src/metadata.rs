//! Protected resource metadata (RFC 9728) of each organization's endpoint.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use http::StatusCode;
use serde_json::{Value, json};

use crate::McpConfig;

/// The one scope of this endpoint.
pub const SCOPE: &str = "mcp";

/// The longest name of an organization in an address.
const NAME_BYTES_MAX: usize = 64;

/// Says which authorization server issues tokens for an organization's endpoint. It is the same for names that no
/// organization has, so that nobody learns from it which do.
pub(crate) async fn metadata(
    State(config): State<Arc<McpConfig>>,
    Path(organization): Path<String>,
) -> Result<Json<Value>, StatusCode> {
    if !is_organization_name(&organization) {
        return Err(StatusCode::NOT_FOUND);
    }
    let issuer = format!("{}/o/{organization}", config.url);
    Ok(Json(json!({
        "resource": format!("{issuer}/mcp"),
        "authorization_servers": [issuer],
        "bearer_methods_supported": ["header"],
        "scopes_supported": [SCOPE],
        "resource_name": format!("Baton: {organization}"),
    })))
}

/// Whether an organization can be called so: lower-case letters, digits and hyphens.
pub(crate) fn is_organization_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= NAME_BYTES_MAX
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
