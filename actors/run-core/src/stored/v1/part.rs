//! What events and rows have in common.

use std::sync::Arc;

use base::{AgentId, GroupId, PersonId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::event::{Assigned, CompletedResult, DeliveredFrom, Moved, Opening, Reserved, SentEvent, Then};
use crate::state::{EvidenceItem, Initiator, RunLimits};
use crate::stored::form::{By, List, Millis, Opt, Step, Text, forms, present};
use crate::words::{Actor, ClaimNumber, EvidenceKind, KeyId, Map, Mode, StepId};

#[derive(Serialize, Deserialize)]
#[serde(remote = "ClaimNumber")]
pub(super) struct ClaimNumberForm(u32);

#[derive(Serialize, Deserialize)]
#[serde(remote = "KeyId")]
pub(super) struct KeyIdForm(u32);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Mode", rename_all = "snake_case")]
pub(super) enum ModeForm {
    Live,
    Test,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "EvidenceKind", rename_all = "snake_case")]
pub(super) enum EvidenceKindForm {
    File,
    Link,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DeliveredFrom", rename_all = "snake_case")]
pub(super) enum DeliveredFromForm {
    Sender,
    Held,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Initiator", deny_unknown_fields)]
pub(super) struct InitiatorForm {
    #[serde(with = "Text")]
    person: PersonId,
    email: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RunLimits", deny_unknown_fields)]
pub(super) struct RunLimitsForm {
    run_data_bytes: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CompletedResult", deny_unknown_fields)]
pub(super) struct CompletedResultForm {
    output: Arc<Map>,
    #[serde(with = "List::<EvidenceItemForm>")]
    evidence: Vec<EvidenceItem>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "EvidenceItem", deny_unknown_fields)]
struct EvidenceItemForm {
    #[serde(with = "EvidenceKindForm")]
    kind: EvidenceKind,
    reference: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "SentEvent", deny_unknown_fields)]
pub(super) struct SentEventForm {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<Arc<Map>>,
    #[serde(with = "By")]
    by: Actor,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Then", deny_unknown_fields)]
pub(super) struct ThenForm {
    /// A memory that became `null` is another thing than one that stayed as it was.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    memory: Option<Value>,
    #[serde(with = "List::<MovedForm>")]
    moves: Vec<Moved>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Moved", rename_all = "snake_case", deny_unknown_fields)]
enum MovedForm {
    Reached {
        #[serde(with = "Step")]
        step: StepId,
        #[serde(default, with = "Opt::<Millis>", skip_serializing_if = "Option::is_none")]
        due: Option<Timestamp>,
        #[serde(with = "OpeningForm")]
        opening: Opening,
    },
    Withdrawn {
        #[serde(with = "Step")]
        step: StepId,
    },
    Satisfied {
        #[serde(with = "Step")]
        step: StepId,
    },
    Rewound {
        #[serde(with = "Step")]
        step: StepId,
    },
    Ended {
        outcome: String,
        #[serde(with = "By")]
        by: Actor,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Opening", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum OpeningForm {
    Ready {
        #[serde(
            default,
            with = "Opt::<ReservedForm>",
            skip_serializing_if = "Option::is_none"
        )]
        reserved: Option<Reserved>,
    },
    Item {
        item: u32,
        #[serde(with = "AssignedForm")]
        assigned: Assigned,
    },
    Timer {
        #[serde(with = "Millis")]
        until: Timestamp,
    },
    Listening {
        event: String,
        #[serde(default, with = "Opt::<Millis>", skip_serializing_if = "Option::is_none")]
        timeout_at: Option<Timestamp>,
    },
    Held,
    Failed {
        note: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Reserved", deny_unknown_fields)]
struct ReservedForm {
    #[serde(with = "Text")]
    agent: AgentId,
    #[serde(with = "Millis")]
    until: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Assigned", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum AssignedForm {
    Group {
        #[serde(with = "Text")]
        group: GroupId,
        #[serde(with = "List::<Text<PersonId>>")]
        members: Vec<PersonId>,
    },
    Person {
        #[serde(with = "Text")]
        person: PersonId,
        value: String,
    },
}

forms!(
    EvidenceKindForm => EvidenceKind,
    InitiatorForm => Initiator,
    CompletedResultForm => CompletedResult,
    EvidenceItemForm => EvidenceItem,
    MovedForm => Moved,
    ReservedForm => Reserved,
);
