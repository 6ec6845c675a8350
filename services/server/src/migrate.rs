//! `baton migrate`: brings a database to this release's schema.

use std::io::{self, Write};

use base::Secret;
use store_pg::Store;

/// Why the database was not migrated.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The command has no runtime.
    #[error("the command could not start")]
    Runtime(#[source] io::Error),
    /// The database refuses.
    #[error(transparent)]
    Store(#[from] store_pg::Error),
}

/// Does nothing to a database that has the schema already.
pub(crate) fn run(database_url: &Secret<String>) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(Error::Runtime)?;
    runtime.block_on(Store::migrate(database_url))?;
    // Nobody may be reading stdout.
    let _ = writeln!(
        io::stdout(),
        "The database has the schema of Baton {}.",
        env!("CARGO_PKG_VERSION")
    );
    Ok(())
}
