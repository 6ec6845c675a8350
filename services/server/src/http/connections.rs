//! Connections: how many may be open, how long each may say nothing, and their orderly end.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::serve::Listener;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::shutdown::Shutdown;

/// Every call ends within 25 s; this is that and some room for slow readers.
const DRAIN_SECONDS_MAX: u64 = 30;
/// Bytes of a request's line and headers; what is read at once may go beyond.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// Files that are open beside those of the connections: the database, the log.
const OTHER_FILES_MAX: usize = 256;
/// Lines of headers.
const HEADERS_MAX: usize = 100;

/// What one server gives to its connections.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConnectionLimits {
    /// How many are open at once; whoever comes then waits in the system's queue.
    pub(crate) open_max: usize,
    /// How long a connection may take to bring the headers of its next request. It counts from the answer to the last one,
    /// so it is longer than the 60 s for which proxies keep idle connections to use them again.
    pub(crate) head_time_max: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            open_max: 8192,
            head_time_max: Duration::from_secs(75),
        }
    }
}

/// Answers until the end is asked for; then accepts nothing more, closes idle connections and lets the calls in flight end.
pub(crate) async fn serve(
    mut listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    shutdown: Shutdown,
) {
    ask_for_descriptors(limits);
    let http = http1_of(limits);
    let seats = Arc::new(Semaphore::new(limits.open_max));
    let open = GracefulShutdown::new();
    loop {
        let (stream, seat) = tokio::select! {
            accepted = accept(&mut listener, &seats) => accepted,
            () = shutdown.requested() => break,
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = open.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
            drop(seat);
        });
    }
    drop(listener);
    tokio::select! {
        () = open.shutdown() => {}
        () = drain_limit(&shutdown) => tracing::warn!("some calls did not end in time and are cut off"),
    }
}

/// Every connection is a file to the system, which by default gives a program fewer than it would on request.
fn ask_for_descriptors(limits: ConnectionLimits) {
    let wanted = u64::try_from(limits.open_max + OTHER_FILES_MAX).unwrap_or(u64::MAX);
    let raised = getrlimit(Resource::RLIMIT_NOFILE).and_then(|(given, most)| {
        let next = wanted.clamp(given, most.max(given));
        setrlimit(Resource::RLIMIT_NOFILE, next, most)
    });
    if let Err(error) = raised {
        tracing::warn!(%error, "the system gives no more files, so connections may have to wait");
    }
}

fn http1_of(limits: ConnectionLimits) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.head_time_max)
        .max_buf_size(HEAD_BYTES_MAX)
        .max_headers(HEADERS_MAX);
    http
}

/// The next connection, once there is a seat for it.
async fn accept(listener: &mut TcpListener, seats: &Arc<Semaphore>) -> (TcpStream, OwnedSemaphorePermit) {
    let seat = Arc::clone(seats)
        .acquire_owned()
        .await
        .expect("the semaphore is never closed");
    // This one waits when the system has no more descriptors, and goes on.
    let (stream, _) = Listener::accept(listener).await;
    // Without it an answer in several writes waits for the peer's delayed acknowledgement.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY was refused");
    }
    (stream, seat)
}

async fn drain_limit(shutdown: &Shutdown) {
    shutdown.requested().await;
    tokio::select! {
        () = tokio::time::sleep(Duration::from_secs(DRAIN_SECONDS_MAX)) => {}
        () = shutdown.insisted() => {}
    }
}
