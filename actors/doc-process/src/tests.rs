//! Every rule of the format, as cases: a file and the problems it has.

mod branches;
mod checks;
mod file;
mod graph;
mod model;
mod schema;
mod steps;
mod values;

use std::fmt::Write as _;

use doc_kit::Severity;

use crate::{Checked, Document};

/// A file around these steps (the YAML under `steps:`, from column 1). The steps begin at line 6.
fn file(steps: &str) -> String {
    file_with("inputs: {}", steps)
}

/// The same with one more line of frontmatter in place of the empty inputs.
fn file_with(line: &str, steps: &str) -> String {
    format!("---\nname: demo\ndescription: A demonstration.\n{line}\nsteps:\n{steps}\n---\nBody.\n")
}

/// The problems as `code line:column path`, one a line; warnings begin with `warning: `.
fn found(checked: &Checked) -> String {
    let mut lines = String::new();
    for problem in &checked.problems {
        assert!(!problem.fix.is_empty(), "{problem:?} does not say how to mend it");
        let warning = if problem.severity == Severity::Warning {
            "warning: "
        } else {
            ""
        };
        let place = problem.position;
        let line = format!(
            "{warning}{} {}:{} {}",
            problem.code, place.line, place.column, problem.path
        );
        let _ = writeln!(lines, "{}", line.trim_end());
    }
    lines.trim_end().to_owned()
}

/// Checks that a file has exactly these problems.
#[track_caller]
fn check(text: &str, expected: &str) {
    let checked = crate::check(text.as_bytes(), None);
    assert_eq!(found(&checked), expected, "{text}");
    let refused = checked.problems.iter().any(doc_kit::Problem::is_error);
    assert_eq!(
        checked.is_ok(),
        !refused,
        "a document comes exactly when no error does: {text}"
    );
}

/// Checks what the first problem of a file says.
#[track_caller]
fn check_sentence(text: &str, expected: &str) {
    let checked = crate::check(text.as_bytes(), None);
    let sentence = checked.problems.first().map(doc_kit::Problem::sentence);
    assert_eq!(sentence.as_deref(), Some(expected), "{text}");
}

/// Checks that the file around these steps has exactly these problems.
#[track_caller]
fn check_steps(steps: &str, expected: &str) {
    check(&file(steps), expected);
}

/// The document of a file without errors.
#[track_caller]
fn document(text: &str) -> Document {
    let checked = crate::check(text.as_bytes(), None);
    let problems = found(&checked);
    checked.document.unwrap_or_else(|| panic!("{problems}\n{text}"))
}
