//! `decide`: a person decides a work item.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{Contract, Decision, EvidenceItem, Read, Reader, RunView, tool::contract};

/// Name and schemas.
pub const CONTRACT: Contract = contract!("decide");

/// What a person hands in who completes a step.
const ONLY_WITH_COMPLETED: [&str; 5] = ["output", "evidence", "summary", "next", "reason"];

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
        let given = ONLY_WITH_COMPLETED.iter().filter(|name| reader.is_given(name));
        let given: Vec<_> = given.copied().collect();
        let has_note = reader.is_given("note");
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
            let is_blank = !has_note || note.as_ref().is_some_and(|note| note.trim().is_empty());
            for issue in rules(decision, &given, (has_note, is_blank)) {
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
/// belong to `completed`. A note that is no text or too long is not blank: that is said of it already.
fn rules(decision: Decision, given: &[&str], (has_note, is_blank): (bool, bool)) -> Vec<String> {
    let note_issue = match decision {
        Decision::Completed => has_note.then_some("note: not with completed"),
        Decision::Approved => None,
        Decision::Rejected | Decision::Returned | Decision::Failed => is_blank.then_some("note: required"),
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
