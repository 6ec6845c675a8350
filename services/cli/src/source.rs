//! Finding and reading the document that a path names: the file itself, or the folder that it is in.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use formats::Format;

/// A document as it was found.
pub(crate) struct Source {
    /// The file that was read.
    pub(crate) file: PathBuf,
    /// The name of the folder, when the folder was named: the document must have the same name.
    pub(crate) folder_name: Option<String>,
    /// The bytes, at most one more than a document may have.
    pub(crate) bytes: Vec<u8>,
}

/// Why a document cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// Another path is needed.
    #[error("there is no file or folder {}", .0.display())]
    Absent(PathBuf),
    /// The folder is not one of a document.
    #[error("the folder {} has no {file_name}", folder.display())]
    NoDocument {
        /// The path as given.
        folder: PathBuf,
        /// What it should hold.
        file_name: &'static str,
    },
    /// Another path, or other rights, are needed.
    #[error("{} cannot be read", path.display())]
    Unreadable {
        /// The path as given, or the file in it.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It could be a pipe that nobody writes to.
    #[error("{} is not a regular file", path.display())]
    NotAFile {
        /// The path as given, or the file in it.
        path: PathBuf,
    },
}

/// Reads the document at a path.
pub(crate) fn read(format: Format, path: &Path) -> Result<Source, Error> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => Error::Absent(path),
            _ => Error::Unreadable { path, source },
        }
    };
    let is_folder = path.metadata().map_err(unreadable(path))?.is_dir();
    let (file, folder_name) = if is_folder {
        let full = path.canonicalize().map_err(unreadable(path))?;
        let name = full.file_name().map(|name| name.to_string_lossy().into_owned());
        (path.join(format.file_name()), name)
    } else {
        (path.to_owned(), None)
    };
    if is_folder && !file.exists() {
        return Err(Error::NoDocument {
            folder: path.to_owned(),
            file_name: format.file_name(),
        });
    }
    if !file.metadata().map_err(unreadable(&file))?.is_file() {
        return Err(Error::NotAFile { path: file });
    }
    let mut bytes = Vec::new();
    let limit = u64::try_from(format.source_bytes_max())
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    let opened = File::open(&file).map_err(unreadable(&file))?;
    opened
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(unreadable(&file))?;
    Ok(Source {
        file,
        folder_name,
        bytes,
    })
}

/// An error and its causes in one line.
pub(crate) fn explain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        text = format!("{text}: {source}");
        cause = source.source();
    }
    text
}
