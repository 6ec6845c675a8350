//! What deciding costs without a database and without a door.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{
    AgentId, AgentRights, Caller, GroupId, PersonId, PersonRole, RunId, Scope, Timestamp, Ulid, WorkItemId,
};
use run_core::command::{Lease, Verdict};
use run_core::event::Assigned;
use run_core::plan::Starter;
use run_core::state::{RunLimits, Submission};
use run_core::{
    Actor, ClaimId, ClaimNumber, Command, Decision, Event, KeyId, Known, Map, Mode, Plan, RunState, StartRun,
    decide, start,
};
use serde_json::Value;

const TIME: Duration = Duration::from_secs(2);
const NOW_MILLIS: i64 = 1_800_000_000_000;
const COMMANDS: u32 = 4;

/// Commands a second, decided and applied: errands from their start to their end.
pub(crate) fn rate() -> Result<f64, Box<dyn Error>> {
    let plan = formats::compile(formats::Format::Process, crate::ERRAND.as_bytes())
        .map_err(|problems| format!("{problems:?}"))?;
    let cast = Cast::new();
    let (mut errands, begun) = (0_u32, Instant::now());
    while begun.elapsed() < TIME {
        errands += 1;
        let run = RunId::new(Ulid::from(u128::from(errands)));
        errand(&*plan, &cast, run)?;
    }
    Ok(f64::from(errands * COMMANDS) / begun.elapsed().as_secs_f64())
}

struct Cast {
    agent: AgentId,
    working: Caller,
    person: PersonId,
    deciding: Caller,
    known: Known,
}

impl Cast {
    fn new() -> Self {
        let (agent, person) = (
            AgentId::new(Ulid::from(1_u128)),
            PersonId::new(Ulid::from(2_u128)),
        );
        let rights = AgentRights {
            start: Scope::All,
            work: Scope::All,
        };
        let mut known = Known::default();
        let finance = Assigned::Group {
            group: GroupId::new(Ulid::from(3_u128)),
            members: vec![person],
        };
        known.note_role("finance".to_owned(), Some(finance));
        Self {
            agent,
            working: Caller::Agent {
                id: agent,
                acting_for: None,
                rights,
            },
            person,
            deciding: Caller::Person {
                id: person,
                email: "mira@example.com".to_owned(),
                role: PersonRole::Member,
            },
            known,
        }
    }
}

/// Started, claimed, submitted, approved: each decided on the state that its predecessors' events have made.
fn errand(plan: &dyn Plan, cast: &Cast, run: RunId) -> Result<(), String> {
    let begin = StartRun {
        run,
        version: 1,
        mode: Mode::Live,
        inputs: one("what", "x"),
        starter: Starter {
            by: Actor::Person(cast.person),
            initiator: None,
        },
        limits: RunLimits {
            run_data_bytes: 262_144,
        },
    };
    let started = start(plan, &begin, now(), &cast.known).map_err(|refusal| refusal.to_string())?;
    let mut state = RunState::fold(&accepted(started)?).ok_or("the first event is no start")?;
    let key = KeyId(1);
    let claim = Command::Claim {
        step: "do".to_owned(),
        by: cast.working.clone(),
        lease: Lease {
            duration: Duration::from_mins(10),
            key,
        },
    };
    go_on(plan, &mut state, (&claim, &cast.known))?;
    let submit = Command::Submit {
        claim: ClaimId {
            run,
            number: ClaimNumber(0),
            agent: cast.agent,
            key,
        },
        by: cast.working.clone(),
        submission: Submission {
            output: one("result", "y"),
            evidence: Vec::new(),
            summary: Some("Done.".to_owned()),
            next: None,
            reason: None,
        },
    };
    go_on(plan, &mut state, (&submit, &cast.known))?;
    let approve = Command::Decide {
        item: WorkItemId { run, number: 0 }.to_string(),
        by: cast.deciding.clone(),
        snapshot: state.snapshot().to_string(),
        verdict: Verdict::Approved { note: None },
    };
    go_on(plan, &mut state, (&approve, &cast.known))?;
    if state.is_running() {
        return Err("the errand goes on".to_owned());
    }
    Ok(())
}

fn go_on(plan: &dyn Plan, state: &mut RunState, (command, known): (&Command, &Known)) -> Result<(), String> {
    for event in accepted(decide(plan, state, command, now(), known))? {
        state.evolve(&event);
    }
    Ok(())
}

fn now() -> Timestamp {
    Timestamp::from_millis(NOW_MILLIS)
}

fn accepted(decision: Decision) -> Result<Vec<Event>, String> {
    match decision {
        Decision::Accepted(written) => Ok(written.events),
        Decision::Refused { refusal, .. } => Err(refusal.to_string()),
        Decision::Needs(queries) => Err(format!("not known: {queries:?}")),
    }
}

fn one(name: &str, value: &str) -> Arc<Map> {
    Arc::new(Map::from_iter([(name.to_owned(), Value::from(value))]))
}
