//! Result schemas that stand on their own.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::Contract;

/// Embeds the schema files that others refer to, by their names without `.json`.
macro_rules! shared {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../../schemas/tools/", $name, ".json")))),+]
    };
}

/// What result schemas have in common.
const SHARED: &[(&str, &str)] = shared![
    "check-verdict",
    "evidence-kinds",
    "fields",
    "handoff",
    "past-record",
    "routes",
    "run-data",
    "run-view",
    "work-item",
];

impl Contract {
    /// The schema of the tool's `data` with everything it refers to among its own `$defs`: a document that needs no other.
    pub fn whole_result_schema(&self) -> Value {
        let mut whole = parse(self.result_schema);
        let mut wanted = BTreeSet::new();
        point_inside(&mut whole, None, &mut wanted);
        let mut definitions = Map::new();
        while let Some(name) = wanted.pop_first() {
            let mut definition = parse(text(&name));
            if let Value::Object(members) = &mut definition {
                members.remove("$schema");
            }
            point_inside(&mut definition, Some(&name), &mut wanted);
            definitions.insert(name, definition);
            wanted.retain(|name| !definitions.contains_key(name));
        }
        if let Value::Object(members) = &mut whole
            && !definitions.is_empty()
        {
            members.insert("$defs".to_owned(), definitions.into());
        }
        whole
    }
}

/// Makes references to neighbours, and to parts of the neighbour `own`, point into the `$defs` of the document; notes the neighbours.
fn point_inside(schema: &mut Value, own: Option<&str>, wanted: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            for (key, value) in members {
                match value {
                    Value::String(reference) if key == "$ref" => {
                        *reference = inside(reference, own, wanted);
                    }
                    value => point_inside(value, own, wanted),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| point_inside(item, own, wanted)),
        _ => {}
    }
}

fn inside(reference: &str, own: Option<&str>, wanted: &mut BTreeSet<String>) -> String {
    let part = reference.strip_prefix('#');
    match (part, own) {
        (Some(_), None) => reference.to_owned(),
        (Some(part), Some(own)) => format!("#/$defs/{own}{part}"),
        (None, _) => {
            let name = reference.trim_end_matches(".json");
            wanted.insert(name.to_owned());
            format!("#/$defs/{name}")
        }
    }
}

fn text(name: &str) -> &'static str {
    let found = SHARED.iter().find(|(shared, _)| *shared == name);
    found.expect("a test looks every reference up").1
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("the schemas of this repository are JSON; a test reads each")
}
