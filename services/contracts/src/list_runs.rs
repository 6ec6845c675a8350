//! `list_runs`: the runs of the organization.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Contract, Read, Reader, RunState, tool::contract};

/// Name and schemas.
pub const CONTRACT: Contract = contract!("list_runs");

/// The most fields that runs are found by at once.
const INPUTS_MAX: usize = 32;

/// Which page of which runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Arguments {
    /// Only runs of this process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process: Option<String>,
    /// Only runs that stand so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<RunState>,
    /// Only runs that were started with these values of these fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Map<String, Value>>,
    /// Runs on the page, 1 to 100; [`crate::PAGE_LIMIT_DEFAULT`] when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u8>,
    /// `nextCursor` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

impl Read for Arguments {
    const TOOL: &'static str = CONTRACT.name;

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(Self {
            process: reader.optional_text("process"),
            state: reader.optional_choice("state"),
            inputs: reader.optional_object_of("inputs", INPUTS_MAX),
            limit: reader.page_limit(),
            cursor: reader.optional_text("cursor"),
        })
    }
}

/// A page of runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Data {
    /// The runs, newest first.
    pub items: Vec<Item>,
    /// Where the next page begins, if there may be one.
    pub next_cursor: Option<String>,
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Item {
    /// The run's id.
    pub id: String,
    /// Name of its process.
    pub process: String,
    /// The version it keeps for life.
    pub version: u64,
    /// Where it stands.
    pub state: RunState,
    /// How it ended, once it has ended.
    pub outcome: Option<String>,
    /// When it started.
    pub started_at: String,
    /// When it last moved.
    pub updated_at: String,
    /// What it was started with.
    pub inputs: Map<String, Value>,
}
