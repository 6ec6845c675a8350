use serde_json::{Map, Value};

use super::{check, document, file_with};
use crate::fields::check_values;

const DONE: &str = "- {id: done, finish: completed}";

fn check_inputs(inputs: &str, expected: &str) {
    check(&file_with(&format!("inputs: {inputs}"), DONE), expected);
}

/// The issues of some values against these declarations, joined by `; `.
#[track_caller]
fn issues(declared: &str, values: &str, expected: &str) {
    let document = document(&file_with(&format!("inputs: {declared}"), DONE));
    let values: Map<String, Value> = serde_json::from_str(values).expect("the cases are JSON objects");
    assert_eq!(
        check_values(&document.process.inputs, "output", &values)
            .into_vec()
            .join("; "),
        expected,
        "{declared} {values:?}"
    );
}

#[test]
fn field_is_a_type_or_a_map_with_one() {
    check_inputs(
        "{a: string, b: {type: list, items: {type: list, items: number}, description: x, optional: true}}",
        "",
    );
    check_inputs("{a: text}", "unknown-type 4:13 inputs.a");
    check_inputs("{a: {}}", "missing-key 4:13 inputs.a.type");
    check_inputs("{a: [string]}", "wrong-type 4:13 inputs.a");
    check_inputs(
        "{a: {type: string, optional: 'yes'}}",
        "wrong-type 4:38 inputs.a.optional",
    );
    check_inputs("{'': string}", "field-name 4:10 inputs[\"\"]");
    check_inputs("[a]", "wrong-type 4:9 inputs");
}

#[test]
fn items_belong_to_lists() {
    check_inputs(
        "{a: {type: string, items: string}}",
        "items-without-list 4:35 inputs.a.items",
    );
    check_inputs(
        "{a: {type: list, items: {type: strng}}}",
        "unknown-type 4:40 inputs.a.items.type",
    );
}

#[test]
fn optional_inside_items_is_a_warning() {
    check_inputs(
        "{a: {type: list, items: {type: string, optional: true}}}",
        "warning: optional-items 4:58 inputs.a.items.optional",
    );
}

#[test]
fn every_type_is_known_and_no_other() {
    for name in [
        "string", "number", "boolean", "date", "datetime", "list", "object", "person",
    ] {
        check_inputs(&format!("{{a: {name}, b: {{type: {name}}}}}"), "");
    }
    for name in ["integer", "text", "file", "String", "any", "array"] {
        check_inputs(&format!("{{a: {name}}}"), "unknown-type 4:13 inputs.a");
    }
}

#[test]
fn one_of_holds_scalars_of_the_type() {
    check_inputs(
        "{a: {type: string, one_of: [x, '1']}, b: {type: person, one_of: [a@example.com]}}",
        "",
    );
    check_inputs(
        "{a: {type: string, one_of: []}}",
        "empty-list 4:36 inputs.a.one_of",
    );
    check_inputs(
        "{a: {type: string, one_of: [x, 1]}}",
        "one-of-type 4:40 inputs.a.one_of[1]",
    );
    check_inputs(
        "{a: {type: date, one_of: [2026-02-30]}}",
        "one-of-type 4:35 inputs.a.one_of[0]",
    );
    check_inputs(
        "{a: {type: person, one_of: [mira]}}",
        "one-of-type 4:37 inputs.a.one_of[0]",
    );
    check_inputs(
        "{a: {type: list, one_of: [x]}}",
        "one-of-not-scalar 4:34 inputs.a.one_of",
    );
    check_inputs(
        "{a: {type: object, one_of: [x]}}",
        "one-of-not-scalar 4:36 inputs.a.one_of",
    );
    check_inputs(
        "{a: {type: string, one_of: [~]}}",
        "one-of-type 4:37 inputs.a.one_of[0]",
    );
}

#[test]
fn every_issue_comes_at_once() {
    issues(
        "{cleared: boolean, tags: {type: list, items: string}, note: {type: string, optional: true}, name: string}",
        r#"{"cleared":"yes","tags":["a","b",3,null],"extra":1,"other":2}"#,
        "output.cleared: expected boolean; output.tags[2]: expected string; output.tags[3]: expected string; \
         output.name: missing; output.extra: not declared; output.other: not declared",
    );
    issues(
        "{cleared: boolean, note: {type: string, optional: true}}",
        r#"{"cleared":true}"#,
        "",
    );
}

#[test]
fn field_is_required_unless_it_is_optional() {
    let declared = "{a: string, b: {type: string, optional: true}, c: {type: string, optional: false}}";
    issues(declared, r#"{"a":"","b":"","c":""}"#, "");
    issues(declared, r#"{"a":"","c":""}"#, "");
    issues(declared, "{}", "output.a: missing; output.c: missing");
}

#[test]
fn field_that_is_not_declared_is_refused() {
    issues("{a: string}", r#"{"a":"","b":1}"#, "output.b: not declared");
    issues("{a: string}", r#"{"a":"","A":""}"#, "output.A: not declared");
    issues("{}", r#"{"x":null}"#, "output.x: not declared");
}

#[test]
fn value_is_one_of_those_that_are_named() {
    for (declared, good, bad, shown) in [
        ("{type: string, one_of: [x, y]}", r#""y""#, r#""z""#, "x, y"),
        ("{type: number, one_of: [1, 2.5]}", "2.5", "2", "1, 2.5"),
        ("{type: boolean, one_of: [true]}", "true", "false", "true"),
        (
            "{type: date, one_of: [2026-01-31]}",
            r#""2026-01-31""#,
            r#""2026-02-01""#,
            "2026-01-31",
        ),
    ] {
        issues(&format!("{{a: {declared}}}"), &format!("{{\"a\":{good}}}"), "");
        issues(
            &format!("{{a: {declared}}}"),
            &format!("{{\"a\":{bad}}}"),
            &format!("output.a: expected one of {shown}"),
        );
    }
}

#[test]
fn null_is_never_a_value_but_free_inside_untyped_content() {
    issues(
        "{a: {type: string, optional: true}}",
        r#"{"a":null}"#,
        "output.a: expected string",
    );
    issues("{a: object, b: list}", r#"{"a":{"x":null},"b":[null]}"#, "");
    issues(
        "{a: object, b: list}",
        r#"{"a":null,"b":null}"#,
        "output.a: expected object; output.b: expected list",
    );
}

#[test]
fn values_have_the_declared_type() {
    for (declared, good, bad) in [
        ("string", "\"\"", "1"),
        ("number", "12345678901234567890.10", "\"1\""),
        ("boolean", "false", "\"false\""),
        ("date", "\"2024-02-29\"", "\"2026-02-29\""),
        ("datetime", "\"2026-01-31t09:00:00z\"", "\"2026-01-31 09:00:00Z\""),
        ("list", "[]", "{}"),
        ("object", "{}", "[]"),
        ("person", "\"mira@example.com\"", "\"mira\""),
    ] {
        issues(&format!("{{a: {declared}}}"), &format!("{{\"a\":{good}}}"), "");
        issues(
            &format!("{{a: {declared}}}"),
            &format!("{{\"a\":{bad}}}"),
            &format!("output.a: expected {declared}"),
        );
    }
}

#[test]
fn one_of_compares_numbers_by_value_and_persons_without_case() {
    let numbers = "{a: {type: number, one_of: [2.5, 100]}}";
    issues(numbers, r#"{"a":2.50}"#, "");
    issues(numbers, r#"{"a":1e2}"#, "");
    issues(
        numbers,
        r#"{"a":2.5000000000000000001}"#,
        "output.a: expected one of 2.5, 100",
    );
    issues(
        "{a: {type: person, one_of: [Mira@Example.com]}}",
        r#"{"a":"mira@example.COM"}"#,
        "",
    );
    issues(
        "{a: {type: string, one_of: [x, y]}}",
        r#"{"a":"X"}"#,
        "output.a: expected one of x, y",
    );
    issues(
        "{a: {type: list, items: {type: string, one_of: [x, y]}}}",
        r#"{"a":["x","z"]}"#,
        "output.a[1]: expected one of x, y",
    );
}

#[test]
fn items_nest() {
    issues(
        "{a: {type: list, items: {type: list, items: number}}}",
        r#"{"a":[[1],[2,"3"],4]}"#,
        "output.a[1][1]: expected number; output.a[2]: expected list",
    );
}

#[test]
fn wire_form_is_the_declaration() {
    let document = document(&file_with(
        "inputs: {b: string, a: {type: number, one_of: [2.50], optional: true}}",
        DONE,
    ));
    assert_eq!(
        Value::Object(document.process.inputs.to_json().clone()).to_string(),
        r#"{"a":{"one_of":[2.50],"optional":true,"type":"number"},"b":"string"}"#
    );
    let names: Vec<_> = document.process.inputs.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["b", "a"]);
}

#[test]
fn no_more_than_100_issues_of_bounded_length_are_told() {
    let declared = "{a: {type: list, items: {type: list, items: number}}, b: {type: string, optional: true}}";
    let document = document(&file_with(&format!("inputs: {declared}"), DONE));
    let wrong = Value::from(vec![true; 2_100_000]);
    let values = Map::from_iter([
        ("a".to_owned(), Value::from(vec![wrong])),
        ("x".repeat(4_000_000), Value::Null),
    ]);
    let issues = check_values(&document.process.inputs, "inputs", &values).into_vec();
    assert_eq!(issues.len(), 100);
    assert_eq!(issues[99], "inputs.a[0][99]: expected number");

    let values = Map::from_iter([
        ("a".to_owned(), Value::from(Vec::<Value>::new())),
        ("é".repeat(4_000_000), Value::Null),
    ]);
    let issues = check_values(&document.process.inputs, "output", &values).into_vec();
    assert_eq!(issues, [format!("output.{}…: not declared", "é".repeat(64))]);
}

#[test]
fn an_issue_shows_no_more_of_what_is_allowed_than_fits() {
    let long = |letter: &str| letter.repeat(100);
    let shown = |letter: &str| letter.repeat(64) + "…";
    let declared = format!(
        "{{a: {{type: string, one_of: [{}, {}, {}, {}]}}}}",
        long("p"),
        long("q"),
        long("r"),
        long("s")
    );
    // "output.a: expected one of " has 26 characters; two values with their separators 134; 40 are left.
    let expected = format!(
        "output.a: expected one of {}, {}, {}…",
        shown("p"),
        shown("q"),
        "r".repeat(40)
    );
    issues(&declared, r#"{"a":"x"}"#, &expected);
}
