//! What clients are told about the tools.

use super::*;

use super::protocol::modern;

/// The answers to a list, in each protocol version.
async fn listed(method: &str) -> Vec<(&'static str, Value)> {
    let url = serve().await;
    let mut answers = Vec::new();
    for version in ["2025-06-18", "2025-11-25"] {
        let body = format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "{method}"}}"#);
        let request = post(&url, &body).header("mcp-protocol-version", version);
        answers.push((version, answer(request).await.1));
    }
    let (status, newest) = answer(modern(&url, method, None, "")).await;
    assert_eq!(status, 200, "{newest}");
    answers.push(("2026-07-28", newest));
    answers
}

/// Older versions know no hints; lists are the same for every caller.
#[track_caller]
fn check_cache_hints(version: &str, result: &Value) {
    if version < "2026-07-28" {
        assert_eq!(
            (result.get("ttlMs"), result.get("cacheScope")),
            (None, None),
            "{version}"
        );
    } else {
        assert_eq!(
            (&result["ttlMs"], &result["cacheScope"]),
            (&json!(300_000), &json!("public"))
        );
    }
}

async fn list() -> Vec<Value> {
    let mut answers = listed("tools/list").await;
    let (_, answer) = answers.pop().expect("three versions");
    answer["result"]["tools"]
        .as_array()
        .expect("a list of tools")
        .clone()
}

#[tokio::test]
async fn the_list_is_short_enough_for_every_client_in_every_version() {
    for (version, answer) in listed("tools/list").await {
        let bytes = answer["result"].to_string().len();
        assert!(bytes < 20_000, "{version}: {bytes}");
        check_cache_hints(version, &answer["result"]);
        for tool in answer["result"]["tools"].as_array().expect("a list of tools") {
            let description = tool["description"].as_str().expect("a description");
            assert!((100..1500).contains(&description.len()), "{description}");
        }
    }
}

#[tokio::test]
async fn a_made_up_cursor_is_invalid_params() {
    let url = serve().await;
    for method in ["tools/list", "resources/list", "resources/templates/list"] {
        let body =
            format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "{method}", "params": {{"cursor": "x"}}}}"#);
        let (_, legacy) = answer(post(&url, &body)).await;
        let (_, newest) = answer(modern(&url, method, None, r#""cursor": "x""#)).await;
        for answer in [legacy, newest] {
            assert_eq!(answer["error"]["code"], -32602, "{method}: {answer}");
        }
    }
}

#[tokio::test]
async fn the_full_result_schema_of_every_tool_is_a_resource() {
    let url = serve().await;
    for (version, answer_) in listed("resources/list").await {
        let resources = answer_["result"]["resources"].as_array().expect("a list").clone();
        check_cache_hints(version, &answer_["result"]);
        for (resource, contract) in resources.iter().zip(contracts::TOOLS) {
            let uri = format!("baton://schemas/tools/{}.result.json", contract.name);
            assert_eq!(resource["uri"], uri);
            assert_eq!(resource["mimeType"], "application/schema+json");
            let params = format!(r#""uri": "{uri}""#);
            let body = format!(
                r#"{{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {{{params}}}}}"#
            );
            let read = if version < "2026-07-28" {
                post(&url, &body).header("mcp-protocol-version", version)
            } else {
                modern(&url, "resources/read", Some(&uri), &params)
            };
            let (_, read) = answer(read).await;
            check_cache_hints(version, &read["result"]);
            let content = &read["result"]["contents"][0];
            assert_eq!(
                (&content["uri"], &content["mimeType"]),
                (&resource["uri"], &resource["mimeType"])
            );
            let text = content["text"].as_str().expect("a text");
            assert_eq!(resource["size"], text.len());
            let mut schema: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(schema["$id"], uri);
            schema.as_object_mut().expect("an object").remove("$id");
            assert_eq!(schema, contract.whole_result_schema());
        }
        assert_eq!(resources.len(), contracts::TOOLS.len());
    }
}

#[tokio::test]
async fn there_are_no_resource_templates() {
    for (_, answer) in listed("resources/templates/list").await {
        assert_eq!(answer["result"]["resourceTemplates"], json!([]), "{answer}");
    }
}

/// -32002 up to 2025-11-25, -32602 since 2026-07-28 (SEP-2164).
#[tokio::test]
async fn an_unknown_resource_is_told_as_its_version_wants_it() {
    let url = serve().await;
    for uri in [
        "baton://schemas/tools/nothing.result.json",
        "file:///etc/passwd",
        "",
    ] {
        let params = format!(r#""uri": "{uri}""#);
        let body =
            format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {{{params}}}}}"#);
        let (_, legacy) = answer(post(&url, &body)).await;
        assert_eq!(legacy["error"]["code"], -32002, "{legacy}");
        let (_, newest) = answer(modern(&url, "resources/read", Some(uri), &params)).await;
        assert_eq!(newest["error"]["code"], -32602, "{newest}");
        for answer in [legacy, newest] {
            assert_eq!(answer["error"]["data"], json!({ "uri": uri }), "{answer}");
        }
    }
}

#[tokio::test]
async fn the_list_has_every_tool_with_its_schemas_in_the_order_of_the_contracts() {
    let tools = list().await;
    let names: Vec<_> = tools
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect();
    let contracts: Vec<_> = contracts::TOOLS.iter().map(|tool| tool.name).collect();
    assert_eq!(names, contracts);
    for (tool, contract) in tools.iter().zip(contracts::TOOLS) {
        let declared: Value = serde_json::from_str(contract.arguments_schema).expect("JSON");
        for key in ["type", "properties", "required", "additionalProperties"] {
            assert_eq!(tool["inputSchema"][key], declared[key], "{}", contract.name);
        }
        for combinator in ["oneOf", "anyOf", "allOf", "not", "if", "$ref"] {
            assert!(tool["inputSchema"].get(combinator).is_none(), "{}", contract.name);
        }
        assert!(
            !tool["inputSchema"].to_string().contains("$ref"),
            "{}",
            contract.name
        );
        assert_eq!(tool["outputSchema"]["type"], "object");
        let data = tool["outputSchema"]["properties"]["data"]["description"].as_str();
        let uri = format!("baton://schemas/tools/{}.result.json", contract.name);
        assert!(data.is_some_and(|text| text.ends_with(&uri)), "{data:?}");
        assert_eq!(tool["annotations"]["openWorldHint"], false);
    }
}

#[test]
fn the_instructions_name_tools_that_exist() {
    let text = include_str!("../instructions.txt");
    for name in [
        "get_work",
        "claim",
        "renew",
        "submit",
        "escalate",
        "list_processes",
        "start_run",
        "list_runs",
        "get_run",
        "send_event",
        "decide",
        "cancel",
    ] {
        assert!(
            contracts::TOOLS.iter().any(|tool| tool.name == name) && text.contains(name),
            "{name}"
        );
    }
}
