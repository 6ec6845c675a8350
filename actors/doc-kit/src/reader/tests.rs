use std::fmt::Write as _;

use super::{Limits, read};

/// The JSON of a text that has no problem.
fn json(text: &str) -> String {
    let reading = read(text, 1, &Limits::default());
    assert_eq!(reading.problems, [], "{text}");
    reading
        .root
        .and_then(|root| root.to_json())
        .map(|value| value.to_string())
        .unwrap_or_default()
}

/// The problems of a text, as `code line:column path`, one a line.
fn problems(text: &str) -> String {
    let mut lines = String::new();
    for problem in read(text, 1, &Limits::default()).problems {
        let place = problem.position;
        assert!(!problem.fix.is_empty(), "{problem:?} does not say how to mend it");
        let line = format!(
            "{} {}:{} {}",
            problem.code, place.line, place.column, problem.path
        );
        let _ = writeln!(lines, "{}", line.trim_end());
    }
    lines
}

fn check(text: &str, expected: &str) {
    assert_eq!(problems(text).trim_end(), expected, "{text}");
}

#[test]
fn values_are_those_of_the_core_schema() {
    for (text, expected) in [
        (
            "a: yes\nb: 0o17\nc: 2026-01-31\nd: ~\ne:\n",
            r#"{"a":"yes","b":15,"c":"2026-01-31","d":null,"e":null}"#,
        ),
        (
            "[1, 1.50, '1', \"1\", !!str 1, !!int 0x1F, !!float 1, !!null '', !!bool true]",
            r#"[1,1.50,"1","1","1",31,1,null,true]"#,
        ),
        ("a: |\n  x\n  y\nb: >-\n  x\n  y\n", r#"{"a":"x\ny\n","b":"x y"}"#),
        ("!!map {a: !!seq [b]}", r#"{"a":["b"]}"#),
        ("a:\r\n- b\r\n", r#"{"a":["b"]}"#),
        ("\"\\ud83d\\ude00\"", "\"😀\""),
        ("a: 12345678901234567890.10", r#"{"a":12345678901234567890.10}"#),
        ("a:\t1", r#"{"a":1}"#),
        (
            "\"1\": x\n!!str 2: y\n\"<<\": z\n",
            r#"{"1":"x","2":"y","<<":"z"}"#,
        ),
        (
            "a: &x [1, {b: 2}]\nb: *x\n&k c: *k\n",
            r#"{"a":[1,{"b":2}],"b":[1,{"b":2}],"c":"c"}"#,
        ),
        ("a: &x 1\nb: &x 2\nc: *x", r#"{"a":1,"b":2,"c":2}"#),
        ("", ""),
        ("# nothing\n", ""),
    ] {
        assert_eq!(json(text), expected, "{text}");
    }
}

#[test]
fn place_of_every_key_and_value_counts_from_one_in_characters() {
    let reading = read("größe: x\nb:\n  - ü: y\n", 2, &Limits::default());
    let root = reading.root.expect("readable");
    let map = root.as_map().expect("a map");
    let place = |position: crate::Position| (position.line, position.column);
    assert_eq!(place(map.entries[0].key_position), (2, 1));
    assert_eq!(place(map.entries[0].value.position), (2, 8));
    let inner = &map.entries[1].value.as_list().expect("a list")[0]
        .as_map()
        .expect("a map")
        .entries[0];
    assert_eq!(
        (place(inner.key_position), place(inner.value.position)),
        ((4, 5), (4, 8))
    );
}

#[test]
fn all_problems_come_at_once() {
    check(
        "a: 1\na: 2\n1: x\n<<: {b: 1}\nc: !foo x\nd: .inf\ne: *nowhere\nf: [1, {g: 1e1001}]\n",
        "duplicate-key 2:1 a\nkey-not-text 3:1\nmerge-key 4:1\nunknown-tag 5:4 c\nnumber-not-finite 6:4 d\n\
         unknown-alias 7:4 e\nnumber-too-long 8:12 f[1].g",
    );
}

#[test]
fn duplicate_key_names_both_places() {
    let reading = read("a: 1\nb: 2\n\"a\": 3\n", 1, &Limits::default());
    assert_eq!(
        reading.problems[0].message,
        "The key `a` is here a second time; the first is at line 1, column 1."
    );
    assert_eq!(reading.problems[0].position.line, 3);
    // The first one stays in the tree.
    assert_eq!(
        reading
            .root
            .and_then(|root| root.to_json())
            .map(|value| value.to_string())
            .as_deref(),
        Some(r#"{"a":1,"b":2}"#)
    );
}

#[test]
fn keys_must_be_text() {
    for text in [
        "1: x",
        "true: x",
        "~: x",
        "? [a]\n: x",
        "? {a: b}\n: x",
        ": x",
        "1.5: x",
    ] {
        assert!(
            problems(text).starts_with("key-not-text 1:"),
            "{text}: {}",
            problems(text)
        );
    }
}

#[test]
fn tags_must_be_of_the_core_schema_and_fit() {
    for tag in [
        "!foo x",
        "! x",
        "!!binary aGk=",
        "!!timestamp 2026-01-31",
        "!!set {a}",
        "!<tag:example.com,2000:x> y",
        "!!omap []",
    ] {
        assert!(
            problems(tag).starts_with("unknown-tag 1:1"),
            "{tag}: {}",
            problems(tag)
        );
    }
    for misfit in [
        "!!int x",
        "!!int 1.0",
        "!!float 0x1F",
        "!!bool yes",
        "!!null x",
        "!!map [a]",
        "!!seq {a: b}",
        "!!str [a]",
        "!!map x",
    ] {
        assert!(
            problems(misfit).starts_with("tag-misfit 1:1"),
            "{misfit}: {}",
            problems(misfit)
        );
    }
    check("a: !!merge <<\n", "unknown-tag 1:4 a");
}

#[test]
fn tags_of_the_core_schema_are_taken() {
    let text = "!!map {a: !!seq [!!str 1, !!int '1', !!float 1.5, !!bool 'true', !!null '']}";
    assert_eq!(json(text), r#"{"a":["1",1,1.5,true,null]}"#);
}

#[test]
fn dates_are_text() {
    let text = "[2026-01-31, 2026-01-31T09:00:00Z, 2026-01-31 09:00:00, 12:30]";
    assert_eq!(
        json(text),
        r#"["2026-01-31","2026-01-31T09:00:00Z","2026-01-31 09:00:00","12:30"]"#
    );
}

#[test]
fn merge_keys_are_refused() {
    check("a: &x {b: 1}\nc: {<<: *x, d: 2}\n", "merge-key 2:5 c");
    check("<<: {b: 1}\n", "merge-key 1:1");
    check("<<: [{b: 1}, {c: 2}]\n", "merge-key 1:1");
}

#[test]
fn only_one_document_without_directives() {
    check("a: 1\n--- \nb: 2\n", "second-document 2:1");
    check("a: 1\n...\nb: 2\n", "second-document 3:1");
    check("%YAML 1.2\n---\na: 1\n", "directive 1:1");
}

#[test]
fn unprintable_characters_are_refused() {
    check("a: \0b\n", "unprintable-character 1:4");
    check("a: x\nb: \u{7}\n", "unprintable-character 2:4");
    check(
        "a: \u{fffe}\u{80}\n",
        "unprintable-character 1:4\nunprintable-character 1:5",
    );
    check("a: \"\\0\"\n", "nul-character 1:4 a");
    assert_eq!(json("a: \u{85}b ü 😀"), "{\"a\":\"\u{85}b ü 😀\"}");
}

#[test]
fn broken_yaml_is_one_problem_after_those_before_it() {
    check("a: 1\na: 2\nb: [1, 2\n", "duplicate-key 2:1 a\nyaml-syntax 3:4");
    check("a:\n\t- b\n", "yaml-syntax 2:1");
    check("a: b: c\n", "yaml-syntax 1:5");
    check("a: 'x\n", "yaml-syntax 1:4");
    check("a: \"\\ud800\"\n", "yaml-syntax 1:4");
    assert!(read("a: [", 1, &Limits::default()).root.is_none());
}

/// The problems of a text as `line:column sentence`, one a line.
#[track_caller]
fn check_advice(text: &str, expected: &str) {
    let problems = read(text, 1, &Limits::default()).problems;
    let lines: Vec<_> = problems
        .iter()
        .map(|problem| {
            let place = problem.position;
            format!("{}:{} {}", place.line, place.column, problem.sentence())
        })
        .collect();
    assert_eq!(lines.join("\n"), expected, "{text}");
}

#[test]
fn text_that_needs_quotes_is_told_so() {
    let block = "Quote it, or write it as a block: `agent: |` and the text indented below.";
    for (value, column, wrong) in [
        ("Do it: now.", 13, "hold `: `"),
        ("@alpha do", 8, "begin with `@`"),
        ("%do", 8, "begin with `%`"),
        ("`x` do", 8, "begin with a backtick"),
        ("{{name}} do it", 8, "begin with `{`"),
        ("{name} do it", 8, "begin with `{`"),
        ("[x] do it", 8, "begin with `[`"),
        ("*important* do it", 8, "begin with `*`"),
        ("- do it", 8, "begin with `-`"),
        ("? do it", 8, "begin with `?`"),
        ("> do it", 8, "begin with `>`"),
        ("| do it", 8, "begin with `|`"),
    ] {
        let said = format!("{column} This is not YAML: text without quotes cannot {wrong}. {block}");
        check_advice(&format!("agent: {value}\n"), &format!("1:{said}"));
        check_advice(&format!("b: é\nagent: {value}\nc: d\n"), &format!("2:{said}"));
    }
    check_advice(
        "- @x\n",
        "1:3 This is not YAML: text without quotes cannot begin with `@`. Quote it, or write it as a block: `|` and the \
         text indented below.",
    );
    for (text, fix) in [
        ("a: *x\n", "Quote it if it is text"),
        ("a: !x y\n", "must be quoted"),
        ("a: {{x}}\n", "must be quoted"),
        ("a: \"x \"y\" z\"\n", "`\\\"`"),
        ("a: 'it's'\n", "`''`"),
        ("a: \"\\d\"\n", "`\\\\`"),
        ("a: b\n  c: d\n", "Begin it in column 1, as the key above it"),
        ("- a: b\n   c: d\n", "Begin it in column 3, as the key above it"),
        ("- a: b\n - c: d\n", "Begin it in column 1, as the `- ` above it"),
        ("- a: b\n  c:d\n", "Write `c: d`."),
        ("- a: b\n-c: d\n", "Write `- c: d`."),
        ("- a: b\n c\n", "Indent this line"),
        ("a: b\nc\nd: e\n", "Indent this line"),
    ] {
        let problems = read(text, 1, &Limits::default()).problems;
        assert!(problems[0].fix.contains(fix), "{text} {problems:?}");
    }
}

#[test]
fn bracket_is_told_how_to_close() {
    let said = |place: &str, wrong: &str| format!("{place} This is not YAML: {wrong}");
    for (text, place) in [
        ("a: [b\nc: d\n", "1:4"),
        ("- a: b\n  c: [d\n\n- a: e\n", "2:6"),
        ("a: [{b: c}, ']'\nd: e\n", "1:4"),
        ("a: {b: [c]}\nd: [e, f", "2:4"),
    ] {
        let fix = "Put `]` behind its last item, or quote it if it is meant as text.";
        check_advice(text, &said(place, &format!("this `[` is not closed. {fix}")));
    }
    check_advice(
        "a: {b: c]\n",
        &said(
            "1:4",
            "this `{` is closed by `]`. Write `}` in place of `]`, or before it.",
        ),
    );
    check_advice(
        "a: {b: c}}\n",
        &said(
            "1:10",
            "this bracket closes nothing. Delete it, or quote the text that it belongs to.",
        ),
    );
}

#[test]
fn spaces_that_are_none_are_named() {
    check_advice(
        "- a: b\n\u{a0} c: d\n  e: f\n",
        "2:1 This is not YAML: the character U+00A0 indents this line. Use plain spaces.",
    );
}

#[test]
fn mistake_is_reported_where_it_begins() {
    let tab = "This is not YAML: a tab indents this line. Use spaces.";
    for (text, place) in [
        ("- id: a\n\tagent: x\n", "2:1"),
        ("- id: a\n\n  \tagent: x\n", "3:3"),
        ("a:\n\t- b\n", "2:1"),
        ("a:\n\tb: c\n", "2:1"),
        ("a: |\n\tb\n", "2:1"),
        ("a: \"b\n\tc\"\n", "2:1"),
    ] {
        check_advice(text, &format!("{place} {tab}"));
    }
    let quote = |quote: &str| {
        format!("This is not YAML: this quote is not closed. Put another {quote} behind the text.")
    };
    for (text, place) in [
        ("- \"é\": \"x\n- b\n", "1:8"),
        ("a: \"x\n", "1:4"),
        ("# \"\na: # don't \"\n  \"x\\\"\nb: \"c\"\n", "3:3"),
        ("a: [{b: \"x}]\nb: c\n", "1:9"),
        ("a: [don't, \"x]\n", "1:12"),
        ("a: \"x\n---\n", "1:4"),
    ] {
        check_advice(text, &format!("{place} {}", quote("\"")));
    }
    check_advice("a: 'it''s\nb: c\n", &format!("1:4 {}", quote("'")));
}

#[test]
fn nesting_is_bounded() {
    let flow = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(problems(&flow(64)).is_empty());
    assert!(problems(&flow(65)).starts_with("too-deep 1:65"));
    assert!(problems(&flow(20_000)).starts_with("too-deep 1:"));
    assert!(problems(&"- ".repeat(5_000)).starts_with("too-deep"));
    assert!(problems(&format!("a:\n  b:\n    {}", flow(63))).starts_with("too-deep"));
}

#[test]
fn aliases_are_bounded_in_nodes_bytes_and_depth() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let previous = level - 1;
        let _ = writeln!(
            bomb,
            "a{level}: &a{level} [{}]",
            vec![format!("*a{previous}"); 9].join(", ")
        );
    }
    assert!(problems(&bomb).starts_with("alias-budget"));
    let heavy = format!("a: &a {}\nb: [{}]\n", "x".repeat(200_000), "*a, ".repeat(20_000));
    assert!(problems(&heavy).starts_with("alias-budget"));
    let mut deep = "a0: &a0 [x]\n".to_owned();
    for level in 1..70 {
        let _ = writeln!(deep, "a{level}: &a{level} [*a{}]", level - 1);
    }
    assert!(problems(&deep).starts_with("too-deep"), "{}", problems(&deep));
    // 10,000 repeated nodes are allowed: 100 aliases of a list with 99 items.
    let full = format!("a: &a [{}]\nb: [{}]\n", "x, ".repeat(99), "*a, ".repeat(100));
    assert!(problems(&full).is_empty());
    assert!(problems(&full.replace("b: [", "b: [*a, ")).starts_with("alias-budget"));
    check("a: &a [*a]\n", "alias-to-itself 1:8 a[0]");
}

#[test]
fn size_is_bounded() {
    let limits = Limits {
        bytes_max: 8,
        ..Limits::default()
    };
    assert_eq!(read("a: 12345", 1, &limits).problems, []);
    assert_eq!(read("a: 123456", 1, &limits).problems[0].code, "too-large");
}
