//! Lines that stand where they cannot belong to anything: what they look like, and where they would belong.

use granit_parser::ErrorKind;

use crate::problem::lines;

/// What is wrong with a line.
pub(super) struct Misplaced {
    /// The index of the character that is wrong, within the line.
    pub(super) at: usize,
    pub(super) message: &'static str,
    pub(super) fix: String,
}

/// What is wrong with the line of this index, if the error is about where it stands.
pub(super) fn misplaced(text: &str, index: usize, kind: &ErrorKind) -> Option<Misplaced> {
    let deeper = match kind {
        ErrorKind::MappingValueNotAllowed => true,
        ErrorKind::SimpleKeyExpected
        | ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::ExpectedBlockSequenceEntry => false,
        _ => return None,
    };
    let line = lines(text).nth(index)?.trim_end();
    let content = line.trim_start_matches(' ');
    let indent = line.len() - content.len();
    if let Some(spaced) = without_space(content) {
        return Some(Misplaced {
            at: indent + spaced.at,
            message: spaced.message,
            fix: format!("Write `{}`.", spaced.line),
        });
    }
    let above: Vec<&str> = lines(text)
        .take(index)
        .filter(|line| !line.trim().is_empty())
        .collect();
    if !deeper && !content.starts_with("- ") && !content.contains(": ") && !content.ends_with(':') {
        return Some(Misplaced {
            at: indent,
            message: "this line is neither a key nor part of the text above it",
            fix: "Indent this line further if it goes on from the line above; else write a key, or `- ` in a list."
                .to_owned(),
        });
    }
    let (column, beside) = if content.starts_with("- ") {
        (dash_column(&above, indent), "`- `")
    } else {
        (above.last().map(|line| key_column(line)), "key")
    };
    let indented = column.map_or_else(
        || format!("Indent it as the {beside} above it"),
        |column| format!("Begin it in column {}, as the {beside} above it", column + 1),
    );
    Some(Misplaced {
        at: indent,
        message: "this line is not indented as those above it",
        fix: if deeper {
            format!("{indented}; text that goes on from the line above must be quoted if it has `: ` in it.")
        } else {
            format!("{indented}.")
        },
    })
}

struct WithoutSpace {
    at: usize,
    message: &'static str,
    /// The line as it was meant.
    line: String,
}

/// `person:finance` and `-id: check`: a space is missing.
fn without_space(content: &str) -> Option<WithoutSpace> {
    const SHOWN_CHARS_MAX: usize = 60;
    let (at, message) =
        if content.starts_with('-') && content[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            (1, "a space is missing behind this `-`")
        } else {
            let item = content.strip_prefix("- ").unwrap_or(content);
            let key = item.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
            let rest = item[key..].strip_prefix(':')?;
            if key == 0 || rest.is_empty() || rest.starts_with([' ', '/']) {
                return None;
            }
            (content.len() - rest.len(), "a space is missing behind this `:`")
        };
    let shown: String = content.chars().take(SHOWN_CHARS_MAX).collect();
    let (before, after) = shown.split_at_checked(at)?;
    Some(WithoutSpace {
        at: at - 1,
        message,
        line: format!("{before} {after}"),
    })
}

/// Where the key of a line begins, behind the `- ` of a list.
fn key_column(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '-']).len()
}

/// Where the `- ` above begins that this line is nearest to.
fn dash_column(above: &[&str], indent: usize) -> Option<usize> {
    let columns = above.iter().rev().filter_map(|line| {
        let content = line.trim_start_matches(' ');
        content.starts_with("- ").then(|| line.len() - content.len())
    });
    columns.min_by_key(|column| column.abs_diff(indent))
}
