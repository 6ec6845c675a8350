//! The HTTP shell: one listener on the loopback address, liveness, clean answers for what no door has and for panics.

mod connections;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{Method, StatusCode, Uri};
use http_kit::ErrorBody;
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;

pub(crate) use self::connections::{ConnectionLimits, serve};

/// Takes a port of the loopback address.
pub(crate) async fn bind(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await
}

/// Adds what every server of ours answers.
pub(crate) fn shell(routes: Router) -> Router {
    routes
        .route("/healthz", get(|| async { "ok\n" }))
        .method_not_allowed_fallback(wrong_method)
        .fallback(not_found)
        .layer(CatchPanicLayer::custom(internal_error))
}

async fn not_found(asked: Uri) -> ErrorBody {
    let message = format!("There is nothing at {}.", asked.path());
    ErrorBody::new(StatusCode::NOT_FOUND, "not_found", message)
}

async fn wrong_method(method: Method) -> ErrorBody {
    let message = format!("{method} is not for this address; the header Allow lists what is.");
    ErrorBody::new(StatusCode::METHOD_NOT_ALLOWED, "invalid", message)
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
    let message = "An internal error; it has been logged.";
    ErrorBody::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message).into_response()
}
