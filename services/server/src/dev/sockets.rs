//! The folder of the unix sockets. A socket's path may have at most 107 bytes (103 on macOS), so sockets cannot lie
//! in a deep data folder: they lie in a short folder of their own whose place the data folder remembers.

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::account::Account;
use super::error::Error;
use super::folder::DataFolder;
use super::folder_id::FolderId;

/// Where the data folder remembers the place.
const PLACE_FILE: &str = "sockets";
/// The longest name that is put into the folder.
const LONGEST_SOCKET: &str = "/.s.PGSQL.5432";
/// Seventy-two bits.
const NAME_CHARACTERS: usize = 12;
/// The stricter of the systems' limits, without the closing zero.
const SOCKET_PATH_BYTES_MAX: usize = 103;

/// Makes the folder, or finds it again.
pub(super) fn make(folder: &DataFolder, id: &FolderId, account: &Account) -> Result<PathBuf, Error> {
    let name = name(&folder.path, id.as_str());
    let place = match remembered(folder, &name) {
        Some(place) => place,
        None => candidates(account)
            .into_iter()
            .map(|parent| parent.join(&name))
            .find(|place| fits(place) && place.parent().is_some_and(|parent| account.reaches(parent)))
            .ok_or(Error::NoSocketFolder)?,
    };
    account.make_private_folder(&place)?;
    folder.write_secret(PLACE_FILE, place.as_os_str().as_encoded_bytes())?;
    Ok(place)
}

/// The folder, if it has been made and nobody put something else in its place.
pub(super) fn find(folder: &DataFolder, id: &FolderId, account: &Account) -> Option<PathBuf> {
    remembered(folder, &name(&folder.path, id.as_str())).filter(|place| account.owns(place))
}

/// The remembered place; that of a folder that has been copied or moved since is not ours.
fn remembered(folder: &DataFolder, name: &str) -> Option<PathBuf> {
    let place = PathBuf::from(std::fs::read_to_string(folder.join_path(PLACE_FILE)).ok()?);
    (place.file_name()? == name && place.parent()?.is_dir()).then_some(place)
}

/// Nobody else can guess it, and a copied data folder has another.
fn name(folder: &Path, id: &str) -> String {
    let mut digest = Sha256::new();
    digest.update(folder.as_os_str().as_encoded_bytes());
    digest.update([0]);
    digest.update(id.as_bytes());
    let characters = URL_SAFE_NO_PAD.encode(digest.finalize());
    format!("baton-{}", &characters[..NAME_CHARACTERS])
}

/// Folders that may hold it: the session's own one, the temporary one, `/tmp`.
fn candidates(account: &Account) -> Vec<PathBuf> {
    let session = match account {
        Account::Own => std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from),
        Account::Lent { .. } => None,
    };
    session
        .into_iter()
        .chain([std::env::temp_dir(), PathBuf::from("/tmp")])
        .filter_map(|folder| folder.canonicalize().ok())
        .collect()
}

/// Short enough, and free of what a shell, a URL or PostgreSQL's list of folders would take apart.
fn fits(place: &Path) -> bool {
    let text = place.as_os_str().as_encoded_bytes();
    text.len() + LONGEST_SOCKET.len() <= SOCKET_PATH_BYTES_MAX
        && text
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_odd_places_do_not_fit() {
        let cases = [
            ("/run/baton-0123456789ab".to_owned(), true),
            (format!("/{}", "d".repeat(88)), true),
            (format!("/{}", "d".repeat(89)), false),
            ("/with space".to_owned(), false),
            ("/a,b".to_owned(), false),
        ];
        for (place, expected) in cases {
            assert_eq!(fits(Path::new(&place)), expected, "{place}");
        }
    }

    #[test]
    fn a_copied_folder_has_other_sockets() {
        assert_ne!(name(Path::new("/a"), "id"), name(Path::new("/b"), "id"));
        assert_ne!(name(Path::new("/a"), "id"), name(Path::new("/a"), "other"));
        assert_eq!(name(Path::new("/a"), "id"), name(Path::new("/a"), "id"));
    }
}
