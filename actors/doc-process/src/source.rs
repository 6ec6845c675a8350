//! The file as a whole: byte order mark, fences, body (process.md §1 and §9.1).

use doc_kit::{Path, Position, Problem};

/// The two parts of a file.
pub(crate) struct Parts<'a> {
    /// The text between the fences; its first line is line 2 of the file.
    pub(crate) frontmatter: &'a str,
    /// Every character after the newline that ends the closing fence, exactly as written.
    pub(crate) body: &'a str,
}

/// The number of the frontmatter's first line in its file.
pub(crate) const FRONTMATTER_LINE: usize = 2;

/// The largest file that is read (process.md §9.1).
pub const FILE_BYTES_MAX: usize = 1024 * 1024;

/// Splits a file, or says why it is none.
pub(crate) fn split(bytes: &[u8]) -> Result<Parts<'_>, Problem> {
    let problem = |code, position, message: &str, fix: &str| {
        Err(Problem::error(code, &Path::root(), position, message).fix(fix))
    };
    if bytes.len() > FILE_BYTES_MAX {
        let message = format!("The file is larger than {FILE_BYTES_MAX} bytes (1 MiB).");
        return problem(
            "too-large",
            Position::START,
            &message,
            "Shorten it; longer material can be linked.",
        );
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let readable = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
            return problem(
                "not-utf8",
                Position::behind(readable.trim_start_matches('\u{feff}')),
                "The file is not UTF-8.",
                "Save it as UTF-8.",
            );
        }
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(inner) = text
        .split_once('\n')
        .filter(|(line, _)| is_fence(line))
        .map(|(_, rest)| rest)
    else {
        let message = if text.trim().is_empty() {
            "The file is empty."
        } else {
            "The first line must be `---`."
        };
        return problem("frontmatter-missing", Position::START, message, opening_fix(text));
    };
    let Some((frontmatter, body)) = at_fence(inner) else {
        if let Some(at) = near_fence(inner) {
            let behind = Position::behind(&inner[..at]);
            let position = Position {
                line: behind.line + FRONTMATTER_LINE - 1,
                ..behind
            };
            let message = "This line does not close the frontmatter.";
            let fix = "Write `---`: three hyphens at the beginning of the line, and nothing else.";
            return problem("frontmatter-unclosed", position, message, fix);
        }
        let fix = "Put a line `---` between the frontmatter and the body.";
        return problem(
            "frontmatter-unclosed",
            Position::START,
            "No second `---` closes the frontmatter.",
            fix,
        );
    };
    if let Some(at) = body.find('\0') {
        let before = &text[..text.len() - body.len() + at];
        return problem(
            "nul-character",
            Position::behind(before),
            "The character U+0000 cannot be stored.",
            "Delete it.",
        );
    }
    Ok(Parts { frontmatter, body })
}

/// What to do about a file that does not begin with a fence.
fn opening_fix(text: &str) -> &'static str {
    const LINES_ABOVE_MAX: usize = 10;
    let first = text.lines().next().unwrap_or_default().trim();
    if first.starts_with("```") {
        "Delete this line and the closing one: the file itself begins with `---`."
    } else if first.starts_with("---") {
        "Write three hyphens at the beginning of the line, and nothing else."
    } else if text.lines().take(LINES_ABOVE_MAX).any(is_fence) {
        "Delete what stands above the first `---`."
    } else {
        "Begin the file with `---`, the frontmatter in YAML, and `---` again."
    }
}

/// Where the first line begins that was probably meant to be a fence.
fn near_fence(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if is_nearly_fence(line.trim()) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

fn is_nearly_fence(line: &str) -> bool {
    line == "..."
        || line == "***"
        || line.starts_with("```")
        || line.len() >= 3 && line.chars().all(|c| matches!(c, '-' | '–' | '—'))
}

/// `---`, spaces or tabs, an optional carriage return.
fn is_fence(line: &str) -> bool {
    let line = line.strip_suffix('\r').unwrap_or(line);
    line.trim_end_matches([' ', '\t']) == "---"
}

/// What stands before the first fence line, and after it.
fn at_fence(text: &str) -> Option<(&str, &str)> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if is_fence(line.strip_suffix('\n').unwrap_or(line)) {
            return Some((&text[..start], &text[end..]));
        }
        start = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::split;

    fn parts(text: &str) -> Option<(&str, &str)> {
        split(text.as_bytes())
            .ok()
            .map(|parts| (parts.frontmatter, parts.body))
    }

    #[test]
    fn body_is_every_character_after_the_closing_fence() {
        for (text, frontmatter, body) in [
            ("---\na: 1\n---\n\n Body \r\n", "a: 1\n", "\n Body \r\n"),
            (
                "\u{feff}--- \t\r\na: 1\r\n---\t\r\nb\r\n---\r\nc",
                "a: 1\r\n",
                "b\r\n---\r\nc",
            ),
            ("---\na: 1\n---", "a: 1\n", ""),
            ("---\n---\n", "", ""),
            (
                "---\na: |\n  ---\n--- x\n---\n\u{feff}b",
                "a: |\n  ---\n--- x\n",
                "\u{feff}b",
            ),
        ] {
            assert_eq!(parts(text), Some((frontmatter, body)), "{text}");
        }
    }

    #[test]
    fn anything_else_before_the_first_fence_is_refused() {
        let code = |bytes: &[u8]| {
            split(bytes)
                .err()
                .map(|problem| (problem.code, problem.position.line, problem.position.column))
        };
        for (bytes, expected) in [
            (b"".as_slice(), ("frontmatter-missing", 1, 1)),
            (b"\n---\na: 1\n---\n", ("frontmatter-missing", 1, 1)),
            (b" ---\na: 1\n---\n", ("frontmatter-missing", 1, 1)),
            (b"----\na: 1\n----\n", ("frontmatter-missing", 1, 1)),
            (
                "\u{feff}\u{feff}---\n---\n".as_bytes(),
                ("frontmatter-missing", 1, 1),
            ),
            (b"---\na: 1\n", ("frontmatter-unclosed", 1, 1)),
            (b"---", ("frontmatter-missing", 1, 1)),
            (b"---\na: 1\n---\nx\0\n", ("nul-character", 4, 2)),
        ] {
            assert_eq!(code(bytes), Some(expected));
        }
    }

    #[test]
    fn byte_order_mark_before_the_first_fence_is_dropped() {
        let plain = "---\na: 1\n---\nb";
        assert_eq!(parts(&format!("\u{feff}{plain}")), parts(plain));
        assert_eq!(parts(plain), Some(("a: 1\n", "b")));
    }

    #[test]
    fn what_is_not_utf8_is_refused() {
        for (bytes, line, column) in [
            (b"---\na: \xff\n---\nb\n".as_slice(), 2, 4),
            (b"---\na: 1\n---\nb\n\xc3", 5, 1),
            (b"\xff\xfe-\0-\0-\0", 1, 1),
        ] {
            let problem = split(bytes).err().expect("it is no UTF-8");
            let place = problem.position;
            assert_eq!(
                (problem.code, place.line, place.column),
                ("not-utf8", line, column)
            );
        }
    }

    #[test]
    fn fence_may_have_blanks_and_a_carriage_return_behind_it_and_nothing_else() {
        for end in ["", " ", "\t", " \t ", "\r", " \t\r"] {
            let text = format!("---{end}\na: 1\n---{end}\nb");
            assert_eq!(parts(&text), Some(("a: 1\n", "b")), "{text:?}");
        }
        for end in ["-", "x", " x", "\r\r", "\r ", "\u{a0}"] {
            assert_eq!(parts(&format!("---{end}\na: 1\n---\nb")), None, "{end:?}");
            assert_eq!(parts(&format!("---\na: 1\n---{end}\nb")), None, "{end:?}");
        }
        assert_eq!(parts("---\na: 1\n ---\nb"), None, "a fence begins its line");
    }

    #[test]
    fn closing_fence_may_be_the_last_line_without_a_newline() {
        for fence in ["---", "--- ", "---\r"] {
            assert_eq!(
                parts(&format!("---\na: 1\n{fence}")),
                Some(("a: 1\n", "")),
                "{fence:?}"
            );
        }
    }

    #[test]
    fn file_has_at_most_a_mebibyte() {
        let head = "---\na: 1\n---\n";
        let largest = format!("{head}{}", "x".repeat(1_048_576 - head.len()));
        assert!(parts(&largest).is_some());
        let problem = split(format!("{largest}x").as_bytes()).err();
        assert_eq!(problem.map(|problem| problem.code), Some("too-large"));
    }
}
