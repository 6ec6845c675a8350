//! Positions that somebody can go to.

use doc_kit::Position;

/// The position is in the text, or directly behind one of its lines. Lines end as YAML says (1.2.2 §5.4).
#[track_caller]
pub(crate) fn assert_inside(text: &str, position: Position, of_what: &str) {
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    let line = lines.split('\n').nth(position.line.wrapping_sub(1));
    let characters = line.map(|line| line.chars().count());
    assert!(
        position.column >= 1 && characters.is_some_and(|characters| position.column <= characters + 1),
        "{of_what} is at {position:?}, where line has {characters:?} characters"
    );
}
