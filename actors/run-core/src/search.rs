//! What runs are found by (tools.md, `list_runs`): a digest of each input with the name of its field. Equal values have equal digests,
//! and nothing of a value has to be read to compare it.
//!
//! Values are equal as JSON: the order of keys does not count, and numbers are compared by value, digit for digit (2.5 = 2.50).
//! A field of type `person` is compared as persons are, without case (process.md §3); what stands deeper in a list or an object is
//! compared as it is spelled.

use base::Digest;
use doc_kit::canonical::jcs;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::words::Map;

/// A condition on one field: the run has one of these digests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputWanted {
    /// Two for a text, which is a person in some processes and a mere text in others.
    pub any_of: Vec<Digest>,
}

impl InputWanted {
    /// The field has this value.
    pub fn new(field: &str, value: &Value) -> Self {
        let person = value.as_str().map(|email| person(field, email));
        Self {
            any_of: std::iter::once(plain(field, value)).chain(person).collect(),
        }
    }
}

/// The digests of a run's inputs, given the fields that its process declares (the wire form of `list_processes`).
pub fn input_digests(declared: &Map, inputs: &Map) -> Vec<Digest> {
    let digest = |(field, value): (&String, &Value)| match value {
        Value::String(email) if is_person(declared.get(field)) => person(field, email),
        value => plain(field, value),
    };
    inputs.iter().map(digest).collect()
}

fn is_person(declared: Option<&Value>) -> bool {
    let declared_type = match declared {
        Some(Value::Object(field)) => field.get("type"),
        short => short,
    };
    declared_type.is_some_and(|declared_type| declared_type == "person")
}

fn plain(field: &str, value: &Value) -> Digest {
    digest(&json!(["value", field, value]))
}

fn person(field: &str, email: &str) -> Digest {
    digest(&json!(["person", field, email.to_lowercase()]))
}

fn digest(content: &Value) -> Digest {
    Digest::new(Sha256::digest(jcs(content)).into())
}
