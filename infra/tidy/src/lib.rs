//! The tests behind the house rules: what no compiler and no lint checks, checked on the tree itself.
//!
//! A rule is a function that answers what breaks it, as [`Finding`]s. `tests/house_rules.rs` runs each rule on this workspace,
//! one test a rule, and the unit tests beside the rules run them on samples that break them.

pub mod documents;
pub mod imports;
pub mod manifests;
pub mod rules;
pub mod sources;
pub mod table;
pub mod tree;

use std::fmt;

/// One place that breaks a rule, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Path from the workspace root.
    pub path: String,
    /// Line, counted from 1.
    pub line: usize,
    /// How to mend it, as a sentence.
    pub mend: String,
}

impl Finding {
    /// A finding at a line of a file.
    pub fn new(path: &str, line: usize, mend: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            mend: mend.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.mend)
    }
}

/// Fails the calling test with every finding on a line of its own.
///
/// # Panics
/// When there is a finding.
pub fn expect_none(findings: &[Finding]) {
    let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(
        lines.is_empty(),
        "{} places break this rule:\n{}",
        lines.len(),
        lines.join("\n")
    );
}
