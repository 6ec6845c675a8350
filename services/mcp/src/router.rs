//! The routes of this door.

use std::sync::Arc;

use app::{App, Authenticator};
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::routing::get;
use http::HeaderName;
use http_kit::{RESOURCE_METADATA_PATH, admit, security_headers};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use crate::McpConfig;
use crate::authentication::{Doorkeeper, authenticate};
use crate::deadline::keep_time;
use crate::handler::Handler;
use crate::message_guard::guard_messages;
use crate::metadata::{of_organization, of_the_only_organization};
use crate::negotiation::PROTOCOL_VERSION;
use crate::tools::{TOOLS, Tool};

/// `/o/{org}/mcp` and its metadata.
pub fn router(app: Arc<App>, authenticator: Arc<dyn Authenticator>, config: McpConfig) -> Router {
    router_with(app, authenticator, config, TOOLS)
}

/// The same with other tools.
pub(crate) fn router_with(
    app: Arc<App>,
    authenticator: Arc<dyn Authenticator>,
    config: McpConfig,
    tools: &'static [Tool],
) -> Router {
    let handler = Handler::new(app, tools);
    let transport = StreamableHttpService::new(
        move || Ok(handler.clone()),
        Arc::new(NeverSessionManager::default()),
        transport_config(),
    );
    let config = Arc::new(config);
    let doorkeeper = Doorkeeper {
        authenticator,
        config: Arc::clone(&config),
    };
    let admission = &config.admission;
    // A name that people type is good with a slash at its end, too: redirects lose tokens and bodies on the way.
    let endpoints = Router::new()
        .route_service("/o/{org}/mcp", transport.clone())
        .route_service("/o/{org}/mcp/", transport)
        .route_layer(from_fn_with_state(Arc::clone(&config), guard_messages))
        .route_layer(from_fn_with_state(doorkeeper.clone(), authenticate));
    let metadata = Router::new()
        .route(RESOURCE_METADATA_PATH, get(of_the_only_organization))
        .route(
            &format!("{RESOURCE_METADATA_PATH}/o/{{org}}/mcp"),
            get(of_organization),
        )
        .route(
            &format!("{RESOURCE_METADATA_PATH}/o/{{org}}/mcp/"),
            get(of_organization),
        )
        .with_state(doorkeeper);
    // The layer added last sees a request first: time, host and origin, preflight; then identity, message, protocol.
    endpoints
        .merge(metadata)
        .route_layer(admission.cors(&[HeaderName::from_static(PROTOCOL_VERSION)]))
        .route_layer(from_fn_with_state(admission.clone(), admit))
        .route_layer(from_fn(keep_time))
        .route_layer(map_response(security_headers))
}

/// No session is ever issued: each request stands alone, so any server can answer it. Hosts, origins and sizes are settled
/// before rmcp sees a request.
fn transport_config() -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_keep_alive(None)
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_max_request_body_bytes(usize::MAX)
}
