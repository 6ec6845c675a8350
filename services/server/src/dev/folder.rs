//! The data folder and who is on it. Two locks, which the system releases when a process dies however it dies:
//! `start.lock` is held while anything is started or stopped, `servers.lock` is shared by every live server.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::account::Account;
use super::error::{Error, at};

const GATE_FILE: &str = "start.lock";
const SERVERS_FILE: &str = "servers.lock";
/// How the name of a temporary data folder begins, once its server holds the locks.
const EPHEMERAL_PREFIX: &str = "baton-ephemeral-";
/// How it begins until then; a sweep does not look at it.
const UNLOCKED_PREFIX: &str = "baton-new-";

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
    /// The folder at a path, made when missing.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        fs::create_dir_all(path).map_err(at(path))?;
        let path = path.canonicalize().map_err(at(path))?;
        protect(&path)?;
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
        protect(&unlocked)?;
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
        let Ok(entries) = fs::read_dir(std::env::temp_dir()) else {
            return Vec::new();
        };
        entries
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(EPHEMERAL_PREFIX))
            .filter_map(|entry| {
                let path = entry.path().canonicalize().ok()?;
                let folder = Self {
                    path,
                    lifetime: Lifetime::Ephemeral,
                };
                let gate = lock_file_at(&folder.path.join(GATE_FILE)).ok()?;
                gate.try_lock().ok()?;
                let servers = lock_file_at(&folder.path.join(SERVERS_FILE)).ok()?;
                servers.try_lock().ok()?;
                Some((folder, Gate { _lock: gate }))
            })
            .collect()
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
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let file = tempfile::NamedTempFile::new_in(folder).map_err(at(folder))?;
    fs::write(file.path(), content).map_err(at(path))?;
    file.as_file().sync_all().map_err(at(path))?;
    file.persist(path).map_err(|error| at(path)(error.error))?;
    Ok(())
}

/// Opens the folder to its owner; a lent account may pass through it to the cluster but not look around.
fn protect(path: &Path) -> Result<(), Error> {
    let mode = match Account::for_postgres() {
        Ok(Account::Lent { .. }) => 0o711,
        Ok(Account::Own) | Err(_) => 0o700,
    };
    fs::set_permissions(path, Permissions::from_mode(mode)).map_err(at(path))
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
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, DataFolder) {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let folder = DataFolder::open(&parent.path().join("data")).expect("it can be made");
        (parent, folder)
    }

    #[test]
    fn the_first_is_alone_and_the_next_joins() {
        let (_parent, folder) = folder();
        let gate = folder.gate().expect("free");
        let (_first, company) = folder.join(&gate).expect("first");
        assert_eq!(company, Company::Alone);
        let (_second, company) = folder.join(&gate).expect("second");
        assert_eq!(company, Company::Joined);
    }

    #[test]
    fn only_the_last_one_out_is_alone() {
        let (_parent, folder) = folder();
        let gate = folder.gate().expect("free");
        let (first, _) = folder.join(&gate).expect("first");
        let (second, _) = folder.join(&gate).expect("second");
        assert_eq!(first.leave(&gate), Company::Joined);
        assert_eq!(second.leave(&gate), Company::Alone);
    }

    #[test]
    fn a_held_temporary_folder_is_not_abandoned() {
        let (folder, gate, presence) = DataFolder::ephemeral().expect("it can be made");
        drop(gate);
        let listed = DataFolder::abandoned()
            .iter()
            .any(|(found, _)| found.path == folder.path);
        assert!(!listed);
        drop(presence);
        fs::remove_dir_all(&folder.path).expect("nobody else removed it");
    }

    #[test]
    fn secrets_are_for_their_owner_only() {
        let (_parent, folder) = folder();
        folder.write_secret("secret", b"1").expect("written");
        folder.write_secret("secret", b"2").expect("written again");
        let path = folder.join_path("secret");
        assert_eq!(fs::read(&path).expect("it is there"), b"2");
        assert_eq!(
            fs::metadata(&path).expect("it is there").permissions().mode() & 0o777,
            0o600
        );
    }
}
