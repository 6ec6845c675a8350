//! The data folder and who is on it. Two locks, which the system releases when a process dies however it dies:
//! `start.lock` is held while anything is started or stopped, `servers.lock` is shared by every live server.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;

use super::account::Account;
use super::error::{Error, at};

const GATE_FILE: &str = "start.lock";
const SERVERS_FILE: &str = "servers.lock";
/// How the name of a temporary data folder begins, once its server holds the locks.
const EPHEMERAL_PREFIX: &str = "baton-ephemeral-";
/// How it begins until then; a sweep does not look at it.
const UNLOCKED_PREFIX: &str = "baton-new-";
/// The bits of a mode that let the group or everybody write.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// Whether the folder outlives its last server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lifetime {
    /// It stays.
    Kept,
    /// It goes with its last server.
    Ephemeral,
}

/// A data folder.
#[derive(Debug, Clone)]
pub(super) struct DataFolder {
    /// Its canonical path.
    pub(super) path: PathBuf,
    /// Whether it stays.
    pub(super) lifetime: Lifetime,
}

/// The right to start and stop what belongs to the folder; given back when dropped.
#[derive(Debug)]
pub(super) struct Gate {
    _lock: File,
}

/// A live server's place on the folder; given back when dropped.
#[derive(Debug)]
pub(super) struct Presence {
    lock: File,
}

/// Whether others were there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Company {
    /// This is the only live server.
    Alone,
    /// At least one other is live.
    Joined,
}

impl DataFolder {
    /// The folder at a path, made when missing. One that is there keeps its mode and whatever else is in it.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        match make_private(path) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => {}
            Err(error) if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotADirectory) => {
                return Err(Error::NoFolder(path.to_owned()));
            }
            Err(source) => {
                let path = path.to_owned();
                return Err(Error::DataFolder { path, source });
            }
        }
        let path = path.canonicalize().map_err(at(path))?;
        Ok(Self {
            path,
            lifetime: Lifetime::Kept,
        })
    }

    /// A fresh temporary folder, with its locks: nobody sees it before it is held.
    pub(super) fn ephemeral() -> Result<(Self, Gate, Presence), Error> {
        let parent = std::env::temp_dir();
        let parent = parent.canonicalize().map_err(at(&parent))?;
        let unlocked = tempfile::Builder::new()
            .prefix(UNLOCKED_PREFIX)
            .tempdir_in(&parent)
            .map_err(at(&parent))?
            .keep();
        protect(&unlocked).map_err(at(&unlocked))?;
        let folder = Self {
            path: unlocked,
            lifetime: Lifetime::Ephemeral,
        };
        let gate = folder.gate()?;
        let (presence, _) = folder.join(&gate)?;
        let name = folder.path.file_name().unwrap_or_default().to_string_lossy();
        let path = parent.join(name.replacen(UNLOCKED_PREFIX, EPHEMERAL_PREFIX, 1));
        fs::rename(&folder.path, &path).map_err(at(&path))?;
        Ok((Self { path, ..folder }, gate, presence))
    }

    /// Temporary folders whose servers were killed, each with its gate held so that only one sweep handles it.
    pub(super) fn abandoned() -> Vec<(Self, Gate)> {
        Self::abandoned_in(&std::env::temp_dir())
    }

    /// Everybody can put something there. Only the parent's own links are followed, never those in it.
    fn abandoned_in(parent: &Path) -> Vec<(Self, Gate)> {
        let Ok(entries) = parent.canonicalize().and_then(fs::read_dir) else {
            return Vec::new();
        };
        entries
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(EPHEMERAL_PREFIX))
            .filter_map(|entry| Self::take_abandoned(entry.path()))
            .collect()
    }

    /// The folder with its gate, if it is ours and no server holds it.
    fn take_abandoned(path: PathBuf) -> Option<(Self, Gate)> {
        if !is_ours_alone(&path) {
            return None;
        }
        let gate = lock_file_at(&path.join(GATE_FILE)).ok()?;
        gate.try_lock().ok()?;
        let servers = lock_file_at(&path.join(SERVERS_FILE)).ok()?;
        servers.try_lock().ok()?;
        let folder = Self {
            path,
            lifetime: Lifetime::Ephemeral,
        };
        Some((folder, Gate { _lock: gate }))
    }

    /// Waits for the right to start and stop.
    pub(super) fn gate(&self) -> Result<Gate, Error> {
        let path = self.path.join(GATE_FILE);
        let lock = lock_file_at(&path)?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            tracing::info!(
                "another `baton dev` starts or stops on {}; waiting for it",
                self.path.display()
            );
        }
        lock.lock().map_err(at(&path))?;
        Ok(Gate { _lock: lock })
    }

    /// Takes a place among the live servers.
    pub(super) fn join(&self, _gate: &Gate) -> Result<(Presence, Company), Error> {
        let path = self.path.join(SERVERS_FILE);
        let lock = lock_file_at(&path)?;
        let company = match lock.try_lock() {
            Ok(()) => Company::Alone,
            Err(TryLockError::WouldBlock) => Company::Joined,
            Err(TryLockError::Error(error)) => return Err(at(&path)(error)),
        };
        lock.lock_shared().map_err(at(&path))?;
        Ok((Presence { lock }, company))
    }

    /// A file or folder inside.
    pub(super) fn join_path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file that only its owner reads, whole or not at all.
    pub(super) fn write_secret(&self, name: &str, content: &[u8]) -> Result<(), Error> {
        write_atomically(&self.path.join(name), content)
    }
}

impl Presence {
    /// Gives the place back and says whether it was the last.
    pub(super) fn leave(self, _gate: &Gate) -> Company {
        // One lock of the system is converted into the other; nobody comes in between while the gate is held.
        match self.lock.try_lock() {
            Ok(()) => Company::Alone,
            Err(_) => Company::Joined,
        }
    }
}

/// Writes a file with mode 0600 beside its final place and renames it.
pub(super) fn write_atomically(path: &Path, content: &[u8]) -> Result<(), Error> {
    let folder = folder_of(path);
    let file = tempfile::NamedTempFile::new_in(folder).map_err(at(folder))?;
    fs::write(file.path(), content).map_err(at(path))?;
    file.as_file().sync_all().map_err(at(path))?;
    file.persist(path).map_err(|error| at(path)(error.error))?;
    Ok(())
}

/// Where a file is.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Makes the folder; nobody else ever sees into it.
fn make_private(path: &Path) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    DirBuilder::new().mode(private_mode()).create(path)?;
    protect(path)
}

/// Whether it is a folder, no link to one, that belongs to this account and that nobody else can write to. In the folder of
/// temporary files such a one was put there by nobody else, and nobody else can put another in its place.
fn is_ours_alone(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| {
        found.is_dir() && found.uid() == geteuid().as_raw() && found.mode() & WRITABLE_BY_OTHERS == 0
    })
}

/// Gives a new folder its mode, whatever the account's mask is.
fn protect(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(private_mode()))
}

/// Open to its owner; a lent account may pass through to the cluster but not look around.
fn private_mode() -> u32 {
    match Account::for_postgres() {
        Ok(Account::Lent { .. }) => 0o711,
        Ok(Account::Own) | Err(_) => 0o700,
    }
}

fn lock_file_at(path: &Path) -> Result<File, Error> {
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(path)
        .map_err(at(path))
}

#[cfg(test)]
mod tests;
