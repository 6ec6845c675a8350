//! Rows of lists.

use std::sync::Arc;

use base::{PersonId, Timestamp, WorkItemId};
use serde::{Deserialize, Serialize};

use super::part::{AssignedForm, EvidenceKindForm, ModeForm};
use crate::event::Assigned;
use crate::plan::Route;
use crate::state::{Escalation, Handoff, Returned};
use crate::stored::form::{By, List, Millis, Opt, Step, Text, forms};
use crate::view::{Contract, WorkItemView};
use crate::words::{Actor, DecisionWord, EvidenceKind, Map, Mode, StepId, StepKind};

#[derive(Serialize, Deserialize)]
#[serde(remote = "WorkItemView", deny_unknown_fields)]
pub(super) struct ItemForm {
    #[serde(with = "Text")]
    id: WorkItemId,
    #[serde(with = "Step")]
    step: StepId,
    #[serde(with = "StepKindForm")]
    kind: StepKind,
    text: Arc<str>,
    #[serde(with = "ContractForm")]
    contract: Contract,
    #[serde(with = "HandoffForm")]
    handoff: Handoff,
    #[serde(with = "AssignedForm")]
    assigned: Assigned,
    #[serde(default, with = "Opt::<Millis>", skip_serializing_if = "Option::is_none")]
    due: Option<Timestamp>,
    #[serde(
        default,
        with = "Opt::<EscalationForm>",
        skip_serializing_if = "Option::is_none"
    )]
    escalation: Option<Escalation>,
    #[serde(with = "ModeForm")]
    mode: Mode,
    #[serde(with = "List::<DecisionForm>")]
    decisions: Vec<DecisionWord>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "StepKind", rename_all = "snake_case")]
enum StepKindForm {
    Agent,
    Task,
    Approve,
    Wait,
    WaitUntil,
    WaitFor,
    Finish,
    Parallel,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Contract", deny_unknown_fields)]
struct ContractForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output: Option<Arc<Map>>,
    #[serde(
        default,
        with = "Opt::<List<EvidenceKindForm>>",
        skip_serializing_if = "Option::is_none"
    )]
    evidence: Option<Vec<EvidenceKind>>,
    #[serde(
        default,
        with = "Opt::<List<RouteForm>>",
        skip_serializing_if = "Option::is_none"
    )]
    routes: Option<Vec<Route>>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Route", deny_unknown_fields)]
struct RouteForm {
    to: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    when: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Handoff", deny_unknown_fields)]
pub(super) struct HandoffForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    progress: Option<String>,
    #[serde(
        default,
        with = "Opt::<ReturnedForm>",
        skip_serializing_if = "Option::is_none"
    )]
    returned: Option<Returned>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    issues: Option<Vec<String>>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Returned", deny_unknown_fields)]
struct ReturnedForm {
    note: String,
    #[serde(with = "Text")]
    by: PersonId,
    #[serde(with = "Millis")]
    at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Escalation", deny_unknown_fields)]
struct EscalationForm {
    note: String,
    #[serde(with = "By")]
    by: Actor,
    #[serde(with = "Millis")]
    at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DecisionWord", rename_all = "snake_case")]
enum DecisionForm {
    Completed,
    Approved,
    Rejected,
    Returned,
    Failed,
}

forms!(
    ItemForm => WorkItemView,
    HandoffForm => Handoff,
    RouteForm => Route,
    ReturnedForm => Returned,
    EscalationForm => Escalation,
    DecisionForm => DecisionWord,
);
