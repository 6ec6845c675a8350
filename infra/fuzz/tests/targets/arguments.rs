//! Decoding the arguments of tools, against the committed schemas.

use std::sync::LazyLock;

use bolero::check;
use contracts::{Contract, Read, TOOLS, decode};
use jsonschema::Validator;
use serde::Serialize;
use serde_json::{Map, Value};

/// Values of a member, by their JSON.
const VALUES: &[&str] = &[
    "null",
    "true",
    "0",
    "1",
    "-1",
    "1.0",
    "1.5",
    "1e2",
    "100",
    "101",
    "9007199254740991",
    "9007199254740992",
    "90071992547409910e-1",
    "1e999",
    "\"\"",
    "\"x\"",
    "\"é𝄞\"",
    "\"test\"",
    "\"live\"",
    "\"active\"",
    "\"ended\"",
    "\"completed\"",
    "\"approved\"",
    "\"rejected\"",
    "\"returned\"",
    "\"failed\"",
    "[]",
    "[{}]",
    "[null]",
    r#"[{"kind":"file","ref":"f"}]"#,
    r#"[{"kind":"link","ref":""}]"#,
    r#"[{"kind":"link","ref":"x","more":1}]"#,
    r#"[{"kind":7,"ref":"x"}]"#,
    r#"[{"kind":"number","ref":1}]"#,
    "{}",
    r#"{"a":1.10}"#,
    r#"{"a":{"b":[]}}"#,
    "\"{}\"",
];

/// The argument names of all tools, and some that are none.
const NAMES: &[&str] = &[
    "requestId",
    "runId",
    "stepId",
    "token",
    "process",
    "version",
    "inputs",
    "mode",
    "limit",
    "cursor",
    "progress",
    "output",
    "evidence",
    "summary",
    "next",
    "reason",
    "note",
    "workItemId",
    "snapshot",
    "decision",
    "name",
    "data",
    "state",
    "run_id",
    "more",
    "",
];

const LENGTHS: &[usize] = &[127, 128, 129, 2000, 2001, 4000, 4001];

/// The schema of each tool, in the order of the tools.
static SCHEMAS: LazyLock<Vec<Validator>> = LazyLock::new(|| TOOLS.iter().map(schema).collect());

fn schema(tool: &Contract) -> Validator {
    let schema = serde_json::from_str(tool.arguments_schema).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("argument schemas need no other document")
}

#[test]
fn arguments() {
    check!().for_each(|input: &[u8]| {
        let Some((first, rest)) = input.split_first() else {
            return;
        };
        let which = usize::from(*first) % TOOLS.len();
        if let Some(arguments) = spell(rest) {
            agree(TOOLS[which].name, &SCHEMAS[which], arguments);
        }
    });
}

/// JSON as it is, or one member for every two bytes.
fn spell(input: &[u8]) -> Option<Map<String, Value>> {
    if input.first().is_some_and(|first| *first < fuzz::RAW_BELOW) {
        doc_kit::json_guard::check(input, &doc_kit::json_guard::Limits::default()).ok()?;
        return serde_json::from_slice(input).ok();
    }
    let members = input.get(1..)?.chunks_exact(2).map(|pair| {
        let name = NAMES[usize::from(pair[0]) % NAMES.len()];
        let choice = usize::from(pair[1]) % (VALUES.len() + LENGTHS.len());
        let value = match VALUES.get(choice) {
            Some(json) => serde_json::from_str(json).expect("the values are JSON"),
            None => Value::from("é".repeat(LENGTHS[choice - VALUES.len()])),
        };
        (name.to_owned(), value)
    });
    Some(members.collect())
}

fn agree(tool: &str, schema: &Validator, arguments: Map<String, Value>) {
    macro_rules! of_tool {
        ($($name:ident)+) => {
            match tool {
                $(stringify!($name) => shape_is_taken::<contracts::$name::Arguments>(schema, arguments.clone()),)+
                other => panic!("there is no tool {other}"),
            }
        };
    }
    let taken = of_tool!(describe list_processes start_run get_run get_work claim renew submit escalate decide cancel send_event list_runs);
    let arguments = Value::Object(arguments);
    assert_eq!(schema.is_valid(&arguments), taken, "{tool} {arguments}");
}

/// Rules that schemas do not say give issues that do not begin with the path. What is taken is written again as valid arguments.
fn shape_is_taken<A: Read + Serialize>(schema: &Validator, arguments: Map<String, Value>) -> bool {
    match decode::<A>(arguments) {
        Ok(decoded) => {
            let written = serde_json::to_value(&decoded).expect("text keys only");
            assert!(schema.is_valid(&written), "{written}");
            true
        }
        Err(error) => {
            assert!(!error.issues.is_empty(), "a refusal says why");
            !error.issues.iter().any(|issue| issue.starts_with("arguments"))
        }
    }
}
