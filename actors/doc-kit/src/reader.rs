//! A strict reader of YAML 1.2 with the core schema: exact numbers, a place for every node and key, all problems
//! at once, and budgets that hostile text cannot exceed.

mod compose;
mod mistake;
mod node;
mod place;
mod scalar;
#[cfg(test)]
mod tests;

use crate::{Path, Position, Problem};

pub use node::{Entry, Map, Node, NodeValue};

/// What a document may cost. The defaults are those of process.md §9.1.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_field_names,
    reason = "the house puts the unit and `max` last in every limit"
)]
pub struct Limits {
    /// Bytes of the source.
    pub bytes_max: usize,
    /// Collections inside each other, the outermost counted.
    pub depth_max: usize,
    /// Nodes that exist only because an alias repeats them.
    pub alias_nodes_max: usize,
    /// Bytes of text that exist only because an alias repeats them.
    pub alias_bytes_max: usize,
    /// Characters of one number.
    pub number_chars_max: usize,
    /// The largest power of ten, in either direction, that a number may spell.
    pub exponent_max: i64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes_max: 1024 * 1024,
            depth_max: 64,
            alias_nodes_max: 10_000,
            alias_bytes_max: 1024 * 1024,
            number_chars_max: 256,
            exponent_max: 1000,
        }
    }
}

/// What came out: a tree unless the text could not be read to its end, and every problem that was met.
#[derive(Debug)]
pub struct Reading {
    /// The root. Absent after a syntax error or an exceeded budget, and for an empty text.
    pub root: Option<Node>,
    /// Every problem, in the order met. All of them are errors.
    pub problems: Vec<Problem>,
}

/// Reads one document. `first_line` is the number of the text's first line in the file it was cut from.
pub fn read(text: &str, first_line: usize, limits: &Limits) -> Reading {
    if text.len() > limits.bytes_max {
        let message = format!(
            "This text has {} bytes; the limit is {}.",
            text.len(),
            limits.bytes_max
        );
        let place = Position {
            line: first_line,
            column: 1,
        };
        let problem = Problem::error("too-large", &Path::root(), place, message).fix("Make it shorter.");
        return Reading {
            root: None,
            problems: vec![problem],
        };
    }
    let problems = unprintable(text, first_line);
    if problems.is_empty() {
        compose::compose(text, first_line, limits)
    } else {
        Reading { root: None, problems }
    }
}

/// Characters outside YAML 1.2 §5.1 `c-printable`. The parser takes NUL for the end of its input, so these come first.
fn unprintable(text: &str, first_line: usize) -> Vec<Problem> {
    const REPORTED_MAX: usize = 20;
    // Every unprintable character is a control below U+00A0, or one of U+FFFE and U+FFFF.
    if !text
        .bytes()
        .any(|byte| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r') || byte == 0x7f || byte >= 0xc2)
    {
        return Vec::new();
    }
    text.char_indices()
        .filter(|(_, character)| !is_printable(*character))
        .take(REPORTED_MAX)
        .map(|(at, character)| {
            let behind = Position::behind(&text[..at]);
            let place = Position {
                line: behind.line + first_line - 1,
                ..behind
            };
            let message = format!(
                "The character U+{:04X} cannot stand in YAML.",
                u32::from(character)
            );
            Problem::error("unprintable-character", &Path::root(), place, message).fix("Delete it.")
        })
        .collect()
}

fn is_printable(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' | '\u{85}' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        other => !other.is_control(),
    }
}
