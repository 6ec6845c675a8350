//! The OpenAPI document, as a judge of answers.

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::client::Reply;

const UNDER: &str = "/api/o/{org}";
pub(crate) const METHODS: [&str; 5] = ["get", "put", "post", "patch", "delete"];

pub(crate) struct Document {
    pub(crate) root: Value,
    pub(crate) operations: Vec<Operation>,
}

/// A method of an address under an organization's.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub(crate) method: String,
    /// With its parameters in braces.
    pub(crate) path: String,
    pub(crate) parameters: Vec<String>,
    pub(crate) content: Value,
}

impl Operation {
    /// The schema and the example of its body, if it has one.
    pub(crate) fn body(&self) -> Option<&Value> {
        let body = self.content.get("requestBody")?;
        Some(&body["content"]["application/json"])
    }
}

impl Document {
    pub(crate) fn parse(text: &str) -> Self {
        let root: Value = serde_json::from_str(text).expect("JSON");
        let mut operations = Vec::new();
        for (path, item) in root["paths"].as_object().expect("paths") {
            let Some(path) = path.strip_prefix(UNDER) else {
                continue;
            };
            for method in METHODS {
                if let Some(content) = item.get(method) {
                    let parts = path.split('/').filter_map(|part| part.strip_prefix('{'));
                    operations.push(Operation {
                        method: method.to_owned(),
                        path: path.to_owned(),
                        parameters: parts.map(|part| part.trim_end_matches('}').to_owned()).collect(),
                        content: content.clone(),
                    });
                }
            }
        }
        Self { root, operations }
    }

    /// The operation of an address; one that is spelled out comes before one with a parameter.
    pub(crate) fn find(&self, method: &str, path: &str) -> Option<&Operation> {
        let matches = |operation: &&Operation| {
            let parts: Vec<_> = operation.path.split('/').collect();
            let given: Vec<_> = path.split('/').collect();
            operation.method == method
                && parts.len() == given.len()
                && parts
                    .iter()
                    .zip(&given)
                    .all(|(part, given)| part == given || part.starts_with('{'))
        };
        let found = self.operations.iter().filter(matches);
        found.min_by_key(|operation| operation.parameters.len())
    }

    /// The status must be documented and the body be as its schema says.
    #[track_caller]
    pub(crate) fn check(&self, operation: &Operation, reply: &Reply) {
        let place = format!("{} {}", operation.method, operation.path);
        let response = &operation.content["responses"][reply.status.to_string()];
        assert!(
            response.is_object(),
            "{place}: {} is not documented: {}",
            reply.status,
            reply.text
        );
        let response = self.resolved(response);
        let location = &response["headers"]["Location"];
        assert_eq!(location.is_object(), reply.location.is_some(), "{place}");
        let Some(content) = response["content"].as_object() else {
            assert_eq!(reply.text, "", "{place}");
            return;
        };
        let Some(json) = content.get("application/json") else {
            return;
        };
        let problems: Vec<_> = self
            .validator(&json["schema"])
            .iter_errors(&reply.body)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(problems.is_empty(), "{place}: {problems:?}: {}", reply.text);
    }

    pub(crate) fn validator(&self, schema: &Value) -> Validator {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "components": self.root["components"],
            "allOf": [schema],
        });
        jsonschema::validator_for(&schema).expect("the document's schemas are schemas")
    }

    pub(crate) fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        let Some(reference) = value["$ref"].as_str() else {
            return value;
        };
        let pointer = reference.strip_prefix('#').expect("a place in the document");
        self.root.pointer(pointer).expect("it is there")
    }
}
