//! One event of every kind, as its sample file has it.

use std::sync::Arc;

use base::{AgentId, GroupId, PersonId, RunId, Timestamp, Ulid, WorkItemId};
use serde_json::Value;

use crate::event::{
    Assigned, CompletedResult, DeliveredFrom, EventKind, Moved, Opening, Reserved, RunStarted, SentEvent,
    Then,
};
use crate::plan::Route;
use crate::state::{Escalation, EvidenceItem, Handoff, Initiator, Returned, RunLimits};
use crate::view::{Contract, WorkItemView};
use crate::words::{Actor, ClaimNumber, DecisionWord, EvidenceKind, KeyId, Map, Mode, StepKind};

/// The instant of every sample: 2023-11-14T22:13:20.005Z.
pub(super) const AT: i64 = 1_700_000_000_005;

/// Kind, text and meaning.
pub(super) type Sample = (&'static str, &'static str, fn() -> EventKind);

macro_rules! samples {
    ($($kind:ident),+ $(,)?) => {
        &[$((stringify!($kind), include_str!(concat!("../../../samples/v1/", stringify!($kind), ".json")), $kind)),+]
    };
}

pub(super) const SAMPLES: &[Sample] = samples![
    run_started,
    step_claimed,
    claim_renewed,
    submission_refused,
    step_completed,
    step_approved,
    step_rejected,
    step_failed,
    step_escalated,
    step_returned,
    step_overdue,
    wait_elapsed,
    wait_timed_out,
    event_held,
    event_delivered,
    event_taken,
    item_reassigned,
    run_adjusted,
    run_cancelled,
];

/// The sample instant and so many seconds.
pub(super) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(AT + seconds * 1_000)
}

fn ulid(n: u64) -> Ulid {
    Ulid::from_parts(1_700_000_000_000, n.into())
}

fn agent() -> AgentId {
    AgentId::new(ulid(1))
}

fn mira() -> PersonId {
    PersonId::new(ulid(2))
}

fn olga() -> PersonId {
    PersonId::new(ulid(3))
}

fn run() -> RunId {
    RunId::new(ulid(9))
}

fn finance() -> Assigned {
    Assigned::Group {
        group: GroupId::new(ulid(4)),
        members: vec![mira(), olga()],
    }
}

fn lena() -> Assigned {
    Assigned::Person {
        person: PersonId::new(ulid(5)),
        value: "Lena@example.com".to_owned(),
    }
}

fn map(text: &str) -> Arc<Map> {
    Arc::new(serde_json::from_str(text).expect("a fixed text"))
}

fn invoice() -> Arc<Map> {
    map(r#"{"amount":12345678901234567890.10,"cleared":false,"to":"Kowalska & Söhne"}"#)
}

fn then(moves: Vec<Moved>) -> Then {
    Then { memory: None, moves }
}

fn ready(step: &str) -> Moved {
    Moved::Reached {
        step: step.into(),
        due: None,
        opening: Opening::Ready { reserved: None },
    }
}

fn paid() -> SentEvent {
    SentEvent {
        name: "paid".to_owned(),
        data: Some(map(r#"{"cents":1e2}"#)),
        by: Actor::Agent(agent()),
    }
}

fn run_started() -> EventKind {
    let reserved = Reserved {
        agent: agent(),
        until: at(60),
    };
    let opening = Opening::Ready {
        reserved: Some(reserved),
    };
    let reached = Moved::Reached {
        step: "check".into(),
        due: Some(at(86_400)),
        opening,
    };
    EventKind::RunStarted(Box::new(RunStarted {
        run: run(),
        process: "invoice-approval".to_owned(),
        version: 3,
        mode: Mode::Test,
        by: Actor::Person(mira()),
        initiator: Some(Initiator {
            person: mira(),
            email: "mira@example.com".to_owned(),
        }),
        inputs: invoice(),
        limits: RunLimits {
            run_data_bytes: 262_144,
        },
        then: Then {
            memory: Some(serde_json::json!({ "retries": { "check": 0 } })),
            moves: vec![reached],
        },
    }))
}

fn step_claimed() -> EventKind {
    EventKind::StepClaimed {
        step: "check".into(),
        claim: ClaimNumber(0),
        by: agent(),
        expires_at: at(600),
        key: KeyId(1),
    }
}

fn claim_renewed() -> EventKind {
    EventKind::ClaimRenewed {
        step: "check".into(),
        claim: ClaimNumber(1),
        expires_at: at(900),
        key: KeyId(2),
        progress: Some("half of the lines compared".to_owned()),
    }
}

fn submission_refused() -> EventKind {
    EventKind::SubmissionRefused {
        step: "check".into(),
        issues: vec![
            "summary: missing".to_owned(),
            "output.cleared: expected boolean".to_owned(),
        ],
    }
}

fn step_completed() -> EventKind {
    let file = EvidenceItem {
        kind: EvidenceKind::File,
        reference: "f_01HF7YAT0000000000000000RS".to_owned(),
        sha256: Some("0123456789abcdef".repeat(4)),
    };
    let link = EvidenceItem {
        kind: EvidenceKind::Link,
        reference: "https://example.com/1".to_owned(),
        sha256: None,
    };
    let result = CompletedResult {
        output: invoice(),
        evidence: vec![file, link],
        summary: Some("compared with the order".to_owned()),
        next: Some("approve".to_owned()),
        reason: Some("more than 1000".to_owned()),
    };
    let opening = Opening::Item {
        item: 0,
        assigned: finance(),
    };
    EventKind::StepCompleted {
        step: "check".into(),
        by: Actor::Agent(agent()),
        result: Box::new(result),
        then: then(vec![Moved::Reached {
            step: "approve".into(),
            due: None,
            opening,
        }]),
    }
}

fn step_approved() -> EventKind {
    let ended = Moved::Ended {
        outcome: "paid".to_owned(),
        by: Actor::Server,
        note: None,
    };
    EventKind::StepApproved {
        step: "approve".into(),
        by: mira(),
        note: Some("fine".to_owned()),
        then: then(vec![Moved::Satisfied { step: "done".into() }, ended]),
    }
}

fn step_rejected() -> EventKind {
    EventKind::StepRejected {
        step: "approve".into(),
        by: mira(),
        note: "wrong amount".to_owned(),
        then: then(vec![Moved::Rewound { step: "book".into() }, ready("check")]),
    }
}

fn step_failed() -> EventKind {
    EventKind::StepFailed {
        step: "approve".into(),
        by: mira(),
        note: "the vendor is gone".to_owned(),
        then: then(vec![Moved::Ended {
            outcome: "failed".to_owned(),
            by: Actor::Person(mira()),
            note: Some("the vendor is gone".to_owned()),
        }]),
    }
}

fn step_escalated() -> EventKind {
    EventKind::StepEscalated {
        step: "check".into(),
        by: Actor::Agent(agent()),
        note: "the order is missing".to_owned(),
        item: 1,
        assigned: finance(),
    }
}

fn step_returned() -> EventKind {
    EventKind::StepReturned {
        step: "check".into(),
        by: olga(),
        note: "it is in the archive".to_owned(),
        opening: Opening::Item {
            item: 2,
            assigned: lena(),
        },
        then: Then::default(),
    }
}

fn step_overdue() -> EventKind {
    EventKind::StepOverdue { step: "check".into() }
}

fn wait_elapsed() -> EventKind {
    let listening = Opening::Listening {
        event: "paid".to_owned(),
        timeout_at: Some(at(3_600)),
    };
    EventKind::WaitElapsed {
        step: "cool-off".into(),
        then: then(vec![
            Moved::Reached {
                step: "payment".into(),
                due: None,
                opening: listening,
            },
            Moved::Reached {
                step: "reminder".into(),
                due: None,
                opening: Opening::Timer { until: at(60) },
            },
        ]),
    }
}

fn wait_timed_out() -> EventKind {
    let held = Moved::Reached {
        step: "both".into(),
        due: None,
        opening: Opening::Held,
    };
    EventKind::WaitTimedOut {
        step: "payment".into(),
        then: Then {
            memory: Some(Value::Null),
            moves: vec![
                Moved::Withdrawn {
                    step: "reminder".into(),
                },
                held,
            ],
        },
    }
}

fn event_held() -> EventKind {
    EventKind::EventHeld(SentEvent {
        name: "paid".to_owned(),
        data: None,
        by: Actor::Person(olga()),
    })
}

fn event_delivered() -> EventKind {
    let failed = Opening::Failed {
        note: "the role finance is not mapped to a group".to_owned(),
    };
    EventKind::EventDelivered {
        step: "payment".into(),
        event: paid(),
        from: DeliveredFrom::Held,
        then: then(vec![Moved::Reached {
            step: "approve".into(),
            due: None,
            opening: failed,
        }]),
    }
}

fn event_taken() -> EventKind {
    EventKind::EventTaken {
        event: paid(),
        then: then(Vec::new()),
    }
}

fn item_reassigned() -> EventKind {
    EventKind::ItemReassigned {
        step: "approve".into(),
        assigned: lena(),
    }
}

fn run_adjusted() -> EventKind {
    EventKind::RunAdjusted {
        by: Actor::Server,
        change: serde_json::json!({ "gate": "approve", "delegated": true }),
        then: then(Vec::new()),
    }
}

fn run_cancelled() -> EventKind {
    EventKind::RunCancelled {
        by: olga(),
        reason: "entered twice".to_owned(),
    }
}

pub(super) fn item() -> WorkItemView {
    let route = |to: &str, when: Option<&str>| Route {
        to: to.to_owned(),
        when: when.map(str::to_owned),
    };
    WorkItemView {
        id: WorkItemId {
            run: run(),
            number: 12,
        },
        step: "check".into(),
        kind: StepKind::Task,
        text: "Compare the invoice with the order.".into(),
        contract: Contract {
            output: Some(map(r#"{"cleared":"boolean"}"#)),
            evidence: Some(vec![EvidenceKind::File]),
            routes: Some(vec![
                route("approve", Some("more than 1000")),
                route("book", None),
            ]),
        },
        handoff: handoff(),
        assigned: finance(),
        due: Some(at(86_400)),
        escalation: Some(Escalation {
            note: "the order is missing".to_owned(),
            by: Actor::Agent(agent()),
            at: at(30),
        }),
        mode: Mode::Live,
        decisions: vec![
            DecisionWord::Returned,
            DecisionWord::Completed,
            DecisionWord::Failed,
        ],
    }
}

pub(super) fn handoff() -> Handoff {
    Handoff {
        progress: Some("half of the lines compared".to_owned()),
        returned: Some(Returned {
            note: "it is in the archive".to_owned(),
            by: olga(),
            at: at(60),
        }),
        issues: Some(vec!["summary: missing".to_owned()]),
    }
}
