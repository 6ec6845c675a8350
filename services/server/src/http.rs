//! The HTTP shell: one listener on the loopback address, liveness, panics as clean answers, an orderly end.

use std::any::Any;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::ListenerExt;
use axum::{Json, Router};
use http::StatusCode;
use serde_json::json;
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;

use crate::shutdown::Shutdown;

/// Every call ends within 25 s; this is that and some room for slow readers.
const DRAIN_SECONDS_MAX: u64 = 30;

/// Takes a port of the loopback address.
pub(crate) async fn bind(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await
}

/// Adds what every server of ours answers.
pub(crate) fn shell(routes: Router) -> Router {
    routes
        .route("/healthz", get(|| async { "ok\n" }))
        .layer(CatchPanicLayer::custom(internal_error))
}

/// Answers until the end is asked for; then accepts nothing more and lets the calls in flight end.
pub(crate) async fn serve(listener: TcpListener, router: Router, shutdown: Shutdown) -> io::Result<()> {
    let listener = listener.tap_io(|stream| {
        // Without it an answer in several writes waits for the peer's delayed acknowledgement.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY was refused");
        }
    });
    let ending = shutdown.clone();
    let serving =
        axum::serve(listener, router).with_graceful_shutdown(async move { ending.requested().await });
    tokio::select! {
        result = serving => result,
        () = drain_limit(&shutdown) => {
            tracing::warn!("some calls did not end in time and are cut off");
            Ok(())
        }
    }
}

async fn drain_limit(shutdown: &Shutdown) {
    shutdown.requested().await;
    tokio::select! {
        () = tokio::time::sleep(Duration::from_secs(DRAIN_SECONDS_MAX)) => {}
        () = shutdown.insisted() => {}
    }
}

/// A panic is a bug of ours: the caller learns that and no more, the log has the rest.
#[expect(
    clippy::needless_pass_by_value,
    reason = "the layer hands the panic over by value"
)]
fn internal_error(panic: Box<dyn Any + Send + 'static>) -> Response {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    tracing::error!(message, "a handler panicked");
    let body = json!({"error": {"code": "internal", "message": "an internal error; it has been logged"}});
    (StatusCode::INTERNAL_SERVER_ERROR, Json(body)).into_response()
}
