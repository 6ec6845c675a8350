//! Use cases over ports in memory.

use std::collections::BTreeSet;
use std::sync::Arc;

use app::{App, Settings, SigningKeys};
use base::{
    AgentId, AgentRights, Caller, Digest, GroupId, OrganizationId, PersonId, PersonRole, Principal, Scope,
    Secret,
};
use base::{Timestamp, Ulid};
use contracts::{Read, ToolError, decode, envelope};
use formats::Format;
use run_actors::{LocalTimers, PlanError, Ports, Runs};
use run_core::{Actor, KeyId, Plan};
use run_ports::{VersionRow, Versions as _};
use run_sim::{ManualClock, MemoryStore, SeededRandom};
use serde::Serialize;
use serde_json::Value;

/// When every test begins.
const START_MILLIS: i64 = 1_700_000_000_000;

pub(crate) struct World {
    pub(crate) app: App,
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) clock: Arc<ManualClock>,
}

impl World {
    pub(crate) async fn new() -> Self {
        let store = Arc::new(MemoryStore::new());
        let clock = Arc::new(ManualClock::at(Timestamp::from_millis(START_MILLIS)));
        let ports = Ports {
            store: store.clone(),
            directory: store.clone(),
            reassignments: store.clone(),
            versions: store.clone(),
            timers: Arc::new(LocalTimers::default()),
            clock: clock.clone(),
            random: Arc::new(SeededRandom::new(1)),
            compile: Arc::new(compile),
        };
        let runs = Runs::start_root(ports, run_actors::Limits::default()).await;
        let app = App {
            settings: Settings::default(),
            runs: runs.expect("actors start in a runtime"),
            work: store.clone(),
            directory: store.clone(),
            versions: store.clone(),
            clock: clock.clone(),
            keys: SigningKeys::new(KeyId(1), Secret::new([1; 32])),
        };
        Self { app, store, clock }
    }

    /// Publishes a source past every check; the role `finance` is a group with `member` in it.
    pub(crate) async fn publish(&self, process: &str, source: &str) {
        let finance = GroupId::new(Ulid::from(9));
        let member = PersonId::new(Ulid::from(4));
        self.store.put_group(organization(), finance, [member]);
        let row = VersionRow {
            process: process.to_owned(),
            version: 0,
            format: Format::Process.as_str().to_owned(),
            source: source.as_bytes().to_vec(),
            content_hash: Digest::new([0; 32]),
            description: String::new(),
            published_at: Timestamp::from_millis(START_MILLIS),
            published_by: None,
        };
        let published = self
            .store
            .publish(organization(), row, vec![("finance".to_owned(), finance)])
            .await;
        published.expect("the store in memory works");
    }
}

impl World {
    /// Calls a tool as a door does: reads the arguments, asks the use case, wraps its answer.
    pub(crate) async fn call(&self, by: &Principal, tool: &str, arguments: Value) -> Value {
        let app = &self.app;
        match tool {
            "start_run" => answer(arguments, async |read| app::start_run(app, by, read).await).await,
            "claim" => answer(arguments, async |read| app::claim(app, by, read).await).await,
            "renew" => answer(arguments, async |read| app::renew(app, by, read).await).await,
            "submit" => answer(arguments, async |read| app::submit(app, by, read).await).await,
            "escalate" => answer(arguments, async |read| app::escalate(app, by, read).await).await,
            "decide" => answer(arguments, async |read| app::decide(app, by, read).await).await,
            "cancel" => answer(arguments, async |read| app::cancel(app, by, read).await).await,
            "send_event" => answer(arguments, async |read| app::send_event(app, by, read).await).await,
            "get_work" => answer(arguments, async |read| app::get_work(app, by, read).await).await,
            "describe" => answer(arguments, async |read| app::describe(app, by, read).await).await,
            "get_run" => answer(arguments, async |read| app::get_run(app, by, read).await).await,
            "list_runs" => answer(arguments, async |read| app::list_runs(app, by, read).await).await,
            "list_processes" => {
                answer(arguments, async |read| app::list_processes(app, by, read).await).await
            }
            other => panic!("no test calls {other}"),
        }
    }
}

async fn answer<A: Read, D: Serialize>(
    arguments: Value,
    use_case: impl AsyncFnOnce(A) -> Result<D, ToolError>,
) -> Value {
    let Value::Object(members) = arguments else {
        panic!("{arguments} is not an object");
    };
    match decode(members) {
        Ok(read) => envelope(&use_case(read).await),
        Err(refusal) => envelope::<D>(&Err(refusal)),
    }
}

pub(crate) fn compile(row: &VersionRow) -> Result<Arc<dyn Plan>, PlanError> {
    formats::compile(Format::Process, &row.source).map_err(|problems| PlanError {
        process: row.process.clone(),
        version: row.version,
        reason: format!("{problems:?}"),
    })
}

pub(crate) fn organization() -> OrganizationId {
    OrganizationId::new(Ulid::from(1))
}

pub(crate) fn agent() -> Principal {
    principal(&Actor::Agent(AgentId::new(Ulid::from(2))))
}

pub(crate) fn operator() -> Principal {
    principal(&Actor::Person(PersonId::new(Ulid::from(3))))
}

/// A person who is neither operator nor admin.
pub(crate) fn member() -> Principal {
    Principal {
        organization: organization(),
        caller: Caller::Person {
            id: PersonId::new(Ulid::from(4)),
            email: "mira@example.com".to_owned(),
            role: PersonRole::Member,
        },
    }
}

/// An agent that may start and work nothing.
pub(crate) fn bystander() -> Principal {
    Principal {
        organization: organization(),
        caller: Caller::Agent {
            id: AgentId::new(Ulid::from(5)),
            acting_for: None,
            rights: AgentRights {
                start: Scope::Processes(BTreeSet::new()),
                work: Scope::Processes(BTreeSet::new()),
            },
        },
    }
}

/// Another agent with every right.
pub(crate) fn other_agent() -> Principal {
    principal(&Actor::Agent(AgentId::new(Ulid::from(6))))
}

/// The identity, with every right that it can have.
pub(crate) fn principal(who: &Actor) -> Principal {
    Principal {
        organization: organization(),
        caller: match who {
            Actor::Agent(id) => Caller::Agent {
                id: *id,
                acting_for: None,
                rights: AgentRights {
                    start: Scope::All,
                    work: Scope::All,
                },
            },
            Actor::Person(id) => person(*id),
            Actor::Server => panic!("the server calls no tool"),
        },
    }
}

fn person(id: PersonId) -> Caller {
    Caller::Person {
        id,
        email: "mira@example.com".to_owned(),
        role: PersonRole::Operator,
    }
}
