//! Our JSON Schema of the frontmatter against the rules: what it refuses they refuse, and it accepts what they accept.

use doc_kit::reader;
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Map, Value};

const SCHEMA: &str = include_str!("../../../../schemas/documents/process/process.schema.json");

fn validator() -> Validator {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("the schema is a schema");
    jsonschema::draft202012::new(&schema).expect("the schema compiles")
}

/// A process with something of everything.
const EVERYTHING: &str = "\
name: demo
description: A demonstration.
inputs:
  boss: person
  start: {type: datetime, description: When., optional: true}
  kind: {type: string, one_of: [a, b]}
  tags: {type: list, items: {type: list, items: number}}
requires: {systems: [one, two]}
steps:
  - id: work
    agent: Do it.
    output: {who: person, amount: {type: number, one_of: [2.5, 3]}}
    evidence: [file, link]
    due: 2d
    next: [{to: review, when: It is done.}, no]
    check:
      - {ask: Is it right?, pass: 0.9, fail: 0.5}
      - {ask: Which?, one_of: {good: Good., bad: Bad.}, pass: [good], unsure: [bad], confidence: 0.5}
      - {ask: How good?, levels: [bad, good], pass: 1, confidence: 0.8}
    advisory: true
  - {id: review, task: Look., person: inputs.boss, next: fork, check: Well reviewed?}
  - {id: fork, parallel: [left, right], next: wait}
  - {id: left, agent: x, next: join}
  - {id: right, approve: x, person: steps.work.output.who, on_reject: right, next: join}
  - {id: wait, wait: 30m}
  - {id: until, wait_until: inputs.start}
  - {id: event, wait_for: signed, timeout: 3d, on_timeout: no}
  - {id: sign, approve: Sign., person: finance, on_reject: work, due: 4h, next: yes}
  - {id: no, finish: declined}
  - {id: yes, finish: agreed}
";

fn json(yaml: &str) -> Value {
    let reading = reader::read(yaml, 1, &reader::Limits::default());
    reading
        .root
        .and_then(|root| root.to_json())
        .expect("the case is YAML")
}

/// Whether the rules accept a frontmatter given as JSON, which is YAML too.
fn accepted(frontmatter: &Value) -> bool {
    crate::check(format!("---\n{frontmatter}\n---\n").as_bytes(), None).is_ok()
}

#[test]
fn schema_accepts_a_process_with_everything() {
    let frontmatter = json(EVERYTHING);
    assert!(accepted(&frontmatter));
    let validator = validator();
    let errors: Vec<_> = validator
        .iter_errors(&frontmatter)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
}

/// What a schema can say, both say: one change to the process above, refused by both.
#[test]
fn schema_and_rules_refuse_the_same_shapes() {
    let validator = validator();
    for (from, to) in [
        ("name: demo", "name: Demo"),
        ("name: demo", "title: demo"),
        ("A demonstration.", "' '"),
        ("boss: person", "boss: persona"),
        ("boss: person", "'': person"),
        ("optional: true", "optional: 'true'"),
        ("one_of: [a, b]", "one_of: []"),
        ("one_of: [a, b]", "one_of: [a, 5]"),
        ("one_of: [a, b]", "items: string"),
        ("one_of: [2.5, 3]", "one_of: ['2.5']"),
        (
            "{type: list, items: {type: list, items: number}}",
            "{type: list, one_of: [a]}",
        ),
        (
            "{type: list, items: {type: list, items: number}}",
            "{items: string}",
        ),
        ("[one, two]", "[]"),
        ("[one, two]", "[one, one]"),
        ("[one, two]", "[One]"),
        ("{systems: [one, two]}", "{}"),
        ("id: work", "id: Work"),
        ("agent: Do it.", "agent: 5"),
        ("agent: Do it.", "label: Do it."),
        ("agent: Do it.", "agent: Do it.\n    wait: 3d"),
        ("[file, link]", "[paper]"),
        ("due: 2d", "due: 2 days"),
        ("[{to: review, when: It is done.}, no]", "[review]"),
        ("when: It is done.", "when: ''"),
        ("when: It is done.", "if: done"),
        ("{to: review, when: It is done.}", "{when: It is done.}"),
        ("pass: 0.9, fail: 0.5", "pass: 1.9"),
        ("pass: 0.9, fail: 0.5", "confidence: 0.5"),
        ("{good: Good., bad: Bad.}", "{good: Good.}"),
        ("pass: [good], ", ""),
        ("pass: [good], ", "pass: 0.5, "),
        ("levels: [bad, good]", "levels: [bad]"),
        ("levels: [bad, good]", "levels: [bad, good], one_of: {a: b, c: d}"),
        ("pass: 1, ", "pass: 0.5, "),
        ("advisory: true", "advisory: 1"),
        ("check: Well reviewed?", "advisory: true"),
        ("check: Well reviewed?", "check: ''"),
        ("person: inputs.boss, ", ""),
        ("person: inputs.boss", "person: run.boss"),
        ("person: finance", "person: ' '"),
        ("[left, right]", "[left]"),
        ("next: wait", "next: wait, due: 3d"),
        ("{id: wait, wait: 30m}", "{id: wait, wait: 30}"),
        ("wait_until: inputs.start", "wait_until: start"),
        ("wait_for: signed", "wait_for: Signed"),
        ("finish: declined", "finish: declined, next: yes"),
        ("finish: declined", "finish: ''"),
        ("on_reject: work, due", "on_reject: [work], due"),
    ] {
        assert!(EVERYTHING.contains(from), "{from}");
        let frontmatter = json(&EVERYTHING.replacen(from, to, 1));
        assert!(!accepted(&frontmatter), "the rules accept {to} for {from}");
        assert!(
            !validator.is_valid(&frontmatter),
            "the schema accepts {to} for {from}"
        );
    }
}

proptest! {
    /// The schema never refuses what the rules accept.
    #[test]
    fn schema_accepts_what_the_rules_accept(changes in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..9), 1..3)) {
        let mut frontmatter = json(EVERYTHING);
        for (place, replacement) in changes {
            let count = count(&frontmatter);
            replace(&mut frontmatter, place.index(count), replacement);
        }
        if accepted(&frontmatter) {
            prop_assert!(validator().is_valid(&frontmatter), "{}", frontmatter);
        }
    }
}

/// How many values there are below this one.
fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(|item| 1 + count(item)).sum(),
        Value::Object(object) => object.values().map(|value| 1 + count(value)).sum(),
        _ => 0,
    }
}

/// Replaces the n-th value below this one.
fn replace(value: &mut Value, mut n: usize, replacement: usize) {
    let below: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(object) => object.values_mut().collect(),
        _ => return,
    };
    for child in below {
        let size = 1 + count(child);
        if n == 0 {
            *child = another(replacement);
            return;
        }
        if n < size {
            return replace(child, n - 1, replacement);
        }
        n -= size;
    }
}

fn another(choice: usize) -> Value {
    match choice {
        0 => Value::Null,
        1 => Value::from(1),
        2 => Value::from(true),
        3 => Value::from(""),
        4 => Value::from("a"),
        5 => Value::from(Vec::<Value>::new()),
        6 => Value::Object(Map::new()),
        7 => Value::from(vec!["no", "yes"]),
        _ => Value::from("3d"),
    }
}
