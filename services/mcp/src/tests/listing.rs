//! What clients are told about the tools.

use super::*;

async fn list() -> (usize, Vec<Value>) {
    let url = serve().await;
    let body = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#;
    let response = send(post(&url, body)).await;
    let text = response.text().await.expect("a body");
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    let tools = answer["result"]["tools"]
        .as_array()
        .expect("a list of tools")
        .clone();
    (text.len(), tools)
}

#[tokio::test]
async fn the_list_is_short_enough_for_a_model() {
    let (bytes, tools) = list().await;
    assert!(bytes < 20_000, "{bytes}");
    for tool in tools {
        let description = tool["description"].as_str().expect("a description");
        assert!((100..1500).contains(&description.len()), "{description}");
    }
}

#[tokio::test]
async fn the_list_has_every_tool_with_its_schemas_in_the_order_of_the_contracts() {
    let (_, tools) = list().await;
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
        assert_eq!(tool["outputSchema"]["type"], "object");
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
    ] {
        assert!(
            contracts::TOOLS.iter().any(|tool| tool.name == name) && text.contains(name),
            "{name}"
        );
    }
}
