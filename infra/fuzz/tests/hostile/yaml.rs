//! The reader of YAML.

use doc_kit::reader::{Limits, Reading, read};

use crate::{LARGEST, each, filled, within};

/// What one byte of a document may cost.
const HELD: u64 = 150;
const IN_ALL: u64 = 400;

#[track_caller]
fn read_within(text: &str) -> Reading {
    within(text.len(), HELD, IN_ALL, || read(text, 1, &Limits::default()))
}

/// The codes of the problems, each once.
#[track_caller]
fn codes(text: &str) -> Vec<&'static str> {
    let mut codes: Vec<_> = read_within(text)
        .problems
        .iter()
        .map(|problem| problem.code)
        .collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// What a file may be filled with.
const THINGS: &[&str] = &[
    "-",
    "- ",
    "-\n",
    "- a\n",
    "[",
    "]",
    "{",
    "}",
    "[]",
    "[],",
    "[a,",
    "{a,",
    "{a: ",
    "&a",
    "&a ",
    "&a x\n",
    "*a",
    "*a ",
    "- *a\n",
    "!",
    "!a ",
    "!!str ",
    "%",
    "%a\n",
    "\t",
    " ",
    "\n",
    "\r",
    "?",
    "? ",
    "?\n",
    ":",
    ": ",
    ":\n",
    "|",
    "|\n",
    ">\n ",
    "\"",
    "\"\" ",
    "'",
    "''",
    "#",
    "# \n",
    "a",
    "a ",
    "a\n",
    "a: ",
    "a: b\n",
    "a:\n",
    ",",
    "@",
    "`",
    "\\",
    "<<: ",
    "<<: {}\n",
    "---\n",
    "...\n",
    "\u{feff}",
    "\u{85}",
    "𝄞",
    "\"\\u0000\"\n",
    "1",
    "1.",
    "1e9",
    "0x",
    ".inf\n",
];

#[test]
fn a_file_of_one_thing_costs_little() {
    for text in THINGS {
        read_within(&filled(text, LARGEST / 4));
        for opening in ["[", "{", "- ", "a: ", "\"", "'", "a: |\n ", "a: \"", "? "] {
            read_within(&format!("{opening}{}", filled(text, LARGEST / 64)));
        }
    }
}

#[test]
fn one_key_or_scalar_or_line_may_be_as_long_as_the_document() {
    let long = "k".repeat(LARGEST - 100);
    assert_eq!(codes(&format!("a: {long}")), [""; 0]);
    assert_eq!(codes(&format!("a: \"{long}\"")), [""; 0]);
    assert_eq!(codes(&format!("? {long}\n: 1")), [""; 0]);
    assert_eq!(codes(&format!("{long}: 1")), ["yaml-syntax"]);
    assert_eq!(codes(&format!("a: 1 # {long}")), [""; 0]);
    assert_eq!(
        codes(&format!("a: {}", "9".repeat(LARGEST - 100))),
        ["number-too-long"]
    );
    assert_eq!(codes(&"k".repeat(LARGEST + 1)), ["too-large"]);
}

#[test]
fn numbers_are_never_written_out() {
    for number in ["1e999999999", "1e-999999999", "1e1001", "-1e99999999999999999999"] {
        assert_eq!(codes(&format!("a: {number}")), ["number-too-long"], "{number}");
    }
    let number = format!("a: 0x{}", "f".repeat(LARGEST - 100));
    assert_eq!(codes(&number), ["number-too-long"]);
}

#[test]
fn collections_are_64_deep_and_no_deeper() {
    let flow = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let block = |depth: usize| format!("{}a", "- ".repeat(depth));
    let maps = |depth: usize| -> String { each(depth, |level| format!("{}a:\n", " ".repeat(level))) };
    for (text, name) in [
        (&flow as &dyn Fn(usize) -> String, "flow"),
        (&block, "block"),
        (&maps, "maps"),
    ] {
        assert_eq!(codes(&text(64)), [""; 0], "{name}");
        for depth in [65, 1000] {
            assert_eq!(codes(&text(depth)), ["too-deep"], "{name} {depth}");
        }
    }
    for text in [
        flow(10_000),
        block(10_000),
        "{a: ".repeat(10_000),
        "? ".repeat(10_000),
        "[{a: ".repeat(10_000),
    ] {
        assert_eq!(codes(&text), ["too-deep"]);
    }
}

#[test]
fn aliases_repeat_no_more_than_their_budget() {
    let laughs = each(12, |level| match level {
        0 => "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned(),
        _ => format!(
            "a{level}: &a{level} [{}]\n",
            format!("*a{}, ", level - 1).repeat(9)
        ),
    });
    let text = format!("a: &a {}\nb: [{}]\n", "x".repeat(200_000), "*a, ".repeat(20_000));
    let values = format!("a: &a [{}]\nb: [{}]\n", "x, ".repeat(9000), "*a, ".repeat(9000));
    for bomb in [laughs, text, values] {
        let problems = within(LARGEST, HELD, IN_ALL, || {
            read(&bomb, 1, &Limits::default()).problems
        });
        assert_eq!(problems.last().map(|problem| problem.code), Some("alias-budget"));
    }
    // Anchors keep what they stand at: one around the other, each keeps all inside.
    let nested = each(60, |level| format!("&a{level} ["));
    read_within(&format!("{nested}{}{}", "x, ".repeat(100_000), "]".repeat(60)));
}

#[test]
fn problems_are_counted_and_bounded() {
    for text in [
        "a: 1\n",
        "<<: {}\n",
        "? [a]\n: 1\n",
        "? *b\n: 1\n",
        "? !x a\n: 1\n",
    ] {
        let reading = read_within(&filled(text, LARGEST));
        assert!(reading.problems.len() <= doc_kit::problem::PROBLEMS_MAX, "{text}");
    }
}
