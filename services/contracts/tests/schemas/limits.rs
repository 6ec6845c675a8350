//! The limits of tools.md, told apart by the last character: characters count, not bytes and not halves of surrogate pairs.

use contracts::TOOLS;
use serde_json::{Map, Value};

use crate::{issues_of, public, valid_arguments, value};

/// Every argument with a limit: the tool, the argument and the most characters (tools.md, "Argument limits").
const LONGEST: &[(&str, &str, usize)] = &[
    ("start_run", "requestId", 128),
    ("claim", "requestId", 128),
    ("renew", "progress", 4000),
    ("renew", "requestId", 128),
    ("submit", "summary", 2000),
    ("submit", "reason", 4000),
    ("submit", "requestId", 128),
    ("escalate", "note", 4000),
    ("escalate", "requestId", 128),
    ("decide", "summary", 2000),
    ("decide", "reason", 4000),
    ("decide", "note", 4000),
    ("decide", "requestId", 128),
    ("cancel", "reason", 4000),
    ("cancel", "requestId", 128),
    ("send_event", "requestId", 128),
];

#[test]
fn every_limit_is_in_the_schemas_and_no_other() {
    let mut found = Vec::new();
    for tool in TOOLS {
        let schema = value(tool.arguments_schema);
        let properties = schema["properties"].as_object().expect("an object");
        for (name, property) in properties {
            if let Some(limit) = property["maxLength"].as_u64() {
                found.push(format!("{} {name} {limit}", tool.name));
            }
        }
    }
    let mut expected: Vec<_> = LONGEST
        .iter()
        .map(|(tool, name, limit)| format!("{tool} {name} {limit}"))
        .collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn every_write_takes_a_request_id_and_no_read_does() {
    let reads = ["describe", "list_processes", "get_run", "get_work", "list_runs"];
    for tool in TOOLS {
        let schema = value(tool.arguments_schema);
        let required = schema["required"].as_array().into_iter().flatten();
        let is_required = required.clone().any(|name| name == "requestId");
        let is_declared = schema["properties"]["requestId"].is_object();
        let is_write = !reads.contains(&tool.name);
        assert_eq!((is_declared, is_required), (is_write, is_write), "{}", tool.name);
        if is_write {
            let mut arguments = valid_arguments(tool.name);
            arguments.remove("requestId");
            assert_eq!(issues_of(tool.name, arguments), ["arguments.requestId: missing"]);
        }
    }
}

#[test]
fn a_text_may_have_as_many_characters_as_its_limit() {
    for (tool, name, limit) in LONGEST {
        for character in ["x", "é", "\u{1d11e}"] {
            for (count, issues) in [
                (limit - 1, vec![]),
                (*limit, vec![]),
                (
                    limit + 1,
                    vec![format!(
                        "arguments.{name}: {} characters, expected at most {limit}",
                        limit + 1
                    )],
                ),
            ] {
                let decision = if *name == "note" { "failed" } else { "completed" };
                let arguments = filled(tool, decision, (name, &character.repeat(count)));
                assert_eq!(
                    issues_of(tool, arguments),
                    issues,
                    "{tool} {name} {character} {count}"
                );
            }
        }
    }
}

/// Valid arguments of the tool with this text among them.
fn filled(tool: &str, decision: &str, (name, text): (&str, &str)) -> Map<String, Value> {
    let mut members = valid_arguments(tool);
    if tool == "decide" {
        members.insert("decision".to_owned(), decision.into());
        if decision != "completed" {
            for only_with_completed in ["output", "evidence", "summary", "next", "reason"] {
                members.remove(only_with_completed);
            }
        }
    }
    members.insert(name.to_owned(), text.into());
    members
}

#[test]
fn a_request_id_has_at_least_one_character() {
    for (tool, name, _) in LONGEST.iter().filter(|(_, name, _)| *name == "requestId") {
        let arguments = filled(tool, "completed", (name, ""));
        let expected = ["arguments.requestId: 0 characters, expected at least 1"];
        assert_eq!(issues_of(tool, arguments), expected, "{tool}");
    }
}

/// What the public schemas allow and this server does not, with the reason: every list and map that a caller fills has a bound.
#[test]
fn where_this_server_is_stricter_than_the_public_schemas() {
    let item = value(r#"{"kind": "link", "ref": "x"}"#);
    let fields = |count: usize| -> Value { (0..count).map(|n| (n.to_string(), Value::Null)).collect() };
    for (tool, name, most, one_too_many) in [
        (
            "submit",
            "evidence",
            vec![item.clone(); 1000].into(),
            vec![item.clone(); 1001].into(),
        ),
        (
            "decide",
            "evidence",
            vec![item.clone(); 1000].into(),
            vec![item.clone(); 1001].into(),
        ),
        ("list_runs", "inputs", fields(32), fields(33)),
    ] {
        for (given, is_taken) in [(most, true), (one_too_many, false)] {
            let mut arguments = valid_arguments(tool);
            arguments.insert(name.to_owned(), given);
            assert_eq!(issues_of(tool, arguments.clone()).is_empty(), is_taken, "{tool}");
            let schema = TOOLS
                .iter()
                .find(|contract| contract.name == tool)
                .expect("a tool");
            assert_eq!(
                crate::ours(schema.arguments_schema).is_valid(&arguments.clone().into()),
                is_taken
            );
            if let Some(public) = public(&format!("{tool}.arguments.json")) {
                assert!(public.is_valid(&arguments.into()), "{tool}");
            }
        }
    }
}
