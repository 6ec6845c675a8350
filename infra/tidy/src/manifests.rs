//! Rules about manifests and settings.

use crate::Finding;
use crate::tree::File;

/// The manifest of a crate that does not take the workspace's lints.
pub fn own_lints(manifest: &File) -> Vec<Finding> {
    if manifest.text.contains("[lints]\nworkspace = true") {
        return Vec::new();
    }
    vec![Finding::new(
        &manifest.path,
        1,
        "write `[lints]` and `workspace = true`: one set of lints for all crates",
    )]
}

/// Dependencies whose version is stated in a crate's manifest.
pub fn own_versions(manifest: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut in_dependencies = false;
    for (at, line) in (1..).zip(manifest.text.lines()) {
        if line.starts_with('[') {
            in_dependencies = line.trim_end().ends_with("dependencies]");
        }
        let states = line.starts_with(|first: char| first.is_ascii_alphanumeric()) && line.contains('=');
        if in_dependencies && states && !line.contains("workspace = true") {
            let mend = "state version and features in the root's [workspace.dependencies], and write `workspace = true` here";
            findings.push(Finding::new(&manifest.path, at, mend));
        }
    }
    findings
}

/// Settings of one clippy file that the other lacks or gives another value.
pub fn different_thresholds(root: &File, actors: &File) -> Vec<Finding> {
    let settings = root
        .text
        .lines()
        .filter(|line| !line.starts_with('#') && line.contains(" = "));
    let missing = settings.filter(|setting| !actors.text.lines().any(|line| line == *setting));
    missing
        .map(|setting| {
            let key = setting.split(' ').next().unwrap_or_default();
            Finding::new(
                &actors.path,
                actors.line_of(key),
                format!("the nearest clippy file replaces the root's: write `{setting}` here too"),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(text: &str) -> File {
        File {
            path: "actors/x/Cargo.toml".to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_version_in_a_crate_is_found() {
        let text = "[package]\nname = \"x\"\n[dependencies]\nserde.workspace = true\nulid = \"3\"\nrmcp = { workspace = true, features = [\n  \"client\",\n] }\n";
        let lines: Vec<usize> = own_versions(&manifest(text))
            .iter()
            .map(|finding| finding.line)
            .collect();
        assert_eq!(lines, [5]);
    }

    #[test]
    fn a_crate_with_lints_of_its_own_is_found() {
        assert_eq!(own_lints(&manifest("[lints]\nworkspace = true\n")), []);
        assert_eq!(
            own_lints(&manifest("[lints.rust]\nmissing_docs = \"allow\"\n")).len(),
            1
        );
    }

    #[test]
    fn a_threshold_that_differs_is_found() {
        let lines = different_thresholds(&manifest("# a = b\na = 1\nb = 2\n"), &manifest("a = 1\nb = 3\n"));
        assert_eq!(lines.iter().map(|finding| finding.line).collect::<Vec<_>>(), [2]);
    }
}
