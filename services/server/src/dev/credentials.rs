//! What the data folder keeps for the servers on it: its id, the demo tokens in clear and the signing key.
//! The database has only digests of the tokens and nothing of the key.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;

use base::Secret;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::demo;
use super::error::{Error, at};
use super::folder::DataFolder;
use super::folder_id::FolderId;
use super::written_secret::WrittenSecret;

/// Every data folder of ours has it.
pub(super) const FILE: &str = "dev.json";
const KEY_FILE: &str = "signing.key";
const KEY_BYTES: usize = 32;
const TOKEN_BYTES: usize = 24;

/// The content of `dev.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Credentials {
    /// Names this data folder.
    pub(super) id: FolderId,
    /// The tokens of each demo organization.
    pub(super) organizations: BTreeMap<String, Tokens>,
}

/// The tokens of one organization.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tokens {
    /// By agent name.
    pub(super) agents: BTreeMap<String, WrittenSecret>,
    /// By e-mail address.
    pub(super) people: BTreeMap<String, WrittenSecret>,
}

impl Credentials {
    /// What the folder has, with whatever is missing for so many organizations added.
    pub(super) fn complete(folder: &DataFolder, organization_count: u16) -> Result<Self, Error> {
        let before = Self::read(folder)?;
        let mut now = match &before {
            Some(found) => found.clone(),
            None => Self {
                id: FolderId::random().map_err(Error::Random)?,
                organizations: BTreeMap::new(),
            },
        };
        for name in demo::organizations(organization_count) {
            let tokens = now.organizations.entry(name).or_default();
            for agent in demo::AGENTS {
                add_token(&mut tokens.agents, agent)?;
            }
            for person in demo::PEOPLE {
                add_token(&mut tokens.people, person.email)?;
            }
        }
        if before.as_ref() != Some(&now) {
            let text = serde_json::to_vec_pretty(&now).map_err(|source| content(folder, source))?;
            folder.write_secret(FILE, &text)?;
        }
        Ok(now)
    }

    /// What the folder has; none when it is new.
    pub(super) fn read(folder: &DataFolder) -> Result<Option<Self>, Error> {
        let path = folder.join_path(FILE);
        match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text)
                .map(Some)
                .map_err(|source| content(folder, source)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(at(&path)(error)),
        }
    }
}

/// The key that signs claim tokens and cursors, the same for every server of the folder.
pub(super) fn signing_key(folder: &DataFolder) -> Result<Secret<[u8; KEY_BYTES]>, Error> {
    let path = folder.join_path(KEY_FILE);
    match fs::read(&path) {
        Ok(bytes) => match bytes.try_into() {
            Ok(key) => Ok(Secret::new(key)),
            Err(_) => Err(Error::Key(path)),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let key = random::<KEY_BYTES>()?;
            folder.write_secret(KEY_FILE, &key)?;
            Ok(Secret::new(key))
        }
        Err(error) => Err(at(&path)(error)),
    }
}

fn add_token(tokens: &mut BTreeMap<String, WrittenSecret>, name: &str) -> Result<(), Error> {
    if !tokens.contains_key(name) {
        let token = format!("dev_{}", URL_SAFE_NO_PAD.encode(random::<TOKEN_BYTES>()?));
        tokens.insert(name.to_owned(), token.into());
    }
    Ok(())
}

fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(Error::Random)?;
    Ok(bytes)
}

fn content(folder: &DataFolder, source: serde_json::Error) -> Error {
    Error::Content {
        path: folder.join_path(FILE),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, DataFolder) {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let folder = DataFolder::open(parent.path()).expect("it is there");
        (parent, folder)
    }

    #[test]
    fn tokens_and_key_stay_and_only_what_is_missing_is_added() {
        let (_parent, folder) = folder();
        let first = Credentials::complete(&folder, 1).expect("made");
        let key = signing_key(&folder).expect("made");
        let second = Credentials::complete(&folder, 2).expect("completed");
        assert_eq!(second.id, first.id);
        assert_eq!(second.organizations["demo"], first.organizations["demo"]);
        assert_eq!(second.organizations["demo2"].people.len(), 9);
        assert_eq!(signing_key(&folder).expect("read").expose(), key.expose());
        let third = Credentials::complete(&folder, 1).expect("read");
        assert_eq!(third, second);
    }

    #[test]
    fn a_damaged_file_is_named() {
        let (_parent, folder) = folder();
        folder.write_secret(FILE, b"{").expect("written");
        let error = Credentials::complete(&folder, 1).expect_err("damaged");
        assert!(error.to_string().contains("dev.json cannot be read"));
        let elsewhere = br#"{"id": "../../../../../../ab", "organizations": {}}"#;
        folder.write_secret(FILE, elsewhere).expect("written");
        assert!(matches!(Credentials::read(&folder), Err(Error::Content { .. })));
        folder.write_secret(KEY_FILE, b"short").expect("written");
        assert!(matches!(signing_key(&folder), Err(Error::Key(_))));
    }
}
