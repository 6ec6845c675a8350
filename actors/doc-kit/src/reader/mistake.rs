//! What a syntax error of the parser means to somebody who writes YAML by hand: where the mistake is, and how to mend it.

mod brackets;
mod indentation;

use granit_parser::{ErrorKind, ScanError};

use crate::Position;
use crate::problem::lines;

/// The mistake behind a syntax error.
pub(super) struct Mistake {
    /// Where it is, counted within the text.
    pub(super) place: Position,
    /// What is wrong.
    pub(super) message: String,
    /// How to mend it.
    pub(super) fix: String,
    /// Problems on its line from this column on are mere consequences.
    pub(super) explains_from: Option<usize>,
}

/// How far the text was read without an error.
#[derive(Clone, Copy)]
pub(super) struct Progress {
    /// All before this byte was read.
    pub(super) read_to: usize,
    /// Where the outermost list or map between brackets begins that was being read.
    pub(super) brackets_from: Option<usize>,
}

/// Finds the mistake behind an error.
pub(super) fn find(text: &str, progress: Progress, error: &ScanError) -> Mistake {
    let behind = |at: usize| Position::behind(&text[..at]);
    let marker = error.marker();
    let place = Position {
        line: marker.line(),
        column: marker.col() + 1,
    };
    let mistake = |place, message: &str, fix: String| Mistake {
        place,
        message: format!("This is not YAML: {message}."),
        fix,
        explains_from: None,
    };
    if let Some(place) = indenting_tab(text, place.line, error.kind()) {
        return mistake(place, "a tab indents this line", "Use spaces.".to_owned());
    }
    let to = marker.byte_offset().unwrap_or(text.len());
    if let Some((at, space)) = strange_indentation(text, (progress.read_to, to)) {
        let message = format!("the character U+{:04X} indents this line", u32::from(space));
        return mistake(behind(at), &message, "Use plain spaces.".to_owned());
    }
    if let Some(at) = open_quote(text, (progress.read_to, to), error.kind()) {
        let quote = &text[at..=at];
        let fix = format!("Put another {quote} behind the text.");
        return mistake(behind(at), "this quote is not closed", fix);
    }
    let line = lines(text).nth(place.line - 1).unwrap_or_default();
    if let Some((start, first)) = indicator(line, place.column - 1, error.kind()) {
        let first = if first == '`' {
            "a backtick".to_owned()
        } else {
            format!("`{first}`")
        };
        let message = format!("text without quotes cannot begin with {first}");
        let place = Position {
            column: start + 1,
            ..place
        };
        return Mistake {
            explains_from: Some(place.column),
            ..mistake(place, &message, quote_it(line, start))
        };
    }
    if let (ErrorKind::MappingValueNotAllowed, Some(start)) = (
        error.kind(),
        value_start(line).filter(|start| *start < place.column),
    ) {
        return mistake(
            place,
            "text without quotes cannot hold `: `",
            quote_it(line, start),
        );
    }
    let from = progress.brackets_from.unwrap_or(progress.read_to);
    if let Some(bracket) = brackets::unclosed(text, (from, to), error.kind()) {
        return mistake(behind(bracket.at), &bracket.message(), bracket.fix());
    }
    if let Some(misplaced) = indentation::misplaced(text, place.line - 1, error.kind()) {
        let place = Position {
            column: misplaced.at + 1,
            ..place
        };
        return mistake(place, misplaced.message, misplaced.fix);
    }
    let (message, fix) = in_plain_words(error);
    mistake(place, &message, fix.to_owned())
}

fn quote_it(line: &str, value_start: usize) -> String {
    let before: String = line.chars().take(value_start).collect();
    let before = before.trim_end();
    let key = before
        .strip_suffix(':')
        .and_then(|before| before.rsplit([' ', '{', ',']).next())
        .filter(|key| {
            !key.is_empty()
                && key
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        });
    let block = key.map_or_else(|| "|".to_owned(), |key| format!("{key}: |"));
    format!("Quote it, or write it as a block: `{block}` and the text indented below.")
}

/// What the parser says, where its own words can stand, and what to do.
fn in_plain_words(error: &ScanError) -> (String, &'static str) {
    let (message, fix) = match error.kind() {
        ErrorKind::InvalidTrailingDoubleQuotedScalar => (
            "text goes on behind the closing quote",
            "Quote the text as a whole, and write a quote inside it as `\\\"`.",
        ),
        ErrorKind::InvalidTrailingSingleQuotedScalar => (
            "text goes on behind the closing quote",
            "Quote the text as a whole, and write an apostrophe inside it as `''`.",
        ),
        ErrorKind::UnknownQuotedScalarEscape => (
            "this backslash begins nothing that YAML knows",
            "Write a backslash as `\\\\`, or put the text between single quotes.",
        ),
        ErrorKind::MisplacedFlowCollectionEnd => (
            "this bracket closes nothing",
            "Delete it, or quote the text that it belongs to.",
        ),
        _ => {
            let fix = "Correct the text here; problems further down show once it can be read.";
            return (error.info(), fix);
        }
    };
    (message.to_owned(), fix)
}

/// The first character, up to the line of the error, that looks like a space at the beginning of a line and is none:
/// editors and web pages leave them.
fn strange_indentation(text: &str, (from, to): (usize, usize)) -> Option<(usize, char)> {
    // YAML takes such a line for a key, and stumbles over the next one.
    let line_before = text[..from.min(text.len())].split_inclusive('\n').rev().take(2);
    let from = from.min(text.len()) - line_before.map(str::len).sum::<usize>();
    let to = text[to.min(text.len())..]
        .find('\n')
        .map_or(text.len(), |newline| to + newline);
    let mut indents = true;
    for (offset, character) in text.get(from..to)?.char_indices() {
        match character {
            '\n' => indents = true,
            ' ' => {}
            _ if indents && character.is_whitespace() && !character.is_ascii() => {
                return Some((from + offset, character));
            }
            _ => indents = false,
        }
    }
    None
}

/// The first tab in the indentation of this line or, when the error is about a tab, of one below it.
fn indenting_tab(text: &str, line: usize, kind: &ErrorKind) -> Option<Position> {
    let about_tabs = matches!(
        kind,
        ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar
            | ErrorKind::TabAtBlockScalarStart
    );
    let lines = lines(text).enumerate().skip(line - 1);
    lines
        .take(if about_tabs { usize::MAX } else { 1 })
        .find_map(|(line, content)| {
            let column = content.find(|character| character != ' ')?;
            content[column..].starts_with('\t').then_some(Position {
                line: line + 1,
                column: column + 1,
            })
        })
}

/// The quote that opens within this range and is not closed in it.
fn open_quote(text: &str, (from, to): (usize, usize), kind: &ErrorKind) -> Option<usize> {
    if !matches!(
        kind,
        ErrorKind::UnclosedQuotedScalar
            | ErrorKind::DocumentIndicatorInQuotedScalar
            | ErrorKind::InvalidQuotedScalarIndent
            | ErrorKind::InvalidIndentation
    ) {
        return None;
    }
    let bytes = text.as_bytes();
    let (mut at, mut may_open) = (from, true);
    while at <= to && at < bytes.len() {
        match bytes[at] {
            b'"' | b'\'' if may_open => {
                let close = closing_quote(bytes, at);
                if close >= to {
                    return Some(at);
                }
                (at, may_open) = (close, false);
            }
            b'#' if may_open => at += text[at..].find('\n').unwrap_or(text.len() - at),
            byte => may_open = matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'[' | b'{' | b','),
        }
        at += 1;
    }
    None
}

/// Where the quote that opens here is closed: at the end of the text if nowhere.
fn closing_quote(bytes: &[u8], open: usize) -> usize {
    let quote = bytes[open];
    let mut at = open + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quote == b'"' => at += 1,
            byte if byte == quote && quote == b'\'' && bytes.get(at + 1) == Some(&quote) => at += 1,
            byte if byte == quote => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The character that means something else than text at the beginning of a value, and its index in the line.
fn indicator(line: &str, index: usize, kind: &ErrorKind) -> Option<(usize, char)> {
    let start = match kind {
        ErrorKind::UnexpectedCharacter { .. } => index,
        ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::ExpectedBlockSequenceEntry
        | ErrorKind::InvalidBlockScalarHeader
        | ErrorKind::BlockSequenceEntryNotAllowed
        | ErrorKind::MappingKeyNotAllowed => value_start(line)?,
        _ => return None,
    };
    let first = line.chars().nth(start)?;
    "@`%{[*&!|>-?".contains(first).then_some((start, first))
}

/// The index of the first character of a line's value: behind its key, or behind the `- ` of a list item.
fn value_start(line: &str) -> Option<usize> {
    let from = line
        .find(": ")
        .map(|colon| colon + 1)
        .or_else(|| line.find("- ").map(|dash| dash + 1))?;
    let value = from + line[from..].find(|character| character != ' ')?;
    Some(line[..value].chars().count())
}
