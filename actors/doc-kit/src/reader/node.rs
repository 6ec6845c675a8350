//! The tree that the reader gives: values with their places.

use serde_json::{Number, Value};

use crate::Position;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: NodeValue,
    /// Where it begins. A node repeated by an alias has the place of its first writing.
    pub position: Position,
}

/// The values of JSON, and one more for what could not be read and has been reported.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeValue {
    /// A problem has been reported here; whoever walks the tree passes over it silently.
    Unreadable,
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number, digit for digit.
    Number(Number),
    /// A text.
    String(String),
    /// A list.
    List(Vec<Node>),
    /// A map.
    Map(Map),
}

/// A map in the order of the file. Keys are unique.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// The entries in the order of the file.
    pub entries: Vec<Entry>,
}

/// One key of a map with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key begins.
    pub key_position: Position,
    /// The value.
    pub value: Node,
}

impl Map {
    /// The value under a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The entry of a key.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}

impl Node {
    /// The entries, when it is a map.
    pub fn as_map(&self) -> Option<&Map> {
        match &self.value {
            NodeValue::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The items, when it is a list.
    pub fn as_list(&self) -> Option<&[Node]> {
        match &self.value {
            NodeValue::List(items) => Some(items),
            _ => None,
        }
    }

    /// The text, when it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            NodeValue::String(text) => Some(text),
            _ => None,
        }
    }

    /// The value under a key, when it is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_map()?.get(key)
    }

    /// What a message calls this value: `a list`, `the number 5`.
    pub fn describe(&self) -> String {
        match &self.value {
            NodeValue::Unreadable => "something unreadable".to_owned(),
            NodeValue::Null => "nothing".to_owned(),
            NodeValue::Bool(value) => format!("the boolean {value}"),
            NodeValue::Number(number) if number.as_str().len() <= 40 => format!("the number {number}"),
            NodeValue::Number(_) => "a number".to_owned(),
            NodeValue::String(_) => "text".to_owned(),
            NodeValue::List(_) => "a list".to_owned(),
            NodeValue::Map(_) => "a map".to_owned(),
        }
    }

    /// The JSON value, or `None` when some part of it could not be read.
    pub fn to_json(&self) -> Option<Value> {
        Some(match &self.value {
            NodeValue::Unreadable => return None,
            NodeValue::Null => Value::Null,
            NodeValue::Bool(value) => Value::Bool(*value),
            NodeValue::Number(number) => Value::Number(number.clone()),
            NodeValue::String(text) => Value::String(text.clone()),
            NodeValue::List(items) => Value::Array(items.iter().map(Self::to_json).collect::<Option<_>>()?),
            NodeValue::Map(map) => Value::Object(
                map.entries
                    .iter()
                    .map(|entry| Some((entry.key.clone(), entry.value.to_json()?)))
                    .collect::<Option<_>>()?,
            ),
        })
    }
}
