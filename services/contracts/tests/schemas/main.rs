//! The committed schemas, the Rust types and, where they are at hand, the public schemas say the same.

use std::path::{Path, PathBuf};

use contracts::{Read, TOOLS, decode, envelope};
use jsonschema::{Retrieve, Uri, Validator};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

mod limits;
mod samples;

/// Finds the neighbours that a schema names, by file name.
struct Neighbours;

impl Retrieve for Neighbours {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        let name = uri.path().as_str().trim_start_matches('/');
        let text = std::fs::read_to_string(folder().join(name))?;
        Ok(serde_json::from_str(&text)?)
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/tools")
}

fn ours(schema: &str) -> Validator {
    let schema = serde_json::from_str(schema).expect("the schema is JSON");
    let options = jsonschema::options().with_retriever(Neighbours);
    options.build(&schema).expect("the schema is a JSON Schema")
}

/// The public schema of the same name, if the corpus is there.
fn public(name: &str) -> Option<Validator> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus =
        std::env::var_os("BATON_CORPUS").map_or_else(|| root.join("../shared/corpus"), PathBuf::from);
    let path = corpus.join("process/schemas/core-2/tools").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln_skip(name);
        return None;
    };
    let schema = serde_json::from_str(&text).expect("the public schema is JSON");
    Some(jsonschema::validator_for(&schema).expect("the public schema is a JSON Schema"))
}

#[expect(clippy::print_stderr, reason = "a skipped comparison says so")]
fn eprintln_skip(name: &str) {
    eprintln!("skipped: no public {name} (set BATON_CORPUS)");
}

fn value(json: &str) -> Value {
    serde_json::from_str(json).expect("the sample is JSON")
}

/// Small changes of valid arguments: each member gone, null, of another type or bounds, and a foreign member.
fn mutations(valid: &Value) -> Vec<Value> {
    let members = valid.as_object().expect("arguments are an object");
    let mut changed = vec![valid.clone()];
    let replacements = [
        "null",
        "\"\"",
        "\"x\"",
        "7",
        "101",
        "1.0",
        "0",
        "-1",
        "1.5",
        "true",
        "[]",
        "{}",
        "[7]",
        r#"[{"kind": "file", "ref": ""}]"#,
        r#"[{"kind": "file"}]"#,
        r#"[{"kind": "link", "ref": "x", "more": 1}]"#,
        "9007199254740992",
        "9007199254740991.0",
    ];
    let lengths = [128, 129, 2000, 2001, 4000, 4001];
    for name in members.keys() {
        let mut without = members.clone();
        without.remove(name);
        changed.push(without.into());
        let texts = lengths.iter().map(|length| Value::String("é".repeat(*length)));
        for replacement in replacements.iter().map(|json| value(json)).chain(texts) {
            let mut with = members.clone();
            with.insert(name.clone(), replacement);
            changed.push(with.into());
        }
    }
    let mut foreign = members.clone();
    foreign.insert("more".to_owned(), Value::Null);
    changed.push(foreign.into());
    changed
}

/// The type takes exactly what both schemas take, but for the rules that schemas do not say (those issues do not begin
/// with the path).
#[track_caller]
fn arguments_agree<A: Read + Serialize>(valid: &str) {
    let contract = TOOLS
        .iter()
        .find(|tool| tool.name == A::TOOL)
        .expect("a tool of the table");
    let schema = ours(contract.arguments_schema);
    let public = public(&format!("{}.arguments.json", A::TOOL));
    for arguments in mutations(&value(valid)) {
        let members: Map<_, _> = arguments.as_object().expect("an object").clone();
        let decoded = decode::<A>(members);
        let shape_taken = match &decoded {
            Ok(_) => true,
            Err(error) => !error.issues.iter().any(|issue| issue.starts_with("arguments.")),
        };
        assert_eq!(
            schema.is_valid(&arguments),
            shape_taken,
            "{}: {arguments}",
            A::TOOL
        );
        if let Some(public) = &public {
            assert_eq!(
                public.is_valid(&arguments),
                shape_taken,
                "{}: {arguments}",
                A::TOOL
            );
        }
        if let Ok(decoded) = decoded {
            let written = serde_json::to_value(&decoded).expect("string keys only");
            assert!(schema.is_valid(&written), "{written}");
        }
    }
}

/// Every tool with arguments that are valid and, where they can stand together, complete.
macro_rules! every_tool {
    ($($tool:ident $valid:literal)+) => {
        /// Valid arguments of a tool.
        fn valid_arguments(tool: &str) -> Map<String, Value> {
            let text = match tool {
                $(stringify!($tool) => $valid,)+
                other => panic!("there is no tool {other}"),
            };
            value(text).as_object().expect("an object").clone()
        }

        /// What the type says about arguments.
        fn issues_of(tool: &str, arguments: Map<String, Value>) -> Vec<String> {
            match tool {
                $(stringify!($tool) => decode::<contracts::$tool::Arguments>(arguments).err(),)+
                other => panic!("there is no tool {other}"),
            }
            .map(|error| error.issues)
            .unwrap_or_default()
        }

        #[test]
        fn arguments_are_taken_exactly_when_the_schemas_take_them() {
            $(arguments_agree::<contracts::$tool::Arguments>($valid);)+
            arguments_agree::<contracts::decide::Arguments>(
                r#"{"runId": "r", "workItemId": "w", "snapshot": "s", "decision": "failed", "note": "n",
                    "requestId": "q"}"#,
            );
        }

        #[test]
        fn the_tools_are_those_of_the_specification_but_upload_in_its_order() {
            let names: Vec<_> = TOOLS.iter().map(|tool| tool.name).collect();
            assert_eq!(names, [$(stringify!($tool)),+]);
        }
    };
}

every_tool! {
    describe "{}"
    list_processes r#"{"cursor": "c"}"#
    start_run r#"{"process": "p", "version": 1, "inputs": {}, "mode": "test", "requestId": "q"}"#
    get_run r#"{"runId": "r"}"#
    get_work r#"{"limit": 5, "cursor": "c", "process": "p"}"#
    claim r#"{"runId": "r", "stepId": "s", "requestId": "q"}"#
    renew r#"{"token": "t", "progress": "p", "requestId": "q"}"#
    submit r#"{"token": "t", "output": {"a": 1.10}, "evidence": [{"kind": "file", "ref": "f"}],
        "summary": "s", "next": "n", "reason": "r", "requestId": "q"}"#
    escalate r#"{"token": "t", "note": "n", "requestId": "q"}"#
    decide r#"{"runId": "r", "workItemId": "w", "snapshot": "s", "decision": "completed", "output": {},
        "evidence": [], "summary": "s", "next": "n", "reason": "r", "requestId": "q"}"#
    cancel r#"{"runId": "r", "reason": "x", "requestId": "q"}"#
    send_event r#"{"runId": "r", "name": "n", "data": {"a": 1.10}, "requestId": "q"}"#
    list_runs r#"{"process": "p", "state": "active", "inputs": {"a": 1.10}, "limit": 5, "cursor": "c"}"#
}

/// The type reads the sample, writes it again digit for digit, and both schemas take it. Both refuse it with a foreign
/// member.
#[track_caller]
fn result_agrees<D: Serialize + DeserializeOwned>(tool: &str, sample: &str) {
    let contract = TOOLS
        .iter()
        .find(|contract| contract.name == tool)
        .expect("a tool");
    let sample = value(sample);
    let data: D = serde_json::from_value(sample.clone()).expect("the type reads the sample");
    let written = serde_json::to_value(&data).expect("string keys only");
    assert_eq!(written, sample, "{tool}");
    let mut foreign = sample.clone();
    foreign["more"] = Value::Null;
    assert!(serde_json::from_value::<D>(foreign.clone()).is_err(), "{tool}");
    let public = public(&format!("{tool}.result.json"));
    let whole =
        jsonschema::validator_for(&contract.whole_result_schema()).expect("it needs no other document");
    for schema in [ours(contract.result_schema), whole].into_iter().chain(public) {
        let problems: Vec<_> = schema.iter_errors(&written).map(|e| e.to_string()).collect();
        assert_eq!(problems, Vec::<String>::new(), "{tool}");
        assert!(!schema.is_valid(&foreign), "{tool}");
    }
}

#[test]
fn results_are_what_the_schemas_say() {
    use contracts::{claim, describe, get_work, list_processes, list_runs, renew, send_event};
    for tool in ["start_run", "get_run", "submit", "escalate", "decide", "cancel"] {
        for run_view in [samples::RUN_VIEW, samples::RUN_VIEW_ENDED] {
            result_agrees::<contracts::RunView>(tool, run_view);
        }
    }
    result_agrees::<describe::Data>("describe", samples::DESCRIBE);
    result_agrees::<list_processes::Data>("list_processes", samples::LIST_PROCESSES);
    result_agrees::<list_runs::Data>("list_runs", samples::LIST_RUNS);
    result_agrees::<get_work::Data>("get_work", samples::GET_WORK);
    result_agrees::<claim::Data>("claim", samples::CLAIM);
    result_agrees::<claim::Data>("claim", samples::CLAIM_BARE);
    result_agrees::<renew::Data>("renew", samples::RENEW);
    for sent in [samples::SENT_CONSUMED, samples::SENT_HELD] {
        result_agrees::<send_event::Data>("send_event", sent);
    }
}

#[test]
fn a_refusal_is_what_the_schema_says() {
    use contracts::{ErrorCode, ToolError};
    let text = std::fs::read_to_string(folder().join("tool-error.json")).expect("the schema");
    let schema = ours(&text);
    for code in [
        ErrorCode::Invalid,
        ErrorCode::NotAccepted,
        ErrorCode::Stale,
        ErrorCode::Conflict,
        ErrorCode::Forbidden,
        ErrorCode::NotFound,
        ErrorCode::Retry,
    ] {
        let error = ToolError::new(code, "why").with_issues(["run_ended"]);
        let written = envelope::<()>(&Err(error));
        assert!(schema.is_valid(&written["error"]), "{written}");
    }
}

#[test]
fn ready_made_calls_are_valid_calls() {
    let claim = contracts::get_work::ClaimCall::new("r", "s");
    let arguments = serde_json::to_value(&claim.arguments).expect("string keys only");
    assert!(ours(contracts::claim::CONTRACT.arguments_schema).is_valid(&arguments));
    let decide = contracts::DecideCall::new("r", "w", "s", vec![contracts::Decision::Approved]);
    let mut arguments = serde_json::to_value(&decide.arguments).expect("string keys only");
    arguments["decision"] = "approved".into();
    assert!(ours(contracts::decide::CONTRACT.arguments_schema).is_valid(&arguments));
}

#[test]
fn input_schemas_have_an_object_at_the_root_and_no_combinators_there() {
    for tool in TOOLS {
        let schema = value(tool.arguments_schema);
        assert_eq!(schema["type"], "object", "{}", tool.name);
        for combinator in ["anyOf", "oneOf", "allOf", "not", "if", "$ref"] {
            assert!(schema.get(combinator).is_none(), "{}", tool.name);
        }
    }
}
