//! `list_processes`: the catalog.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Contract, Read, Reader, tool::contract};

/// Name and schemas.
pub const CONTRACT: Contract = contract!("list_processes");

/// Where to go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Arguments {
    /// `nextCursor` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

impl Read for Arguments {
    const TOOL: &'static str = CONTRACT.name;

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(Self {
            cursor: reader.optional_text("cursor"),
        })
    }
}

/// A page of the catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Data {
    /// The processes.
    pub items: Vec<Item>,
    /// Where the next page begins, if there is one.
    pub next_cursor: Option<String>,
}

/// A process that can be started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Its latest version.
    pub version: u64,
    /// The declared fields of its inputs.
    pub inputs: Map<String, Value>,
    /// What it needs outside of this server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires: Option<Requires>,
}

/// Needs that are shown, never checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requires {
    /// Names of outside systems.
    pub systems: Vec<String>,
}
