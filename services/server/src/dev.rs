//! `baton dev`: everything on this machine, from one command.

mod account;
mod address;
mod clock;
mod credentials;
mod database;
mod demo;
mod error;
mod folder;
mod folder_id;
mod postgres;
mod postmaster;
mod programs;
mod ready;
mod ready_file;
mod redis;
mod seed;
mod site;
mod sockets;
mod written_secret;

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use tokio::net::TcpListener;
use tokio::task::block_in_place;

pub(crate) use self::error::Error;

use self::folder::Gate;
use self::ready::{Addresses, Ready};
use self::seed::Seed;
use self::site::{Site, Stores};
use crate::arguments::DevArguments;
use crate::http::{self, ConnectionLimits};
use crate::shutdown::Shutdown;
use crate::wiring::{Parts, Settings};

/// Runs until a signal asks for the end.
pub(crate) fn run(arguments: &DevArguments) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Error::Server)?;
    runtime.block_on(enter_serve_leave(arguments))
}

/// Whatever happens in between: who entered leaves.
async fn enter_serve_leave(arguments: &DevArguments) -> Result<(), Error> {
    let shutdown = Shutdown::listen().map_err(Error::Server)?;
    let port = arguments.port;
    let listener = http::bind(port)
        .await
        .map_err(|source| Error::Port { port, source })?;
    if let Some(path) = &arguments.ready_file {
        ready_file::forget(path)?;
    }
    if let Some(url) = &arguments.database_url {
        database::verify_given(url).await?;
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
    if let Some(path) = &arguments.ready_file {
        ready_file::verify(path)?;
    }
    let stores = block_in_place(|| site.start_stores(arguments, &gate))?;
    let mark = database::prepare(&stores.database_url, stores.origin, &site.credentials.id).await?;
    let address = listener.local_addr().map_err(Error::Server)?;
    let settings = Settings {
        url: format!("http://{address}"),
        database_url: stores.database_url.clone(),
        lease: Duration::from_secs(arguments.lease_seconds.into()),
        signing_key: site.signing_key.clone(),
    };
    let parts = Parts::start(&settings).await?;
    let seeded = seed::seed(&parts, seed_of(arguments, site, &mark)).await;
    drop(gate);
    let served = match seeded {
        Ok(()) => {
            answer(
                arguments,
                site,
                (listener, router(arguments, &parts, &settings), shutdown),
                &stores,
            )
            .await
        }
        Err(error) => Err(error),
    };
    parts.stop().await;
    served
}

fn router(arguments: &DevArguments, parts: &Parts, settings: &Settings) -> Router {
    let doors = parts.routes(settings);
    if !arguments.time_travel {
        return http::shell(doors);
    }
    let follow = from_fn_with_state(Arc::clone(&parts.clock), clock::follow);
    http::shell(doors.layer(follow).merge(clock::routes(parts)))
}

fn seed_of<'a>(arguments: &DevArguments, site: &'a Site, mark: &'a str) -> Seed<'a> {
    Seed {
        credentials: &site.credentials,
        mark,
        organization_count: arguments.orgs,
        token_lifetime: arguments
            .token_seconds
            .map(|seconds| Duration::from_secs(seconds.into())),
        company: site.company,
    }
}

/// Says that the server is ready when it is, and answers until the end.
async fn answer(
    arguments: &DevArguments,
    site: &Site,
    (listener, router, shutdown): (TcpListener, Router, Shutdown),
    stores: &Stores,
) -> Result<(), Error> {
    let address = listener.local_addr().map_err(Error::Server)?;
    let addresses = Addresses {
        url: format!("http://{address}"),
        database_url: stores.database_url.clone().into(),
        redis_url: stores.redis_url.clone().map(Into::into),
    };
    let serving = tokio::spawn(http::serve(
        listener,
        router,
        ConnectionLimits::default(),
        shutdown,
    ));
    let ready = Ready::new(&addresses, &site.credentials, arguments.orgs);
    announce(&ready, arguments.ready_file.as_deref())?;
    serving.await.map_err(Error::Panicked)
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
