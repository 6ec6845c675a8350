//! The account of the operating system that PostgreSQL runs under. PostgreSQL refuses to run as root, so root hands its
//! cluster to another account.

use std::fs::{self, Metadata, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::unistd::{User, geteuid};

use super::error::{Error, at};

/// Accounts that root may lend, the best first.
const LENT_ACCOUNTS: [&str; 2] = ["postgres", "nobody"];

/// Who a server program runs as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Account {
    /// The one that `baton` itself runs as.
    Own,
    /// Another one, since ours is root.
    Lent {
        /// User id.
        uid: u32,
        /// Group id.
        gid: u32,
    },
}

impl Account {
    /// The account for PostgreSQL.
    pub(super) fn for_postgres() -> Result<Self, Error> {
        if !geteuid().is_root() {
            return Ok(Self::Own);
        }
        LENT_ACCOUNTS
            .iter()
            .find_map(|name| User::from_name(name).ok().flatten())
            .map(|user| Self::Lent {
                uid: user.uid.as_raw(),
                gid: user.gid.as_raw(),
            })
            .ok_or(Error::NoAccount)
    }

    /// A command of that account: in a process group of its own, so that Ctrl-C reaches only `baton`, without a standard
    /// input, and without settings meant for other clusters.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PG") {
                command.env_remove(name);
            }
        }
        command
            .env("LC_ALL", "C")
            .current_dir("/")
            .stdin(Stdio::null())
            .process_group(0);
        if let Self::Lent { uid, gid } = self {
            command.uid(*uid).gid(*gid);
        }
        command
    }

    /// Makes a folder that only this account opens; an existing one must already be so.
    pub(super) fn make_private_folder(&self, path: &Path) -> Result<(), Error> {
        match fs::create_dir(path) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                if !self.owns(path) {
                    return Err(Error::NotOurs(path.to_owned()));
                }
            }
            Err(error) => return Err(at(path)(error)),
        }
        fs::set_permissions(path, Permissions::from_mode(0o700)).map_err(at(path))?;
        if let Self::Lent { uid, gid } = self {
            std::os::unix::fs::chown(path, Some(*uid), Some(*gid)).map_err(at(path))?;
        }
        Ok(())
    }

    /// Whether it is a folder, no link to one, that belongs to this account.
    pub(super) fn owns(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok_and(|found| found.is_dir() && found.uid() == self.uid())
    }

    /// Whether this account can reach entries of the folder: every folder on the way must be searchable for it.
    pub(super) fn reaches(&self, folder: &Path) -> bool {
        let Self::Lent { uid, gid } = self else {
            return true;
        };
        let searchable = |found: &Metadata| {
            let bit = match found {
                _ if found.uid() == *uid => 0o100,
                _ if found.gid() == *gid => 0o010,
                _ => 0o001,
            };
            found.mode() & bit != 0
        };
        folder
            .ancestors()
            .all(|part| fs::metadata(part).is_ok_and(|found| searchable(&found)))
    }

    fn uid(&self) -> u32 {
        match self {
            Self::Own => geteuid().as_raw(),
            Self::Lent { uid, .. } => *uid,
        }
    }
}
