//! The people and agents around a run, and what they usually say.

use std::sync::Arc;
use std::time::Duration;

use base::{AgentId, AgentRights, Caller, GroupId, PersonId, PersonRole, RunId, Scope, Timestamp, Ulid};
use serde_json::Value;

use crate::command::{Lease, Verdict};
use crate::event::Assigned;
use crate::plan::Starter;
use crate::state::{Initiator, RunLimits, Submission};
use crate::{Actor, KeyId, Known, Map, Mode, StartRun};

pub(crate) const LEASE_SECONDS: u64 = 600;

fn ulid(n: u128) -> Ulid {
    Ulid(n)
}

/// The n-th agent, counted from 0.
pub(crate) fn agent_id(n: u128) -> AgentId {
    AgentId::new(ulid(n))
}

pub(crate) fn agent(n: u128) -> Caller {
    let rights = AgentRights {
        start: Scope::All,
        work: Scope::All,
    };
    Caller::Agent {
        id: agent_id(n),
        acting_for: None,
        rights,
    }
}

pub(crate) fn alpha() -> Caller {
    agent(0)
}

pub(crate) fn beta() -> Caller {
    agent(1)
}

pub(crate) fn person_id(name: &str) -> PersonId {
    let bytes = name.bytes().fold(0, |sum, byte| sum * 256 + u128::from(byte));
    PersonId::new(ulid(bytes))
}

pub(crate) fn email(name: &str) -> String {
    format!("{name}@example.com")
}

fn person(name: &str, role: PersonRole) -> Caller {
    Caller::Person {
        id: person_id(name),
        email: email(name),
        role,
    }
}

/// Of the group `finance`, with omar.
pub(crate) fn mira() -> Caller {
    person("mira", PersonRole::Member)
}

pub(crate) fn omar() -> Caller {
    person("omar", PersonRole::Member)
}

/// Alone in the group `legal`.
pub(crate) fn lena() -> Caller {
    person("lena", PersonRole::Member)
}

/// An operator.
pub(crate) fn olga() -> Caller {
    person("olga", PersonRole::Operator)
}

pub(crate) fn group(name: &str, members: &[&str]) -> Assigned {
    Assigned::Group {
        group: GroupId::new(person_id(name).ulid()),
        members: members.iter().map(|name| person_id(name)).collect(),
    }
}

/// All that the outside knows.
pub(crate) fn directory() -> Known {
    let mut known = Known::default();
    known.note_role("finance".to_owned(), Some(group("finance", &["mira", "omar"])));
    known.note_role("legal".to_owned(), Some(group("legal", &["lena"])));
    known.note_role("nobody".to_owned(), None);
    known.note_operators(group("operators", &["olga"]));
    known.note_member(email("lena"), Some(person_id("lena")));
    known.note_member(email("gone"), None);
    known.note_file("f_1".to_owned(), Some("aa".repeat(32)));
    known.note_file("f_404".to_owned(), None);
    known
}

pub(crate) fn map(value: Value) -> Arc<Map> {
    match value {
        Value::Object(map) => Arc::new(map),
        other => panic!("{other} is not an object"),
    }
}

/// A submission that is accepted wherever there is nothing to choose.
pub(crate) fn good() -> Submission {
    Submission {
        summary: Some("done".to_owned()),
        ..Submission::default()
    }
}

/// One that the test formats refuse with `output.bad: not declared`.
pub(crate) fn bad() -> Submission {
    Submission {
        output: map(serde_json::json!({ "bad": 1 })),
        ..good()
    }
}

pub(crate) fn route(next: &str) -> Submission {
    Submission {
        next: Some(next.to_owned()),
        reason: Some("it fits".to_owned()),
        ..good()
    }
}

pub(crate) fn approved() -> Verdict {
    Verdict::Approved { note: None }
}

pub(crate) fn rejected() -> Verdict {
    Verdict::Rejected {
        note: "not like this".to_owned(),
    }
}

pub(crate) fn returned() -> Verdict {
    Verdict::Returned {
        note: "look in the archive".to_owned(),
    }
}

pub(crate) fn failed() -> Verdict {
    Verdict::Failed {
        note: "it cannot be done".to_owned(),
    }
}

pub(crate) fn lease() -> Lease {
    Lease {
        duration: Duration::from_secs(LEASE_SECONDS),
        key: KeyId(1),
    }
}

/// The instant so many seconds after every run of these tests starts.
pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_700_000_000_000 + seconds * 1_000)
}

/// What starts a run, by mira.
pub(crate) fn start_command() -> StartRun {
    let initiator = Initiator {
        person: person_id("mira"),
        email: email("mira"),
    };
    StartRun {
        run: RunId::new(ulid(99)),
        version: 1,
        mode: Mode::Live,
        inputs: Arc::default(),
        starter: Starter {
            by: Actor::Person(person_id("mira")),
            initiator: Some(initiator),
        },
        limits: RunLimits {
            run_data_bytes: 262_144,
        },
    }
}
