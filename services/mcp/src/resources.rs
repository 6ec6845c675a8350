//! The full result schemas of the tools, to be read one by one: the list of tools names only their common envelope, so that it stays
//! short enough for every client.

use rmcp::ErrorData;
use rmcp::model::{Resource, ResourceContents};
use serde_json::json;

use crate::tools::Tool;

const MIME_TYPE: &str = "application/schema+json";

/// Where the full schema of a tool's `data` can be read. It never changes, whatever the schema does.
pub(crate) fn schema_uri(tool: &str) -> String {
    format!("baton://schemas/tools/{tool}.result.json")
}

/// All there is to read.
pub(crate) struct Resources {
    listed: Vec<Resource>,
    /// One for each of `listed`.
    texts: Vec<String>,
}

impl Resources {
    /// The schemas of these tools.
    pub(crate) fn of(tools: &[Tool]) -> Self {
        let texts: Vec<String> = tools.iter().map(schema_text).collect();
        let resource = |(tool, text): (&Tool, &String)| {
            let name = tool.contract.name;
            let mut resource = Resource::new(schema_uri(name), format!("{name}.result.json"))
                .with_title(format!("Result of {name}"))
                .with_description(format!(
                    "JSON Schema (draft 2020-12) of data in what {name} answers."
                ))
                .with_mime_type(MIME_TYPE);
            resource.size = Some(text.len() as u64);
            resource
        };
        Self {
            listed: tools.iter().zip(&texts).map(resource).collect(),
            texts,
        }
    }

    pub(crate) fn listed(&self) -> Vec<Resource> {
        self.listed.clone()
    }

    /// What is at this address.
    pub(crate) fn read(&self, uri: &str) -> Result<ResourceContents, ErrorData> {
        let Some(index) = self.listed.iter().position(|resource| resource.uri == uri) else {
            let message = "There is no such resource; resources/list names those there are.";
            return Err(ErrorData::resource_not_found(
                message,
                Some(json!({ "uri": uri })),
            ));
        };
        Ok(ResourceContents::text(&self.texts[index], uri).with_mime_type(MIME_TYPE))
    }
}

fn schema_text(tool: &Tool) -> String {
    let mut schema = tool.contract.whole_result_schema();
    schema["$id"] = schema_uri(tool.contract.name).into();
    schema.to_string()
}
