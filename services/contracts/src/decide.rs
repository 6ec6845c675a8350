//! `decide`: a person decides a work item.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{Contract, Decision, EvidenceItem, Read, Reader, RunView, tool::contract};

/// Name and schemas.
pub const CONTRACT: Contract = contract!("decide");

/// Which item, as it was read, and the decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Arguments {
    /// The run's id.
    pub run_id: String,
    /// The item's id.
    pub work_item_id: String,
    /// The snapshot that was read with the item.
    pub snapshot: String,
    /// The decision.
    pub decision: Decision,
    /// Values for the declared fields; with `completed` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Map<String, Value>>,
    /// Files and links; with `completed` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Vec<EvidenceItem>>,
    /// What was done; with `completed` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The chosen route; with `completed` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Why that route; with `completed` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why; required with `rejected`, `returned` and `failed`, refused with `completed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The caller's id of this request.
    pub request_id: String,
}

impl Read for Arguments {
    const TOOL: &'static str = CONTRACT.name;

    fn read(reader: &mut Reader) -> Option<Self> {
        let run_id = reader.text("runId");
        let work_item_id = reader.text("workItemId");
        let snapshot = reader.text("snapshot");
        let decision = reader.choice("decision");
        let output = reader.optional_object("output");
        let evidence = reader.optional_evidence("evidence");
        let summary = reader.optional_text_of("summary", 0..=2000);
        let next = reader.optional_text("next");
        let reason = reader.optional_text_of("reason", 0..=4000);
        let note = reader.optional_text_of("note", 0..=4000);
        let request_id = reader.request_id();
        if let Some(decision) = decision {
            let only_with_completed = [
                ("output", output.is_some()),
                ("evidence", evidence.is_some()),
                ("summary", summary.is_some()),
                ("next", next.is_some()),
                ("reason", reason.is_some()),
            ];
            let given = only_with_completed.into_iter().filter(|(_, given)| *given);
            let given: Vec<_> = given.map(|(name, _)| name).collect();
            for issue in rules(decision, &given, note.as_deref()) {
                reader.issue(&issue);
            }
        }
        Some(Self {
            run_id: run_id?,
            work_item_id: work_item_id?,
            snapshot: snapshot?,
            decision: decision?,
            output,
            evidence,
            summary,
            next,
            reason,
            note,
            request_id: request_id?,
        })
    }
}

/// What a decision asks of the other arguments (`tools.md`, decide; `process.md` §9.8). `given` names those of them that
/// belong to `completed`.
fn rules(decision: Decision, given: &[&str], note: Option<&str>) -> Vec<String> {
    let blank = note.is_none_or(|note| note.trim().is_empty());
    let note_issue = match decision {
        Decision::Completed => note.map(|_| "note: not with completed"),
        Decision::Approved => None,
        Decision::Rejected | Decision::Returned | Decision::Failed => blank.then_some("note: required"),
    };
    let mut issues = Vec::new();
    if decision != Decision::Completed {
        issues.extend(given.iter().map(|name| format!("{name}: only with completed")));
    }
    issues.extend(note_issue.map(str::to_owned));
    issues
}

/// The run as it stands after the decision.
pub type Data = RunView;
