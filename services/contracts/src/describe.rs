//! `describe`: what this server speaks and how it is set.

use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::{Contract, Read, Reader, tool::contract};

/// Name and schemas.
pub const CONTRACT: Contract = contract!("describe");

/// Nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Arguments {}

impl Read for Arguments {
    const TOOL: &'static str = CONTRACT.name;

    fn read(_reader: &mut Reader) -> Option<Self> {
        Some(Self {})
    }
}

/// The server's own description.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Data {
    /// `agentprocess`.
    pub protocol: String,
    /// `core-2`.
    pub version: String,
    /// The profiles offered.
    pub profiles: Vec<String>,
    /// How long a claim lasts.
    pub lease_seconds: u64,
    /// How people are named.
    pub person: Person,
    /// The tools offered, in the order in which they are listed.
    pub tools: Vec<String>,
    /// The largest file that can be uploaded.
    pub max_upload_bytes: u64,
    /// Bounds and thresholds.
    pub limits: Limits,
}

/// How a value of type `person` is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// `email`.
    pub format: String,
}

/// Bounds and thresholds. The thresholds are numbers as they are spelled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Limits {
    /// The largest run data.
    pub run_data_bytes: u64,
    /// Probability from which a yes/no check passes.
    pub check_pass: Number,
    /// Probability below which it fails, if any.
    pub check_fail: Option<Number>,
    /// Confidence below which a check is unsure.
    pub check_confidence: Number,
    /// The most run data that an evaluator is shown.
    pub check_state_bytes: u64,
}
