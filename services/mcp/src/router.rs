//! The routes of this door.

use std::sync::Arc;
use std::time::Duration;

use app::{App, Authenticator};
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::routing::get;
use http::StatusCode;
use http_kit::{protected_resource_metadata_path, security_headers};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tower_http::timeout::TimeoutLayer;

use crate::McpConfig;
use crate::authentication::{Doorkeeper, authenticate};
use crate::deadline::start_clock;
use crate::handler::Handler;
use crate::message_guard::guard_messages;
use crate::metadata::metadata;
use crate::tools::{TOOLS, Tool};

/// The second net behind [`crate::deadline`], for whatever does not look at it.
const NET_TIME_MAX: Duration = Duration::from_secs(30);

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
        transport_config(&config),
    );
    let config = Arc::new(config);
    let doorkeeper = Doorkeeper {
        authenticator,
        config: Arc::clone(&config),
    };
    let metadata_path = protected_resource_metadata_path("{org}");
    let net = TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, NET_TIME_MAX);
    // The layer added last sees a request first: time, identity, message, protocol.
    Router::new()
        .route_service("/o/{org}/mcp", transport)
        .route_layer(from_fn_with_state(Arc::clone(&config), guard_messages))
        .route_layer(from_fn_with_state(doorkeeper, authenticate))
        .route(&metadata_path, get(metadata).with_state(config))
        .route_layer(from_fn(start_clock))
        .route_layer(net)
        .route_layer(map_response(security_headers))
}

/// No session is ever issued: each request stands alone, so any server can answer it.
fn transport_config(config: &McpConfig) -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_keep_alive(None)
        .with_allowed_hosts(config.allowed_hosts.iter().cloned())
        .with_allowed_origins(config.allowed_origins.iter().cloned())
        .enforce_origin_validation()
        .with_max_request_body_bytes(config.body_limits.bytes_max)
}
