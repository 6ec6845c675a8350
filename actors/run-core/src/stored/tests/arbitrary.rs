//! Any event and any row; boxed, because the unboxed types overflow the stack of a test. Texts and numbers are chosen to break what treats them carelessly.

use std::sync::Arc;

use base::{AgentId, GroupId, PersonId, RunId, Timestamp, Ulid, WorkItemId};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::event::{
    Assigned, CompletedResult, DeliveredFrom, Event, EventKind, Moved, Opening, Reserved, RunStarted,
    SentEvent, Then,
};
use crate::plan::Route;
use crate::state::{Escalation, EvidenceItem, Handoff, Initiator, Returned, RunLimits};
use crate::view::{Contract, WorkItemView};
use crate::words::{Actor, ClaimNumber, DecisionWord, EvidenceKind, KeyId, Map, Mode, StepId, StepKind};

const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-0.0",
    "1",
    "2.50",
    "9007199254740993",
    "12345678901234567890.10",
    "1e400",
    "-1.0e-7",
    "18446744073709551616",
];

pub(super) fn event() -> impl Strategy<Value = Event> {
    (1..u64::MAX, instant(), kind()).prop_map(|(seq, at, kind)| Event { seq, at, kind })
}

pub(super) fn item() -> impl Strategy<Value = WorkItemView> {
    let about = (ulid(), any::<u32>(), step(), text(), mode());
    let state = (
        handoff(),
        assigned(),
        of(instant()),
        of((text(), actor(), instant())),
    );
    let words = [
        DecisionWord::Completed,
        DecisionWord::Approved,
        DecisionWord::Rejected,
        DecisionWord::Returned,
        DecisionWord::Failed,
    ];
    let kinds = [
        StepKind::Agent,
        StepKind::Task,
        StepKind::Approve,
        StepKind::WaitUntil,
    ];
    let shown = (
        select(kinds.to_vec()),
        contract(),
        vec(select(words.to_vec()), 0..4),
    );
    (about, state, shown).prop_map(
        |((run, number, step, text, mode), state, (kind, contract, decisions))| {
            let (handoff, assigned, due, escalation) = state;
            WorkItemView {
                id: WorkItemId {
                    run: RunId::new(run),
                    number,
                },
                step,
                kind,
                text: text.into(),
                contract,
                handoff,
                assigned,
                due,
                escalation: escalation.map(|(note, by, at)| Escalation { note, by, at }),
                mode,
                decisions,
            }
        },
    )
}

fn kind() -> BoxedStrategy<EventKind> {
    prop_oneof![
        run_started(),
        agent_event(),
        person_event(),
        server_event(),
        outside_event()
    ]
    .boxed()
}

fn run_started() -> BoxedStrategy<EventKind> {
    let about = (ulid(), text(), any::<u32>(), mode());
    let who = (actor(), of((person(), text())));
    (about, who, map(), any::<u32>(), then())
        .prop_map(
            |((run, process, version, mode), (by, initiator), inputs, bytes, then)| {
                EventKind::RunStarted(Box::new(RunStarted {
                    run: RunId::new(run),
                    process,
                    version,
                    mode,
                    by,
                    initiator: initiator.map(|(person, email)| Initiator { person, email }),
                    inputs,
                    limits: RunLimits {
                        run_data_bytes: bytes as usize,
                    },
                    then,
                }))
            },
        )
        .boxed()
}

fn agent_event() -> BoxedStrategy<EventKind> {
    let lease = || {
        (
            step(),
            any::<u32>().prop_map(ClaimNumber),
            instant(),
            any::<u32>().prop_map(KeyId),
        )
    };
    prop_oneof![
        (lease(), agent()).prop_map(|((step, claim, expires_at, key), by)| {
            EventKind::StepClaimed {
                step,
                claim,
                by,
                expires_at,
                key,
            }
        }),
        (lease(), of(text())).prop_map(|((step, claim, expires_at, key), progress)| {
            EventKind::ClaimRenewed {
                step,
                claim,
                expires_at,
                key,
                progress,
            }
        }),
        (step(), vec(text(), 0..3)).prop_map(|(step, issues)| EventKind::SubmissionRefused { step, issues }),
        (step(), actor(), result(), then()).prop_map(|(step, by, result, then)| {
            EventKind::StepCompleted {
                step,
                by,
                result: Box::new(result),
                then,
            }
        }),
        (step(), actor(), text(), any::<u32>(), assigned()).prop_map(|(step, by, note, item, assigned)| {
            EventKind::StepEscalated {
                step,
                by,
                note,
                item,
                assigned,
            }
        }),
    ]
    .boxed()
}

fn person_event() -> BoxedStrategy<EventKind> {
    let decided = || (step(), person(), text(), then());
    prop_oneof![
        (step(), person(), of(text()), then()).prop_map(|(step, by, note, then)| EventKind::StepApproved {
            step,
            by,
            note,
            then
        }),
        decided().prop_map(|(step, by, note, then)| EventKind::StepRejected { step, by, note, then }),
        decided().prop_map(|(step, by, note, then)| EventKind::StepFailed { step, by, note, then }),
        (step(), person(), text(), (opening(), then())).prop_map(|(step, by, note, (opening, then))| {
            EventKind::StepReturned {
                step,
                by,
                note,
                opening,
                then,
            }
        }),
        (person(), text()).prop_map(|(by, reason)| EventKind::RunCancelled { by, reason }),
    ]
    .boxed()
}

fn server_event() -> BoxedStrategy<EventKind> {
    prop_oneof![
        step().prop_map(|step| EventKind::StepOverdue { step }),
        (step(), then()).prop_map(|(step, then)| EventKind::WaitElapsed { step, then }),
        (step(), then()).prop_map(|(step, then)| EventKind::WaitTimedOut { step, then }),
    ]
    .boxed()
}

fn outside_event() -> BoxedStrategy<EventKind> {
    let from = select(&[DeliveredFrom::Sender, DeliveredFrom::Held][..]);
    prop_oneof![
        sent().prop_map(EventKind::EventHeld),
        (step(), sent(), from, then()).prop_map(|(step, event, from, then)| EventKind::EventDelivered {
            step,
            event,
            from,
            then
        }),
        (sent(), then()).prop_map(|(event, then)| EventKind::EventTaken { event, then }),
        (step(), assigned()).prop_map(|(step, assigned)| EventKind::ItemReassigned { step, assigned }),
        (actor(), value(), then()).prop_map(|(by, change, then)| EventKind::RunAdjusted { by, change, then }),
    ]
    .boxed()
}

fn then() -> BoxedStrategy<Then> {
    (of(value()), vec(moved(), 0..3))
        .prop_map(|(memory, moves)| Then { memory, moves })
        .boxed()
}

fn moved() -> BoxedStrategy<Moved> {
    prop_oneof![
        (step(), of(instant()), opening()).prop_map(|(step, due, opening)| Moved::Reached {
            step,
            due,
            opening
        }),
        step().prop_map(|step| Moved::Withdrawn { step }),
        step().prop_map(|step| Moved::Satisfied { step }),
        step().prop_map(|step| Moved::Rewound { step }),
        (text(), actor(), of(text())).prop_map(|(outcome, by, note)| Moved::Ended { outcome, by, note }),
    ]
    .boxed()
}

fn opening() -> BoxedStrategy<Opening> {
    let reserved = (agent(), instant()).prop_map(|(agent, until)| Reserved { agent, until });
    prop_oneof![
        of(reserved).prop_map(|reserved| Opening::Ready { reserved }),
        (any::<u32>(), assigned()).prop_map(|(item, assigned)| Opening::Item { item, assigned }),
        instant().prop_map(|until| Opening::Timer { until }),
        (text(), of(instant())).prop_map(|(event, timeout_at)| Opening::Listening { event, timeout_at }),
        Just(Opening::Held),
        text().prop_map(|note| Opening::Failed { note }),
    ]
    .boxed()
}

fn assigned() -> impl Strategy<Value = Assigned> {
    prop_oneof![
        (ulid().prop_map(GroupId::new), vec(person(), 0..3))
            .prop_map(|(group, members)| Assigned::Group { group, members }),
        (person(), text()).prop_map(|(person, value)| Assigned::Person { person, value }),
    ]
}

fn result() -> BoxedStrategy<CompletedResult> {
    let said = (of(text()), of(text()), of(text()));
    (map(), vec(evidence(), 0..3), said)
        .prop_map(|(output, evidence, (summary, next, reason))| CompletedResult {
            output,
            evidence,
            summary,
            next,
            reason,
        })
        .boxed()
}

fn evidence() -> impl Strategy<Value = EvidenceItem> {
    let kind = select(&[EvidenceKind::File, EvidenceKind::Link][..]);
    (kind, text(), of(text())).prop_map(|(kind, reference, sha256)| EvidenceItem {
        kind,
        reference,
        sha256,
    })
}

fn sent() -> impl Strategy<Value = SentEvent> {
    (text(), of(map()), actor()).prop_map(|(name, data, by)| SentEvent { name, data, by })
}

fn handoff() -> impl Strategy<Value = Handoff> {
    let returned = (text(), person(), instant()).prop_map(|(note, by, at)| Returned { note, by, at });
    (of(text()), of(returned), of(vec(text(), 0..3))).prop_map(|(progress, returned, issues)| Handoff {
        progress,
        returned,
        issues,
    })
}

fn contract() -> impl Strategy<Value = Contract> {
    let kinds = select(&[EvidenceKind::File, EvidenceKind::Link][..]);
    let route = (text(), of(text())).prop_map(|(to, when)| Route { to, when });
    (of(map()), of(vec(kinds, 0..3)), of(vec(route, 0..3))).prop_map(|(output, evidence, routes)| Contract {
        output,
        evidence,
        routes,
    })
}

fn map() -> BoxedStrategy<Arc<Map>> {
    proptest::collection::btree_map(text(), value(), 0..4)
        .prop_map(|fields| Arc::new(fields.into_iter().collect()))
        .boxed()
}

fn value() -> BoxedStrategy<Value> {
    let number = select(NUMBERS).prop_map(|text| text.parse().map_or(Value::Null, Value::Number));
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number,
        text().prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::Array),
            proptest::collection::btree_map(text(), inner, 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
    .boxed()
}

fn actor() -> impl Strategy<Value = Actor> {
    prop_oneof![
        agent().prop_map(Actor::Agent),
        person().prop_map(Actor::Person),
        Just(Actor::Server)
    ]
}

fn mode() -> impl Strategy<Value = Mode> {
    select(&[Mode::Live, Mode::Test][..])
}

fn agent() -> impl Strategy<Value = AgentId> {
    ulid().prop_map(AgentId::new)
}

fn person() -> impl Strategy<Value = PersonId> {
    ulid().prop_map(PersonId::new)
}

fn ulid() -> impl Strategy<Value = Ulid> {
    any::<u128>().prop_map(Ulid)
}

fn step() -> impl Strategy<Value = StepId> {
    "[a-z][a-z0-9_-]{0,8}".prop_map(|name| StepId::from(name.as_str()))
}

fn instant() -> impl Strategy<Value = Timestamp> {
    any::<i64>().prop_map(Timestamp::from_millis)
}

/// Any characters but NUL, which the door refuses.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[^\u{0}]{0,12}",
        Just("server".to_owned()),
        Just("\"}\\{,\u{2028}é".to_owned())
    ]
}
