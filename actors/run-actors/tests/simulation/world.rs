//! Organizations, servers that come and go, and what everybody was told.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use base::{
    AgentId, AgentRights, Caller, Digest, GroupId, OrganizationId, PersonId, PersonRole, RunId, Scope,
    Timestamp, Ulid,
};
use formats::{Format, compile};
use futures::FutureExt;
use run_actors::{Keeper, Limits, LocalTimers, Ports, RunError, Runs};
use run_core::{Actor, Command, Event, Map, Rendered, RunState};
use run_ports::{RequestKey, RequestRow, RunStore, VersionRow, Versions};
use run_sim::processes::{NEW_YEAR_MILLIS, Process, ROLES};
use run_sim::{Dice, SeededRandom};
use tokio::time::Instant;

use crate::link::{Database, Fates, Link, VirtualClock, lock};
use crate::watched::Watched;

/// Organizations of a simulation.
const ORGANIZATIONS: usize = 2;
/// Processes of each, all of one name: they are published in turn.
const PROCESSES: usize = 3;
/// How far the clocks of servers are apart, in milliseconds: those that follow PostgreSQL's differ by less.
pub(crate) const SKEW_MILLIS: usize = 2_000;
/// The name that every drawn process has.
pub(crate) const PROCESS: &str = "drawn";

/// The members of an organization: mira and omar are `finance`, lena is `legal`, olga is an operator.
const PEOPLE: [(&str, PersonRole); 4] = [
    ("mira", PersonRole::Member),
    ("omar", PersonRole::Member),
    ("lena", PersonRole::Member),
    ("olga", PersonRole::Operator),
];

/// An organization.
pub(crate) struct Organization {
    pub(crate) id: OrganizationId,
    pub(crate) processes: Vec<Process>,
    /// The place of each version among the processes.
    versions: Mutex<Vec<usize>>,
    /// Runs whose start was acknowledged, with the place of their process.
    runs: Mutex<Vec<(RunId, usize)>>,
}

impl Organization {
    /// Its runs so far, with the place of each one's process.
    pub(crate) fn runs(&self) -> Vec<(RunId, usize)> {
        lock(&self.runs).clone()
    }

    /// One more, whose start was acknowledged.
    pub(crate) fn add_run(&self, run: RunId, version: u32) {
        let process = lock(&self.versions)[version as usize - 1];
        lock(&self.runs).push((run, process));
    }

    /// The versions so far, each as the place of its process.
    pub(crate) fn versions(&self) -> Vec<usize> {
        lock(&self.versions).clone()
    }

    /// What a run runs.
    pub(crate) fn process_of(&self, run: RunId) -> &Process {
        let runs = self.runs();
        let found = runs.iter().find(|(known, _)| *known == run);
        &self.processes[found.expect("its start was acknowledged").1]
    }
}

/// A server that runs.
pub(crate) struct Server {
    pub(crate) runs: Runs,
    _keeper: Keeper,
    is_dead: Arc<Watched<bool>>,
}

/// A write that somebody asked for, and what came of it.
pub(crate) struct Told {
    pub(crate) organization: usize,
    pub(crate) request: RequestKey,
    pub(crate) asked: Asked,
    pub(crate) answer: Result<Rendered, RunError>,
    /// The run's number of events when it was first asked.
    pub(crate) seq_before: u64,
}

/// What was asked.
#[derive(Clone)]
pub(crate) enum Asked {
    Start(run_actors::StartRequest),
    Do(RunId, Command),
}

pub(crate) struct World {
    pub(crate) database: Arc<Database>,
    pub(crate) fates: Arc<Fates>,
    pub(crate) organizations: Vec<Organization>,
    servers: Mutex<BTreeMap<u64, Arc<Server>>>,
    servers_started: AtomicU64,
    requests: AtomicU64,
    pub(crate) told: Mutex<Vec<Told>>,
    trace: Arc<Mutex<Vec<String>>>,
    began: Instant,
    /// Participants go home.
    pub(crate) is_over: AtomicBool,
}

impl World {
    pub(crate) async fn new(seed: u64, trace: Arc<Mutex<Vec<String>>>) -> Arc<Self> {
        let dice = Dice::new(seed);
        let database = Arc::new(Database::new());
        let mut organizations = Vec::new();
        for number in 0..ORGANIZATIONS {
            let processes = (0..PROCESSES)
                .map(|_| Process::random(dice.below(1 << 40) as u64))
                .collect();
            organizations.push(Organization {
                id: OrganizationId::new(Ulid::from_parts(0, 1 + number as u128)),
                processes,
                versions: Mutex::default(),
                runs: Mutex::default(),
            });
        }
        let world = Self {
            database,
            fates: Arc::new(Fates::new(!seed)),
            organizations,
            servers: Mutex::default(),
            servers_started: AtomicU64::new(0),
            requests: AtomicU64::new(0),
            told: Mutex::default(),
            trace,
            began: Instant::now(),
            is_over: AtomicBool::new(false),
        };
        for number in 0..ORGANIZATIONS {
            world.furnish(number).await;
        }
        Arc::new(world)
    }

    async fn furnish(&self, number: usize) {
        let (store, organization) = (&self.database.store, &self.organizations[number]);
        for (at, (name, role)) in PEOPLE.iter().enumerate() {
            store.add_person(
                organization.id,
                person_id(at),
                (&format!("{name}@example.com"), *role),
            );
        }
        self.put_group(number, "finance", &[0, 1]);
        self.put_group(number, "legal", &[2]);
        for place in 0..PROCESSES {
            self.publish(number, place).await;
        }
    }

    /// A process is the latest version from now on.
    pub(crate) async fn publish(&self, number: usize, place: usize) {
        let organization = &self.organizations[number];
        let (process, at) = (&organization.processes[place], organization.versions().len());
        let version = VersionRow {
            process: PROCESS.to_owned(),
            version: 0,
            format: Format::Process.as_str().to_owned(),
            // Equal texts make no new version.
            source: format!("{}{at}\n", process.text()).into_bytes(),
            content_hash: Digest::new([0; 32]),
            description: String::new(),
            published_at: Timestamp::from_millis(0),
            published_by: None,
        };
        let roles = ROLES.map(|role| (role.to_owned(), group_id(role))).into();
        let published = self.database.store.publish(organization.id, version, roles).await;
        published.expect("the store in memory publishes");
        lock(&organization.versions).push(place);
    }

    /// Who is in a group from now on.
    pub(crate) fn put_group(&self, number: usize, role: &str, people: &[usize]) {
        let people = people.iter().map(|at| person_id(*at));
        self.database
            .store
            .put_group(self.organizations[number].id, group_id(role), people);
    }

    pub(crate) fn say(&self, what: impl AsRef<str>) {
        let at = self.began.elapsed().as_millis();
        lock(&self.trace).push(format!("{at:>9} {}", what.as_ref()));
    }

    pub(crate) fn trace(&self) -> Vec<String> {
        lock(&self.trace).clone()
    }

    /// Virtual time without anybody's error.
    pub(crate) fn now_millis(&self) -> i64 {
        NEW_YEAR_MILLIS + i64::try_from(self.began.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    /// A fresh id for a request.
    pub(crate) fn request(&self, by: &Caller, tool: &str) -> RequestKey {
        let number = self.requests.fetch_add(1, Ordering::SeqCst);
        RequestKey {
            id: format!("request {number}").parse().expect("it is short"),
            caller: actor(by),
            tool: tool.to_owned(),
            arguments: Digest::new([0; 32]),
        }
    }

    /// Starts one more server, with a clock of its own.
    pub(crate) async fn start_server(&self) {
        let number = self.servers_started.fetch_add(1, Ordering::SeqCst);
        let is_dead = Arc::new(Watched::default());
        let link = Arc::new(Link {
            database: Arc::clone(&self.database),
            fates: Arc::clone(&self.fates),
            is_dead: Arc::clone(&is_dead),
            timers: LocalTimers::default(),
        });
        let skew = i64::try_from(self.fates.dice.below(SKEW_MILLIS)).unwrap_or(0);
        let ports = Ports {
            store: link.clone(),
            directory: link.clone(),
            reassignments: link.clone(),
            versions: link.clone(),
            timers: link,
            clock: Arc::new(VirtualClock {
                began: self.began,
                at_millis: NEW_YEAR_MILLIS + skew,
            }),
            random: Arc::new(SeededRandom::new(self.fates.dice.below(1 << 60) as u64)),
            compile: Arc::new(|row| {
                compile(Format::Process, &row.source).map_err(|problems| run_actors::PlanError {
                    process: row.process.clone(),
                    version: row.version,
                    reason: format!("{problems:?}"),
                })
            }),
        };
        let runs = Runs::start_root(ports, Limits::default()).await;
        let runs = runs.expect("actors start in a runtime");
        let server = Server {
            _keeper: Keeper::start(&runs),
            runs,
            is_dead,
        };
        lock(&self.servers).insert(number, Arc::new(server));
        self.say(format!("server {number} starts, {skew} ms fast"));
    }

    /// Kills a server: nothing of it goes on, and nobody gets an answer of it.
    pub(crate) fn kill_a_server(&self) {
        let mut servers = lock(&self.servers);
        let numbers: Vec<u64> = servers.keys().copied().collect();
        if let Some(number) = self.fates.dice.pick(&numbers)
            && let Some(server) = servers.remove(number)
        {
            server.is_dead.change(|is_dead| *is_dead = true);
            self.fates.count("a server was killed");
            self.say(format!("server {number} is killed"));
        }
    }

    /// Any server that runs.
    pub(crate) fn server(&self) -> Option<(u64, Arc<Server>)> {
        let servers = lock(&self.servers);
        let numbers: Vec<u64> = servers.keys().copied().collect();
        let number = self.fates.dice.pick(&numbers)?;
        Some((*number, Arc::clone(&servers[number])))
    }

    pub(crate) fn servers_running(&self) -> usize {
        lock(&self.servers).len()
    }

    /// A run's events as they are kept.
    pub(crate) async fn journal(&self, organization: usize, run: RunId) -> Vec<Event> {
        let id = self.organizations[organization].id;
        let journal = self.database.store.journal(id, run, 0).await;
        journal
            .expect("the store in memory answers")
            .map(|journal| journal.events)
            .unwrap_or_default()
    }

    /// What is recorded of a request.
    pub(crate) async fn recorded(&self, organization: usize, request: &RequestKey) -> Option<RequestRow> {
        let id = self.organizations[organization].id;
        let look = self.database.store.look(id, Some(&request.id), None).await;
        look.expect("the store in memory answers").request
    }
}

impl Server {
    /// An answer, or nothing when the server died over it or its handler panicked.
    pub(crate) async fn answer<T>(
        &self,
        call: impl Future<Output = Result<T, RunError>>,
    ) -> Option<Result<T, RunError>> {
        tokio::select! {
            biased;
            () = self.is_dead.wait_for(|is_dead| *is_dead) => None,
            answer = AssertUnwindSafe(call).catch_unwind() => answer.ok(),
        }
    }

    /// Asks once.
    pub(crate) async fn ask(
        &self,
        organization: OrganizationId,
        asked: &Asked,
        request: &RequestKey,
    ) -> Option<Result<Rendered, RunError>> {
        match asked.clone() {
            Asked::Start(start) => {
                self.answer(self.runs.start(organization, start, request.clone()))
                    .await
            }
            Asked::Do(run, command) => {
                self.answer(self.runs.execute(organization, run, command, request.clone()))
                    .await
            }
        }
    }

    /// The run as it is now.
    pub(crate) async fn see(&self, organization: OrganizationId, run: RunId) -> Option<Arc<RunState>> {
        let seen = self.answer(self.runs.see(organization, run)).await?;
        seen.ok().map(|seen| seen.state)
    }
}

/// The id of a role's group.
fn group_id(role: &str) -> GroupId {
    GroupId::new(Ulid::from_parts(1, role.len() as u128))
}

fn person_id(at: usize) -> PersonId {
    PersonId::new(Ulid::from_parts(2, at as u128))
}

/// A member by number.
pub(crate) fn person(at: usize) -> Caller {
    let (name, role) = PEOPLE[at % PEOPLE.len()];
    Caller::Person {
        id: person_id(at % PEOPLE.len()),
        email: format!("{name}@example.com"),
        role,
    }
}

/// The member with this id.
pub(crate) fn member(id: PersonId) -> Option<Caller> {
    (0..PEOPLE.len()).find(|at| person_id(*at) == id).map(person)
}

/// An agent by number.
pub(crate) fn agent(number: u128) -> Caller {
    Caller::Agent {
        id: AgentId::new(Ulid::from_parts(3, number)),
        acting_for: None,
        rights: AgentRights {
            start: Scope::All,
            work: Scope::All,
        },
    }
}

pub(crate) fn actor(caller: &Caller) -> Actor {
    match caller {
        Caller::Agent { id, .. } => Actor::Agent(*id),
        Caller::Person { id, .. } => Actor::Person(*id),
    }
}

/// Inputs that fit a process.
pub(crate) fn inputs(process: &Process, dice: &Dice) -> Arc<Map> {
    Arc::new(run_sim::handing::values(&process.inputs, "inputs", 0, dice).0)
}

/// How long something lasts, drawn between two numbers of milliseconds.
pub(crate) fn millis(dice: &Dice, first: usize, last: usize) -> Duration {
    Duration::from_millis(dice.between(first, last) as u64)
}
