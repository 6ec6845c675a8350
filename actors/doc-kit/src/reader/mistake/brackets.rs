//! Brackets that are not closed, and those that close nothing.

use granit_parser::ErrorKind;

/// A bracket that opens here and is not closed by its like.
pub(super) struct Unclosed {
    /// The byte where it opens.
    pub(super) at: usize,
    /// `[` or `{`.
    pub(super) open: char,
    /// The bracket of the other kind that stands in its place.
    pub(super) closed_by: Option<char>,
}

impl Unclosed {
    /// What is wrong.
    pub(super) fn message(&self) -> String {
        match self.closed_by {
            Some(close) => format!("this `{}` is closed by `{close}`", self.open),
            None => format!("this `{}` is not closed", self.open),
        }
    }

    /// How to mend it.
    pub(super) fn fix(&self) -> String {
        let close = partner(self.open);
        match self.closed_by {
            Some(wrong) => format!("Write `{close}` in place of `{wrong}`, or before it."),
            None => format!("Put `{close}` behind its last item, or quote it if it is meant as text."),
        }
    }
}

/// The bracket behind an error. The first one that is open opens within this range.
pub(super) fn unclosed(text: &str, (from, to): (usize, usize), kind: &ErrorKind) -> Option<Unclosed> {
    let (at, open, closed_by) = match *kind {
        ErrorKind::UnclosedFlowCollection { open } => (to, open, None),
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => (to, open, Some(close)),
        ErrorKind::InvalidIndentation
        | ErrorKind::BlockEntryInFlowCollection
        | ErrorKind::UnexpectedEof
        | ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping => {
            let (at, open) = innermost(text, from, to)?;
            (at, open, None)
        }
        _ => return None,
    };
    Some(Unclosed { at, open, closed_by })
}

/// The innermost bracket that is still open before the byte `to`.
fn innermost(text: &str, from: usize, to: usize) -> Option<(usize, char)> {
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut quote = None;
    // Between brackets every bracket counts; outside of them only one that begins a value does.
    let mut begins_value = true;
    for (offset, character) in text.get(from..to.min(text.len()))?.char_indices() {
        match (quote, character) {
            (Some(mark), _) => quote = (character != mark).then_some(mark),
            (None, '"' | '\'') if begins_value => quote = Some(character),
            (None, '[' | '{') if begins_value || !open.is_empty() => open.push((from + offset, character)),
            (None, ']' | '}') if open.last().is_some_and(|(_, last)| partner(*last) == character) => {
                open.pop();
            }
            _ => {}
        }
        if !character.is_whitespace() {
            begins_value = matches!(character, ':' | '-' | '[' | '{' | ',');
        }
    }
    open.pop()
}

fn partner(open: char) -> char {
    if open == '[' { ']' } else { '}' }
}
