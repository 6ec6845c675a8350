//! One checked file and how it is shown.

use std::io::{self, Write};
use std::path::Path;

use doc_kit::{Severity, problem};
use formats::Format;
use serde::Serialize;
use serde_json::Value;

use crate::Outcome;
use crate::source::{self, Source};

/// One file, checked.
pub(super) struct Entry {
    path: String,
    source: Source,
    report: formats::Report,
}

/// The JSON form of an entry.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report<'a> {
    path: &'a str,
    ok: bool,
    name: Option<&'a str>,
    content_hash: Option<String>,
    roles: &'a [String],
    problems: Vec<Value>,
}

impl Entry {
    pub(super) fn read(path: &Path) -> Result<Self, source::Error> {
        let source = source::read(Format::Process, path)?;
        let report = formats::check(Format::Process, &source.bytes, source.folder_name.as_deref());
        Ok(Self {
            path: path.display().to_string(),
            source,
            report,
        })
    }

    pub(super) fn outcome(&self) -> Outcome {
        if self.report.ok {
            Outcome::Valid
        } else {
            Outcome::Problems
        }
    }

    /// The hash of a file without errors.
    pub(super) fn valid_hash(&self) -> Option<String> {
        self.report
            .content_hash
            .filter(|_| self.report.ok)
            .map(|hash| hash.to_string())
    }

    /// The text of a file without errors, which is UTF-8.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.source.bytes).into_owned()
    }

    pub(super) fn report(&self) -> Report<'_> {
        Report {
            path: &self.path,
            ok: self.report.ok,
            name: self.report.name.as_deref(),
            content_hash: self.report.content_hash.map(|hash| hash.to_string()),
            roles: &self.report.roles,
            problems: self
                .report
                .problems
                .iter()
                .map(problem::Problem::to_json)
                .collect(),
        }
    }

    /// Each problem with its source line, a caret, and how to mend it.
    pub(super) fn write_problems(&self, out: &mut dyn Write) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.source.bytes);
        let file = self.source.file.display().to_string();
        for found in &self.report.problems {
            writeln!(out, "{}", problem::render(found, &file, &text))?;
        }
        Ok(())
    }

    /// One line about the whole file, and its roles.
    pub(super) fn write_summary(&self, out: &mut dyn Write) -> io::Result<()> {
        let count = |severity| {
            self.report
                .problems
                .iter()
                .filter(|found| found.severity == severity)
                .count()
        };
        let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
        write!(out, "{}: ", self.source.file.display())?;
        match (errors, warnings) {
            (0, 0) => write!(out, "valid")?,
            (0, warnings) => write!(out, "valid, {}", counted(warnings, "warning"))?,
            (errors, 0) => write!(out, "{}", counted(errors, "error"))?,
            (errors, warnings) => write!(
                out,
                "{}, {}",
                counted(errors, "error"),
                counted(warnings, "warning")
            )?,
        }
        writeln!(out)?;
        if let Some(hash) = self.valid_hash() {
            writeln!(out, "  hash   {hash}")?;
            if !self.report.roles.is_empty() {
                writeln!(out, "  roles  {}", self.report.roles.join(", "))?;
            }
        }
        Ok(())
    }
}

fn counted(count: usize, word: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {word}{plural}")
}
