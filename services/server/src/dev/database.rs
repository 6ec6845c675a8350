//! The database of a data folder: made, or given and known to be for development.

use base::Secret;
use store_pg::{Database, Store, databases};
use url::Url;

use super::error::Error;
use super::folder_id::FolderId;

/// The database of a private cluster.
pub(super) const OWN_NAME: &str = "baton";
/// What the name of a temporary database on a given server begins with.
const EPHEMERAL_PREFIX: &str = "baton_ephemeral_";

/// What addresses of PostgreSQL begin with.
const SCHEMES: [&str; 2] = ["postgres", "postgresql"];

/// Where the database comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// A cluster of the data folder: nobody else has anything in it.
    Own,
    /// A server that somebody named: what is in it may matter to people.
    Given,
}

/// A database that goes with its data folder and has its id in its name: whatever a file says, no other is removed.
#[derive(Debug, Clone)]
pub(super) struct Ephemeral {
    /// A database on the same server, to connect to for removing it.
    server: Secret<String>,
    name: String,
}

impl Ephemeral {
    /// The database of a folder, made or not, on a server that somebody named.
    pub(super) fn on(server: &Secret<String>, folder: &FolderId) -> Self {
        Self {
            server: server.clone(),
            name: format!("{EPHEMERAL_PREFIX}{folder}"),
        }
    }

    /// Its address.
    pub(super) fn url(&self) -> Result<Secret<String>, Error> {
        Ok(databases::address_of(&self.server, &self.name)?)
    }

    /// Makes it.
    pub(super) async fn make(&self) -> Result<(), Error> {
        Ok(databases::create(&self.server, &self.name).await?)
    }

    /// Removes it.
    pub(super) async fn remove(&self) -> Result<(), Error> {
        Ok(databases::remove(&self.server, &self.name).await?)
    }
}

/// Makes the database of a private cluster, unless it is there.
pub(super) async fn make_own(server: &Secret<String>) -> Result<(), Error> {
    Ok(databases::create(server, OWN_NAME).await?)
}

/// Whether a database can be reached under an address that somebody gave.
pub(super) async fn verify_given(url: &Secret<String>) -> Result<(), Error> {
    match Url::parse(url.expose()) {
        Ok(address) if SCHEMES.contains(&address.scheme()) => {}
        Ok(_) | Err(_) => return Err(Error::NoDatabaseAddress),
    }
    Database::look(url).await.map_err(Error::GivenDatabase)?;
    Ok(())
}

/// Brings the database to this release's schema, and gives the mark that it has: the id of
/// the folder that it was made for. A given database without the mark is
/// refused unless it is empty: it may be somebody's production.
pub(super) async fn prepare(url: &Secret<String>, origin: Origin, id: &FolderId) -> Result<String, Error> {
    match (Database::look(url).await?, origin) {
        (Database::Marked(found), _) => {
            Store::migrate(url).await?;
            Ok(found)
        }
        (Database::Unmarked, Origin::Given) => Err(Error::NotForDevelopment),
        (Database::Empty, _) | (Database::Unmarked, Origin::Own) => {
            Store::migrate(url).await?;
            Database::mark(url, id.as_str()).await?;
            Ok(id.to_string())
        }
    }
}
