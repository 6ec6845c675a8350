//! The files of the workspace, read once.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::Finding;

/// A text file of the workspace.
#[derive(Debug)]
pub struct File {
    /// Path from the workspace root, with `/`.
    pub path: String,
    /// The whole text.
    pub text: String,
}

impl File {
    /// The file name's extension, or nothing.
    pub fn extension(&self) -> &str {
        Path::new(&self.path)
            .extension()
            .and_then(|extension| extension.to_str())
            .unwrap_or_default()
    }

    /// The lines that `breaks` answers for, each with the same advice.
    pub fn find(&self, mend: &str, breaks: impl Fn(&str) -> bool) -> Vec<Finding> {
        let numbered = (1..).zip(self.text.lines());
        numbered
            .filter(|(_, line)| breaks(line))
            .map(|(at, _)| Finding::new(&self.path, at, mend))
            .collect()
    }

    /// The first line that begins with `start`, or 1.
    pub fn line_of(&self, start: &str) -> usize {
        self.text
            .lines()
            .position(|line| line.starts_with(start))
            .map_or(1, |index| index + 1)
    }
}

/// Every text file that belongs to the workspace: not what `.gitignore` names, not git's own.
pub static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    let mut files = Vec::new();
    collect(&root(), &ignored(), &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
});

/// Hand-written sources that the textual rules read: all but this crate, which has to spell what it forbids.
pub fn sources(extensions: &[&str]) -> impl Iterator<Item = &'static File> {
    FILES
        .iter()
        .filter(move |file| extensions.contains(&file.extension()) && !file.path.starts_with("infra/tidy/"))
}

/// The file at a path from the root.
///
/// # Panics
/// When the workspace has no such text file.
pub fn file(path: &str) -> &'static File {
    FILES
        .iter()
        .find(|file| file.path == path)
        .unwrap_or_else(|| panic!("{path}: the workspace has no such file"))
}

/// The workspace root. Asked for when the tests run: two checkouts that share a target folder share the compiled test.
pub fn root() -> PathBuf {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    PathBuf::from(folder).join("../..")
}

/// Names at the top level of the workspace, without what `.gitignore` names.
///
/// # Panics
/// When the root cannot be read.
pub fn top_level() -> Vec<String> {
    let ignored = ignored();
    let mut names: Vec<String> = entries(&root()).into_iter().map(|path| name(&path)).collect();
    names.retain(|name| !ignored.contains(name));
    names
}

fn collect(folder: &Path, ignored: &[String], files: &mut Vec<File>) {
    for path in entries(folder) {
        if ignored.contains(&name(&path)) {
            continue;
        }
        if path.is_dir() {
            collect(&path, ignored, files);
        } else if let Ok(text) = fs::read_to_string(&path) {
            let relative = path
                .strip_prefix(root())
                .unwrap_or(&path)
                .to_string_lossy()
                .replace('\\', "/");
            files.push(File { path: relative, text });
        }
    }
}

/// The plain names in `.gitignore` (it holds no patterns), and git's own folder.
fn ignored() -> Vec<String> {
    let text = fs::read_to_string(root().join(".gitignore")).unwrap_or_default();
    text.lines()
        .map(|line| line.trim_matches('/').to_owned())
        .chain([".git".to_owned()])
        .collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = read.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
