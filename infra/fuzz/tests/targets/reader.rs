//! The YAML reader.

use bolero::check;
use doc_kit::problem::PROBLEMS_MAX;
use doc_kit::reader::{Limits, NodeValue, read};
use doc_kit::{Node, Problem};
use serde_json::Value;

use crate::place::assert_inside;

const PHRASES: &[&str] = &[
    "a",
    "b: ",
    "- ",
    "\n",
    "  ",
    "    ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    ": ",
    "? ",
    "&a ",
    "*a",
    "*b",
    "&b ",
    "!!str ",
    "!!int ",
    "!!map ",
    "!x ",
    "!<tag:yaml.org,2002:seq> ",
    "|\n",
    "|2-\n",
    ">+\n",
    "'",
    "\"",
    "\\x41",
    "\\u0000",
    "\\ud83d\\ude00",
    "\\",
    "# c\n",
    "---\n",
    "...\n",
    "%YAML 1.2\n",
    "\t",
    "\r\n",
    "\r",
    "\u{feff}",
    "\u{85}",
    "\u{2028}",
    "é",
    "𝄞",
    "~",
    "null",
    "true",
    "0x1F",
    "0o17",
    "-0",
    ".5",
    "1e400",
    "1e999999999",
    "1.10",
    ".inf",
    "12345678901234567890",
    "<<: ",
    "\"k\": ",
    "'k': ",
    "k",
    " :",
    "@",
    "`",
    "é: 1\n",
    "-\n",
];

#[test]
fn reader() {
    check!().for_each(|input: &[u8]| {
        let bytes = fuzz::spell(input, PHRASES);
        if let Ok(text) = std::str::from_utf8(&bytes) {
            holds(text);
        }
    });
}

fn holds(text: &str) {
    let limits = Limits::default();
    let reading = read(text, 1, &limits);
    for Problem {
        position, message, ..
    } in &reading.problems
    {
        assert_inside(text, *position, message);
    }
    assert!(reading.problems.len() <= PROBLEMS_MAX);
    let Some(root) = reading.root else {
        assert!(!reading.problems.is_empty() || says_nothing(text));
        return;
    };
    let (nodes, depth) = measure(text, &root);
    assert!(nodes <= text.len() + 1 + limits.alias_nodes_max, "{nodes} values");
    assert!(depth <= limits.depth_max, "{depth} deep");
    let value = root.to_json();
    assert!(
        value.is_some() || !reading.problems.is_empty(),
        "what cannot be read is reported"
    );
    let Some(value) = value else { return };
    let json = ascii(&value.to_string());
    if json.len() > limits.bytes_max || longest_key(&value) > IMPLICIT_KEY_MAX {
        return;
    }
    let again = read(&json, 1, &limits);
    assert!(
        again.problems.is_empty(),
        "JSON is YAML: {json} {:?}",
        again.problems
    );
    assert_eq!(again.root.and_then(|root| root.to_json()), Some(value), "{json}");
}

/// Keys of one line may have 1024 characters (YAML 1.2.2 §7.4.2), six for one when it is escaped.
const IMPLICIT_KEY_MAX: usize = 160;

/// No document: white space, comments and marks only.
fn says_nothing(text: &str) -> bool {
    text.split(['\n', '\r']).all(|line| {
        let line = line.trim_start_matches('\u{feff}').trim();
        line.is_empty() || line.starts_with('#') || line.starts_with("...")
    })
}

/// How many values there are and how deep, with every position looked at.
fn measure(text: &str, node: &Node) -> (usize, usize) {
    assert_inside(text, node.position, "a value");
    let inner: Vec<_> = match &node.value {
        NodeValue::List(items) => items.iter().map(|item| measure(text, item)).collect(),
        NodeValue::Map(map) => map
            .entries
            .iter()
            .map(|entry| {
                assert_inside(text, entry.key_position, "a key");
                measure(text, &entry.value)
            })
            .collect(),
        _ => return (1, 0),
    };
    let nodes = inner.iter().map(|(nodes, _)| nodes).sum::<usize>();
    let depth = inner.iter().map(|(_, depth)| *depth).max().unwrap_or_default();
    (nodes + 1, depth + 1)
}

fn longest_key(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(longest_key).max().unwrap_or_default(),
        Value::Object(members) => {
            let lengths = members
                .iter()
                .map(|(key, value)| key.chars().count().max(longest_key(value)));
            lengths.max().unwrap_or_default()
        }
        _ => 0,
    }
}

/// The JSON text with everything escaped that YAML does not take unescaped.
fn ascii(json: &str) -> String {
    let mut text = String::new();
    for character in json.chars() {
        if character.is_ascii() && character != '\u{7f}' {
            text.push(character);
        } else {
            let units = character.encode_utf16(&mut [0; 2]).to_vec();
            text.extend(units.iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    text
}
