//! Problems as data: what is wrong, where, and how to mend it.

mod render;

use serde_json::{Map, Value};

use crate::Path;

pub use render::render;

/// Errors refuse publication; warnings do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The document is refused.
    Error,
    /// The document is accepted, yet somebody should look.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A place in a source text; both numbers begin at 1 and the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Position {
    /// The first character of a text.
    pub const START: Self = Self { line: 1, column: 1 };

    /// The place behind a text that begins at [`Self::START`]. Lines end as YAML ends them: a carriage return alone does, too.
    pub fn behind(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(at, byte)| match byte {
            b'\r' => text.as_bytes().get(at + 1) != Some(&b'\n'),
            byte => *byte == b'\n',
        });
        let (count, line_start) = breaks.fold((0, 0), |(count, _), (at, _)| (count + 1, at + 1));
        Self {
            line: count + 1,
            column: text[line_start..].chars().count() + 1,
        }
    }
}

/// The lines that positions count.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n')
        .flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

/// One problem of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Whether it refuses the document.
    pub severity: Severity,
    /// A stable name in kebab case, such as `unknown-step`.
    pub code: &'static str,
    /// Where in the document: `steps[2].next`; the empty text for the whole.
    pub path: Path,
    /// Where in the source.
    pub position: Position,
    /// One plain sentence: what is wrong.
    pub message: String,
    /// One plain sentence: how to mend it.
    pub fix: String,
}

impl Problem {
    /// An error, still without a word on how to mend it.
    pub fn error(code: &'static str, path: &Path, position: Position, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            path: path.clone(),
            position,
            message: message.into(),
            fix: String::new(),
        }
    }

    /// A warning, still without a word on how to mend it.
    pub fn warning(code: &'static str, path: &Path, position: Position, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, path, position, message)
        }
    }

    /// Says how to mend it.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = fix.into();
        self
    }

    /// True when it refuses the document.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// What is wrong and how to mend it, as one line.
    pub fn sentence(&self) -> String {
        if self.fix.is_empty() {
            self.message.clone()
        } else {
            format!("{} {}", self.message, self.fix)
        }
    }

    /// `{severity, code, path, line, column, message}`, the shape that commands and tools print.
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("severity".to_owned(), self.severity.as_str().into());
        object.insert("code".to_owned(), self.code.into());
        object.insert("path".to_owned(), self.path.as_str().into());
        object.insert("line".to_owned(), self.position.line.into());
        object.insert("column".to_owned(), self.position.column.into());
        object.insert("message".to_owned(), self.sentence().into());
        Value::Object(object)
    }
}

/// The most problems of one document that anybody is shown.
pub const PROBLEMS_MAX: usize = 1000;

/// Puts problems in the order of the source. Of more than [`PROBLEMS_MAX`], warnings are left out first.
pub fn sort(problems: &mut Vec<Problem>) {
    if problems.len() > PROBLEMS_MAX {
        problems.sort_by_key(|problem| problem.severity);
        problems.truncate(PROBLEMS_MAX);
    }
    problems.sort_by(|one, other| {
        (one.position, one.severity, &one.path, one.code).cmp(&(
            other.position,
            other.severity,
            &other.path,
            other.code,
        ))
    });
}

/// True when at least one problem refuses the document.
pub fn any_error(problems: &[Problem]) -> bool {
    problems.iter().any(Problem::is_error)
}

#[cfg(test)]
mod tests {
    use super::Position;

    #[test]
    fn lines_end_with_a_newline_a_carriage_return_or_both() {
        for (text, line, column) in [
            ("", 1, 1),
            ("é", 1, 2),
            ("a\nb", 2, 2),
            ("a\r\nbc", 2, 3),
            ("a\rb\r", 3, 1),
            ("\r\r\n\n", 4, 1),
        ] {
            assert_eq!(Position::behind(text), Position { line, column }, "{text:?}");
        }
    }
}
