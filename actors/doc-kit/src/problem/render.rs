//! A problem for people: the source line, a caret, and how to mend it.

use std::fmt::Write as _;

use super::Problem;

/// The longest part of a source line that is shown, in characters.
const LINE_CHARS_MAX: usize = 160;

/// Shows a problem of the file `name` with its source line, a caret under the place, and how to mend it.
pub fn render(problem: &Problem, name: &str, source: &str) -> String {
    let Problem {
        severity,
        code,
        path,
        position,
        message,
        fix,
    } = problem;
    let line_number = position.line.to_string();
    let margin = " ".repeat(line_number.len());
    let mut text = format!("{}[{code}]: {message}\n", severity.as_str());
    let place = format!("{name}:{}:{}", position.line, position.column);
    let separator = if path.as_str().is_empty() { "" } else { "  " };
    push_line(&mut text, format_args!("{margin}--> {place}{separator}{path}"));
    if let Some(line) = super::lines(source).nth(position.line - 1) {
        let (shown, lead, width) = excerpt(line.trim_end_matches('\r'), position.column - 1);
        push_line(&mut text, format_args!("{margin} |"));
        push_line(&mut text, format_args!("{line_number} | {shown}"));
        push_line(&mut text, format_args!("{margin} | {lead}{}", "^".repeat(width)));
    }
    if !fix.is_empty() {
        push_line(&mut text, format_args!("{margin} = {fix}"));
    }
    text
}

fn push_line(text: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(line); // Writing to a string cannot fail.
    while text.ends_with(' ') {
        text.pop();
    }
    text.push('\n');
}

/// The shown part of the line, what to print before the caret (tabs kept so that it lines up), and the caret's width.
fn excerpt(line: &str, column: usize) -> (String, String, usize) {
    let characters: Vec<char> = line.trim_start_matches('\u{feff}').chars().collect();
    let column = column.min(characters.len());
    let from = if column < LINE_CHARS_MAX {
        0
    } else {
        column - LINE_CHARS_MAX / 2
    };
    let to = characters.len().min(from + LINE_CHARS_MAX);
    let mut shown: String = characters[from..to]
        .iter()
        .map(|character| printable(*character))
        .collect();
    let mut lead: String = characters[from..column]
        .iter()
        .map(|c| if *c == '\t' { '\t' } else { ' ' })
        .collect();
    if from > 0 {
        shown.insert(0, '…');
        lead.insert(0, ' ');
    }
    if to < characters.len() {
        shown.push('…');
    }
    let word = characters[column..to]
        .iter()
        .take_while(|character| is_word(**character))
        .count();
    (shown, lead, word.max(1))
}

/// Control characters of a source must not reach somebody's terminal.
fn printable(character: char) -> char {
    if character.is_control() && character != '\t' {
        '\u{fffd}'
    } else {
        character
    }
}

fn is_word(character: char) -> bool {
    !character.is_whitespace() && !matches!(character, ',' | ':' | '[' | ']' | '{' | '}' | '"' | '\'')
}

#[cfg(test)]
mod tests {
    use crate::{Path, Position, Problem};

    #[test]
    fn problem_shows_its_line_a_caret_and_the_fix() {
        let path = Path::root().key("steps").index(0).key("next");
        let problem = Problem::error(
            "unknown-step",
            &path,
            Position { line: 2, column: 8 },
            "No step is called `aprove`.",
        )
        .fix("Did you mean `approve`?");
        let expected = "\
error[unknown-step]: No step is called `aprove`.
 --> demo/PROCESS.md:2:8  steps[0].next
  |
2 | \tnext: aprove, x
  | \t      ^^^^^^
  = Did you mean `approve`?
";
        assert_eq!(
            super::render(&problem, "demo/PROCESS.md", "steps:\n\tnext: aprove, x\n"),
            expected
        );
    }

    #[test]
    fn control_characters_of_the_source_are_not_printed() {
        let problem = Problem::warning("x", &Path::root(), Position::START, "m");
        assert!(!super::render(&problem, "f", "\u{1b}[2J").contains('\u{1b}'));
    }

    #[test]
    fn place_beyond_the_source_is_survived() {
        let problem = Problem::error("x", &Path::root(), Position { line: 9, column: 99 }, "m");
        assert_eq!(
            super::render(&problem, "f", "one line"),
            "error[x]: m\n --> f:9:99\n"
        );
        let problem = Problem::error(
            "x",
            &Path::root(),
            Position {
                line: 1,
                column: 1000,
            },
            "m",
        );
        assert!(super::render(&problem, "f", &"y".repeat(500)).contains('^'));
    }
}
