//! `claim`: an agent takes a step for a while.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Contract, EvidenceKind, Handoff, Mode, Read, Reader, Route, RunData, tool::contract};

/// Name and schemas.
pub const CONTRACT: Contract = contract!("claim");

/// Which step.
#[expect(clippy::struct_field_names, reason = "the wire's names")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Arguments {
    /// The run's id.
    pub run_id: String,
    /// The step's id.
    pub step_id: String,
    /// The caller's id of this request.
    pub request_id: String,
}

impl Read for Arguments {
    const TOOL: &'static str = CONTRACT.name;

    fn read(reader: &mut Reader) -> Option<Self> {
        let run_id = reader.text("runId");
        let step_id = reader.text("stepId");
        let request_id = reader.request_id();
        Some(Self {
            run_id: run_id?,
            step_id: step_id?,
            request_id: request_id?,
        })
    }
}

/// The claim and everything needed to work on it.
#[expect(clippy::struct_field_names, reason = "the wire's names")]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Data {
    /// Proves the claim to `renew`, `submit` and `escalate`. A secret.
    pub token: String,
    /// When the claim ends unless it is renewed.
    pub expires_at: String,
    /// Live or test.
    pub mode: Mode,
    /// What to do.
    pub step: Step,
    /// What came before on this attempt.
    pub handoff: Option<Handoff>,
    /// The body of the process document.
    pub body: String,
    /// Run data as it is now.
    pub data: RunData,
    /// What the process's format adds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Map<String, Value>>,
}

/// Shows everything but the token.
impl std::fmt::Debug for Data {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Data")
            .field("step", &self.step.id)
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}

/// The claimed step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its id.
    pub id: String,
    /// What to do.
    pub instructions: String,
    /// The declared fields of the output, if any.
    pub output: Option<Map<String, Value>>,
    /// The kinds of evidence asked for, if any.
    pub evidence: Option<Vec<EvidenceKind>>,
    /// The routes to choose from, if there is a list.
    pub next: Option<Vec<Route>>,
}
