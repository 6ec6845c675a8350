//! `get_work`: what this caller can do now.

use serde::{Deserialize, Serialize};

use crate::{Contract, Handoff, Mode, NEW_REQUEST_ID, Read, Reader, WorkItem, claim, tool::contract};

/// Name and schemas.
pub const CONTRACT: Contract = contract!("get_work");

/// Which page of which work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Arguments {
    /// Items on the page, 1 to 100; [`crate::PAGE_LIMIT_DEFAULT`] when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u8>,
    /// `nextCursor` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Only work of this process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub process: Option<String>,
}

impl Read for Arguments {
    const TOOL: &'static str = CONTRACT.name;

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(Self {
            limit: reader.page_limit(),
            cursor: reader.optional_text("cursor"),
            process: reader.optional_text("process"),
        })
    }
}

/// A page of work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Data {
    /// The work, oldest first.
    pub items: Vec<Item>,
    /// Where the next page begins, if there is one.
    pub next_cursor: Option<String>,
}

/// A piece of work: an agent gets offers, a person gets work items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Item {
    /// A step to claim.
    Offer(Box<Offer>),
    /// An item to decide.
    Assigned(Box<Assigned>),
}

/// A step that this agent may claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Offer {
    /// The run.
    pub run_id: String,
    /// The step.
    pub step_id: String,
    /// Name of the process.
    pub process: String,
    /// Its version.
    pub version: u64,
    /// Live or test.
    pub mode: Mode,
    /// Since when the step is ready; a lapsed lease does not change it.
    pub ready_since: String,
    /// When it is due.
    pub due: Option<String>,
    /// Whether that time has passed.
    pub overdue: bool,
    /// What came before on this attempt.
    pub handoff: Option<Handoff>,
    /// The call that claims it.
    pub claim: ClaimCall,
}

/// A ready-made call of `claim`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimCall {
    /// Always `claim`.
    pub tool: String,
    /// Its arguments, with the placeholder for the caller's own request id.
    pub arguments: claim::Arguments,
}

impl ClaimCall {
    /// The call for a step.
    pub fn new(run_id: &str, step_id: &str) -> Self {
        Self {
            tool: "claim".to_owned(),
            arguments: claim::Arguments {
                run_id: run_id.to_owned(),
                step_id: step_id.to_owned(),
                request_id: NEW_REQUEST_ID.to_owned(),
            },
        }
    }
}

/// An item that this person may decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Assigned {
    /// The run.
    pub run_id: String,
    /// Name of the process.
    pub process: String,
    /// Its version.
    pub version: u64,
    /// Live or test.
    pub mode: Mode,
    /// The item.
    pub work_item: WorkItem,
}
