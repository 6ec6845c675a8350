//! The place of the ready file, before there is one.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use nix::unistd::{AccessFlags, access};

use super::error::Error;
use super::folder::folder_of;

/// A file of an earlier server must not be taken for this one's.
pub(super) fn forget(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(cannot_write(path, error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Whoever waits for the file should not wait for a start that cannot end with it. Its folder may be the data folder, which
/// must be there by now.
pub(super) fn verify(path: &Path) -> Result<(), Error> {
    let folder = folder_of(path);
    let writable = access(folder, AccessFlags::W_OK | AccessFlags::X_OK).map_err(io::Error::from);
    let is_folder = fs::metadata(folder).map(|found| found.is_dir());
    match writable.and(is_folder) {
        Ok(true) => Ok(()),
        Ok(false) => Err(cannot_write(path, ErrorKind::NotADirectory.into())),
        Err(error) => Err(cannot_write(path, error)),
    }
}

fn cannot_write(path: &Path, source: io::Error) -> Error {
    Error::ReadyFile {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ready_file_needs_a_folder_and_a_name_that_is_free() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("ready.json");
        assert!(forget(&path).is_ok() && verify(&path).is_ok());
        fs::write(&path, "{}").expect("written");
        assert!(forget(&path).is_ok());
        assert!(!path.exists());
        assert!(verify(&folder.path().join("missing/ready.json")).is_err());
        fs::write(&path, "{}").expect("written");
        assert!(verify(&path.join("ready.json")).is_err());
        let message = forget(folder.path()).expect_err("a folder").to_string();
        let expected = format!("--ready-file {} cannot be written", folder.path().display());
        assert_eq!(message, expected);
    }
}
