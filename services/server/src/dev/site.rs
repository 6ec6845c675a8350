//! The data folder with everything that runs on it, from entering to leaving.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use base::Secret;
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;

use super::account::Account;
use super::credentials::{self, Credentials};
use super::database::{self, Ephemeral, Origin};
use super::error::{Error, at};
use super::folder::{Company, DataFolder, Gate, Lifetime, Presence};
use super::folder_id::FolderId;
use super::postgres::{self, Cluster, Found};
use super::written_secret::WrittenSecret;
use super::{redis, sockets};
use crate::arguments::DevArguments;

/// A database that every cluster has.
const MAINTENANCE_DATABASE: &str = "postgres";
/// Where a temporary folder keeps on which given server its database is.
const DATABASE_FILE: &str = "database.json";

/// A server's place on a data folder.
#[derive(Debug)]
pub(super) struct Site {
    folder: DataFolder,
    presence: Presence,
    /// Whether others were there first.
    pub(super) company: Company,
    /// Id and tokens of the folder.
    pub(super) credentials: Credentials,
    /// Signs claim tokens on every server of the folder.
    pub(super) signing_key: Secret<[u8; 32]>,
}

/// The stores of a site.
#[derive(Debug, Clone)]
pub(super) struct Stores {
    /// The database.
    pub(super) database_url: Secret<String>,
    /// Redis, if there is one.
    pub(super) redis_url: Option<Secret<String>>,
    /// Who made the database.
    pub(super) origin: Origin,
}

/// The content of the file on the database.
#[derive(Debug, Serialize, Deserialize)]
struct GivenServer {
    server: WrittenSecret,
}

impl Site {
    /// Takes a place; nothing of the folder is started or stopped by others until the gate is dropped.
    pub(super) fn enter(arguments: &DevArguments) -> Result<(Self, Gate), Error> {
        let (folder, gate, presence, company) = if arguments.ephemeral {
            sweep();
            let (folder, gate, presence) = DataFolder::ephemeral()?;
            (folder, gate, presence, Company::Alone)
        } else {
            let folder = DataFolder::open(&arguments.data_dir)?;
            let gate = folder.gate()?;
            let (presence, company) = folder.join(&gate)?;
            (folder, gate, presence, company)
        };
        let credentials = Credentials::complete(&folder, arguments.orgs)?;
        let signing_key = credentials::signing_key(&folder)?;
        Ok((
            Self {
                folder,
                presence,
                company,
                credentials,
                signing_key,
            },
            gate,
        ))
    }

    /// Sees to it that the stores run, given ones or the folder's own, and that the database is there.
    pub(super) fn start_stores(&self, arguments: &DevArguments, _gate: &Gate) -> Result<Stores, Error> {
        let (database_url, origin) = match &arguments.database_url {
            None => (self.start_postgres()?, Origin::Own),
            Some(url) => self.given_database(url)?,
        };
        let redis_url = match &arguments.redis_url {
            Some(url) => Some(url.clone()),
            None => self.start_redis().map(Secret::new),
        };
        Ok(Stores {
            database_url,
            redis_url,
            origin,
        })
    }

    /// Gives the place back. The last one to leave stops what the folder runs, and removes a temporary folder.
    pub(super) fn leave(self) -> Result<(), Error> {
        let gate = self.folder.gate()?;
        if self.presence.leave(&gate) == Company::Joined {
            return Ok(());
        }
        clear(&self.folder, &gate)
    }

    /// A given database, or for a temporary folder a database of its own on the given server. It is written down before it
    /// is made, so that a sweep finds it.
    fn given_database(&self, url: &Secret<String>) -> Result<(Secret<String>, Origin), Error> {
        if self.folder.lifetime == Lifetime::Kept {
            return Ok((url.clone(), Origin::Given));
        }
        let database = Ephemeral::on(url, &self.credentials.id);
        let server = GivenServer {
            server: url.clone().into(),
        };
        let text = serde_json::to_vec(&server).map_err(|source| content(&self.folder, source))?;
        self.folder.write_secret(DATABASE_FILE, &text)?;
        Handle::current().block_on(database.make())?;
        Ok((database.url()?, Origin::Own))
    }

    fn start_postgres(&self) -> Result<Secret<String>, Error> {
        let cluster = Cluster::of(&self.folder, &self.credentials.id)?;
        let (sockets, found) = cluster.ensure_running(&self.socket_folder()?)?;
        match (found, self.company) {
            (Found::Running, Company::Alone) => tracing::info!("took over the PostgreSQL of a killed server"),
            (Found::Running, Company::Joined) => tracing::info!("joined the PostgreSQL that runs already"),
            (Found::Started, _) => tracing::info!("started PostgreSQL"),
        }
        let server = Secret::new(postgres::url(&sockets, MAINTENANCE_DATABASE));
        Handle::current().block_on(database::make_own(&server))?;
        Ok(Secret::new(postgres::url(&sockets, database::OWN_NAME)))
    }

    /// Redis holds no truth: when it fails the server says so and goes on.
    fn start_redis(&self) -> Option<String> {
        let started = self
            .socket_folder()
            .and_then(|sockets| redis::ensure_running(&self.folder, &sockets));
        started.unwrap_or_else(|error| {
            tracing::warn!("going on without Redis: {}", crate::explain(&error));
            None
        })
    }

    fn socket_folder(&self) -> Result<PathBuf, Error> {
        sockets::make(&self.folder, &self.credentials.id, &servers_account())
    }
}

/// Who owns the sockets.
fn servers_account() -> Account {
    Account::for_postgres().unwrap_or(Account::Own)
}

/// Stops what the folder runs; removes it if it is temporary.
fn clear(folder: &DataFolder, _gate: &Gate) -> Result<(), Error> {
    let Some(credentials) = Credentials::read(folder)? else {
        return remove(folder);
    };
    if let Some(database) = ephemeral_database(folder, &credentials.id)? {
        Handle::current().block_on(database.remove())?;
    }
    let sockets = sockets::find(folder, &credentials.id, &servers_account());
    if let Some(sockets) = &sockets {
        redis::stop(sockets);
    }
    if let Some(cluster) = Cluster::made(folder, &credentials.id)? {
        cluster.stop()?;
        if folder.lifetime == Lifetime::Ephemeral {
            cluster.remove()?;
        }
    }
    if let Some(sockets) = &sockets {
        remove_folder(sockets)?;
    }
    remove(folder)
}

fn ephemeral_database(folder: &DataFolder, id: &FolderId) -> Result<Option<Ephemeral>, Error> {
    let path = folder.join_path(DATABASE_FILE);
    match fs::read(&path) {
        Ok(text) => match serde_json::from_slice::<GivenServer>(&text) {
            Ok(given) => Ok(Some(Ephemeral::on(given.server.secret(), id))),
            Err(source) => Err(content(folder, source)),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at(&path)(error)),
    }
}

fn content(folder: &DataFolder, source: serde_json::Error) -> Error {
    Error::Content {
        path: folder.join_path(DATABASE_FILE),
        source,
    }
}

fn remove(folder: &DataFolder) -> Result<(), Error> {
    match folder.lifetime {
        Lifetime::Kept => Ok(()),
        Lifetime::Ephemeral => remove_folder(&folder.path),
    }
}

fn remove_folder(path: &Path) -> Result<(), Error> {
    fs::remove_dir_all(path).map_err(at(path))
}

/// Clears away what killed servers with temporary folders left behind.
fn sweep() {
    for (folder, gate) in DataFolder::abandoned() {
        tracing::info!(
            "removing {}, left behind by a killed server",
            folder.path.display()
        );
        if let Err(error) = clear(&folder, &gate) {
            tracing::warn!("it could not be removed: {}", crate::explain(&error));
        }
    }
}
