//! What a person is asked to do (`tools.md`, work item).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Choice, EvidenceKind, Handoff, Mode, NEW_REQUEST_ID, Route};

/// Which kind of step an item stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkItemKind {
    /// An agent's step that was escalated.
    Agent,
    /// A task.
    Task,
    /// An approval.
    Approve,
}

/// What a person may decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The work is done.
    Completed,
    /// Yes.
    Approved,
    /// No.
    Rejected,
    /// Back to whoever works on the step.
    Returned,
    /// This ends the run.
    Failed,
}

impl Choice for Decision {
    const ALL: &'static [(&'static str, Self)] = &[
        ("completed", Self::Completed),
        ("approved", Self::Approved),
        ("rejected", Self::Rejected),
        ("returned", Self::Returned),
        ("failed", Self::Failed),
    ];
}

/// An open item of work for a group or a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WorkItem {
    /// The item's id.
    pub id: String,
    /// Its step.
    pub step_id: String,
    /// The kind of that step.
    pub kind: WorkItemKind,
    /// The instructions, or what is approved.
    pub text: String,
    /// The declared fields of the output; `None` on an approval and when the step declares none.
    pub output: Option<Map<String, Value>>,
    /// The kinds of evidence asked for; `None` on an approval and when the step declares none.
    pub evidence: Option<Vec<EvidenceKind>>,
    /// The routes to choose from; `None` on an approval and when there is no list.
    pub next: Option<Vec<Route>>,
    /// What came before on this attempt.
    pub handoff: Option<Handoff>,
    /// Who may decide.
    pub assigned_to: Assignee,
    /// The state of run data that a decision answers to.
    pub snapshot: String,
    /// When it is due.
    pub due: Option<String>,
    /// Set when an agent, or a check, handed the step to people.
    pub escalation: Option<Escalation>,
    /// Present only on a test run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// The call that decides it.
    pub decide: DecideCall,
}

/// Who an item is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Assignee {
    /// Any member of this group; the first decides.
    Group(String),
    /// This person: a value of type `person`.
    Person(String),
}

/// Why a step was handed to people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Escalation {
    /// What the agent wrote, or the server's fixed note.
    pub note: String,
    /// Who escalated.
    pub by: String,
    /// When.
    pub at: String,
    /// The verdict that could not be reached with confidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Value>,
    /// The submission held for a person to complete with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<Map<String, Value>>,
}

/// A ready-made call of `decide`, with the decisions that the item offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecideCall {
    /// Always `decide`.
    pub tool: String,
    /// Its arguments, but for the decision.
    pub arguments: DecideArguments,
    /// What may be decided.
    pub decisions: Vec<Decision>,
}

/// The arguments that every decision of an item has in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DecideArguments {
    /// The run.
    pub run_id: String,
    /// The item.
    pub work_item_id: String,
    /// The snapshot that was read.
    pub snapshot: String,
    /// The placeholder for the caller's own id.
    pub request_id: String,
}

impl DecideCall {
    /// The call for an item as it was read.
    pub fn new(run_id: &str, work_item_id: &str, snapshot: &str, decisions: Vec<Decision>) -> Self {
        Self {
            tool: "decide".to_owned(),
            arguments: DecideArguments {
                run_id: run_id.to_owned(),
                work_item_id: work_item_id.to_owned(),
                snapshot: snapshot.to_owned(),
                request_id: NEW_REQUEST_ID.to_owned(),
            },
            decisions,
        }
    }
}
