//! `baton dev`: everything on this machine, from one command.

mod account;
mod clock;
mod credentials;
mod demo;
mod error;
mod folder;
mod postgres;
mod postmaster;
mod programs;
mod ready;
mod redis;
mod site;
mod sockets;

use std::io::{self, Write};
use std::path::Path;

use axum::Router;
use tokio::net::TcpListener;
use tokio::task::block_in_place;

pub(crate) use self::error::Error;

use self::error::at;
use self::folder::Gate;
use self::ready::{Addresses, Ready};
use self::site::Site;
use crate::arguments::DevArguments;
use crate::http;
use crate::shutdown::Shutdown;

/// Runs until a signal asks for the end.
pub(crate) fn run(arguments: DevArguments) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Error::Server)?;
    // On a worker thread, where waiting for programs blocks nobody else.
    let running = runtime.spawn(async move { enter_serve_leave(&arguments).await });
    runtime.block_on(running).map_err(Error::Panicked)?
}

/// Whatever happens in between: who entered leaves.
async fn enter_serve_leave(arguments: &DevArguments) -> Result<(), Error> {
    let shutdown = Shutdown::listen().map_err(Error::Server)?;
    let port = arguments.port;
    let listener = http::bind(port)
        .await
        .map_err(|source| Error::Port { port, source })?;
    if let Some(path) = &arguments.ready_file {
        forget_ready_file(path)?;
    }
    let (site, gate) = block_in_place(|| Site::enter(arguments))?;
    let served = serve(arguments, &site, gate, listener, shutdown).await;
    let left = block_in_place(|| site.leave());
    served.and(left)
}

async fn serve(
    arguments: &DevArguments,
    site: &Site,
    gate: Gate,
    listener: TcpListener,
    shutdown: Shutdown,
) -> Result<(), Error> {
    let stores = block_in_place(|| site.start_stores(arguments, &gate))?;
    drop(gate);
    let address = listener.local_addr().map_err(Error::Server)?;
    let addresses = Addresses {
        url: format!("http://{address}"),
        database_url: stores.database_url,
        redis_url: stores.redis_url,
    };
    let router = http::shell(Router::new());
    let serving = tokio::spawn(http::serve(listener, router, shutdown));
    let ready = Ready::new(&addresses, &site.credentials, arguments.orgs);
    announce(&ready, arguments.ready_file.as_deref())?;
    serving.await.map_err(Error::Panicked)?.map_err(Error::Server)
}

/// The page first: whoever waits for the file finds everything else done.
fn announce(ready: &Ready, file: Option<&Path>) -> Result<(), Error> {
    // Nobody may be reading stdout.
    let _ = write!(io::stdout(), "{ready}");
    match file {
        Some(path) => ready.write(path),
        None => Ok(()),
    }
}

/// A file of an earlier server must not be taken for this one's.
fn forget_ready_file(path: &Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}
