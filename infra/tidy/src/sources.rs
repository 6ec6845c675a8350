//! Rules about the text of source files.

use crate::Finding;
use crate::tree::File;

/// Lines that a hand-written file may have.
const FILE_LINES_MAX: usize = 500;
/// Lines that tests inside a source file may have, before they move to a sibling `tests.rs`.
const INLINE_TEST_LINES_MAX: usize = 150;

/// A file that is too long.
pub fn long_file(file: &File) -> Vec<Finding> {
    let lines = file.text.lines().count();
    if lines <= FILE_LINES_MAX {
        return Vec::new();
    }
    let mend = format!("{lines} lines: split it by subject, a file has at most {FILE_LINES_MAX}");
    vec![Finding::new(&file.path, lines, mend)]
}

/// Tests that are too long to stand in the file they test.
pub fn long_inline_tests(file: &File) -> Vec<Finding> {
    let lines = file
        .text
        .lines()
        .skip_while(|line| *line != "mod tests {")
        .skip(1)
        .count();
    if lines <= INLINE_TEST_LINES_MAX {
        return Vec::new();
    }
    let mend =
        format!("{lines} lines of tests: beyond {INLINE_TEST_LINES_MAX} they move to a sibling `tests.rs`");
    vec![Finding::new(&file.path, file.line_of("mod tests {"), mend)]
}

/// A `mod.rs`.
pub fn module_file(file: &File) -> Vec<Finding> {
    let is_module_file = file.path.ends_with("/mod.rs");
    let mend = "call it after its folder: `x.rs` beside `x/`, or `tests/x/main.rs` for a test";
    is_module_file
        .then(|| Finding::new(&file.path, 1, mend))
        .into_iter()
        .collect()
}

/// Waiting for time to pass instead of for a condition.
pub fn sleeps(file: &File) -> Vec<Finding> {
    let mend = "wait for a condition or on a clock that the test moves; a sleep is slow and flaky at once";
    file.find(mend, |line| is_code(line) && line.contains("sleep("))
}

/// Words that postpone.
pub fn postponements(file: &File) -> Vec<Finding> {
    let mend = "do it, or say as a fact what is absent and why";
    let postpones = |word: &str| ["TODO", "FIXME", "XXX"].contains(&word);
    file.find(mend, |line| {
        line.split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(postpones)
    })
}

/// Lints that are switched off for good.
pub fn allowed_lints(file: &File) -> Vec<Finding> {
    let mend = "write `#[expect(lint, reason = \"…\")]`: it tells when it is no longer needed";
    file.find(mend, |line| {
        is_code(line) && (line.contains("#[allow") || line.contains("#![allow"))
    })
}

/// Variants of an error that carry a `String` and nothing else.
pub fn string_errors(file: &File) -> Vec<Finding> {
    let mut in_error = false;
    let mut findings = Vec::new();
    for (at, line) in (1..).zip(file.text.lines()) {
        if let Some((_, name)) = line.split_once("enum ") {
            in_error = name
                .split(|c: char| !c.is_alphanumeric())
                .next()
                .unwrap_or_default()
                .ends_with("Error");
        }
        if in_error && line.trim().ends_with("(String),") {
            let mend = "a caller cannot act on a text: give the variant named fields with what happened";
            findings.push(Finding::new(&file.path, at, mend));
        }
        in_error &= !line.starts_with('}');
    }
    findings
}

/// Test functions whose name begins with `test_` instead of stating the rule they keep.
pub fn test_prefixes(file: &File) -> Vec<Finding> {
    file.find(
        "name the rule that the test keeps, as in `expired_claim_is_stale`",
        |line| line.contains("fn test_"),
    )
}

/// `async` in a crate that decides.
pub fn asynchrony(file: &File) -> Vec<Finding> {
    let mend = "the inside decides on values: waiting belongs to run-actors";
    file.find(mend, |line| {
        is_code(line) && (line.contains("async ") || line.contains(".await"))
    })
}

/// A type with a wire or stored form that is not a stored form itself.
pub fn serialised_domain(file: &File) -> Vec<Finding> {
    if file.path.contains("/stored") {
        return Vec::new();
    }
    let mend = "types in use and stored forms are separate: derive serde on a versioned type below `stored`";
    file.find(mend, |line| {
        is_code(line) && line.contains("derive(") && line.contains("erialize")
    })
}

/// Names of a heavy crate outside the crates that own it.
pub fn uses_of(file: &File, outside_crate: &str) -> Vec<Finding> {
    let path = format!("{outside_crate}::");
    let mend = format!("{outside_crate} has an owner (see .deny.toml): ask through the owner's types");
    file.find(&mend, |line| is_code(line) && line.contains(&path))
}

/// Folders of one machine.
pub fn machine_paths(file: &File) -> Vec<Finding> {
    let mend = "name no folder of one machine: take it from an argument, the environment or `mktemp`";
    file.find(mend, |line| {
        ["/work", "/tmp/", "/root", "/home"]
            .iter()
            .any(|folder| names_folder(line, folder))
    })
}

/// Whether a line names an absolute folder, and not as a part of a longer path or name.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line.get(at + folder.len()..).and_then(|text| text.chars().next());
        let ends = folder.ends_with('/') || after.is_none_or(|c| !c.is_alphanumeric() && !"._-".contains(c));
        let starts = before.is_none_or(|c| !c.is_alphanumeric() && !"._-}>)]*~/".contains(c));
        starts && ends
    })
}

fn is_code(line: &str) -> bool {
    !line.trim_start().starts_with("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(rule: impl Fn(&File) -> Vec<Finding>, text: &str) -> Vec<usize> {
        let file = File {
            path: "x.rs".to_owned(),
            text: text.to_owned(),
        };
        rule(&file).iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn a_long_file_is_found() {
        assert_eq!(lines(long_file, &"x\n".repeat(500)), [] as [usize; 0]);
        assert_eq!(lines(long_file, &"x\n".repeat(501)), [501]);
    }

    #[test]
    fn long_tests_in_a_source_are_found() {
        let text = |count| format!("fn a() {{}}\n\nmod tests {{\n{}", "x\n".repeat(count));
        assert_eq!(lines(long_inline_tests, &text(150)), [] as [usize; 0]);
        assert_eq!(lines(long_inline_tests, &text(151)), [3]);
        assert_eq!(lines(long_inline_tests, &"x\n".repeat(400)), [] as [usize; 0]);
    }

    #[test]
    fn forbidden_words_are_found_in_code() {
        assert_eq!(lines(sleeps, "tokio::time::sleep(x)\n// never sleep(x)\n"), [1]);
        assert_eq!(
            lines(postponements, "// TODO: later\nlet TODOS = 1;\nmktemp XXXXXX\n"),
            [1]
        );
        assert_eq!(
            lines(allowed_lints, "#[allow(dead_code)]\n// #[allow]\n#![allow(x)]\n"),
            [1, 3]
        );
        assert_eq!(lines(test_prefixes, "fn test_x() {}\nfn latest_x() {}\n"), [1]);
        assert_eq!(
            lines(asynchrony, "async fn a() {\n    b().await\n// async word\n"),
            [1, 2]
        );
        assert_eq!(
            lines(|file| uses_of(file, "sqlx"), "use sqlx::Pool;\n// sqlx::Pool\n"),
            [1]
        );
    }

    #[test]
    fn an_error_that_is_only_text_is_found() {
        let text = "pub enum StoreError {\n    Broken(String),\n    Missing { id: String },\n}\nenum Value {\n    Text(String),\n}\n";
        assert_eq!(lines(string_errors, text), [2]);
    }

    #[test]
    fn folders_of_one_machine_are_found() {
        for line in ["see /work/x", "\"/tmp/x\"", "cd /root", "=/home/z"] {
            assert_eq!(lines(machine_paths, line), [1], "{line}");
        }
        for line in [
            "actors/work/x",
            "http://host/root",
            "/workspace",
            "${root}/tmp",
            "/tmp.rs",
            "/o/demo/work",
        ] {
            assert_eq!(lines(machine_paths, line), [] as [usize; 0], "{line}");
        }
    }
}
