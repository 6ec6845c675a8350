//! An organization with people, agents and the errand, and as many servers over one store as a test wants.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use base::{
    AgentId, AgentRights, Caller, Digest, GroupId, OrganizationId, PersonId, PersonRole, RunId, Scope,
    Timestamp, Ulid, WorkItemId,
};
use run_actors::{Limits, LocalTimers, Ports, RunError, Runs, Seen, StartRequest};
use run_core::command::{Lease, Verdict};
use run_core::event::Event;
use run_core::state::{Phase, RunLimits, RunState};
use run_core::{Actor, ClaimId, ClaimNumber, Command, KeyId, Map, Mode, Plan, Rendered};
use run_ports::{RequestKey, RequestRow, RunStore, VersionRow, Versions};
use run_sim::{ManualClock, MemoryStore, SeededRandom};

use crate::errand::{ERRAND, Errand, submission};
use crate::watched::Watched;

/// How long a lease is.
pub(crate) const LEASE: Lease = Lease {
    duration: Duration::from_mins(10),
    key: KeyId(1),
};
const STARTED_AT_MILLIS: i64 = 1_700_000_000_000;

pub(crate) struct World {
    pub(crate) organization: OrganizationId,
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) clock: Arc<ManualClock>,
    random: Arc<SeededRandom>,
    requests: AtomicU64,
}

/// One server: its own root, its own timers.
pub(crate) struct Server {
    pub(crate) organization: OrganizationId,
    pub(crate) runs: Runs,
    pub(crate) timers: Arc<LocalTimers>,
    pub(crate) store: Arc<Watched>,
}

impl World {
    pub(crate) async fn new() -> Self {
        let world = Self {
            organization: OrganizationId::new(Ulid::from_parts(0, 1)),
            store: Arc::new(MemoryStore::new()),
            clock: Arc::new(ManualClock::at(Timestamp::from_millis(STARTED_AT_MILLIS))),
            random: Arc::new(SeededRandom::new(1)),
            requests: AtomicU64::new(0),
        };
        let (organization, store) = (world.organization, &world.store);
        for n in 1..=3 {
            store.add_person(organization, person(n), (&email(n), PersonRole::Member));
        }
        store.add_person(organization, person(9), (&email(9), PersonRole::Operator));
        store.put_group(organization, group(), (1..=3).map(person));
        world.publish(1, vec!["reviewers".to_owned()]).await;
        world
    }

    /// A version of the errand, with its roles.
    pub(crate) async fn publish(&self, version: u32, roles: Vec<String>) {
        let roles = roles.into_iter().map(|role| (role, group())).collect();
        self.publish_with(version, roles).await;
    }

    /// A version of the errand, with the groups of its roles.
    pub(crate) async fn publish_with(&self, version: u32, roles: Vec<(String, GroupId)>) {
        let version = VersionRow {
            process: ERRAND.to_owned(),
            version,
            format: "test".to_owned(),
            source: ERRAND.into(),
            content_hash: Digest::new([0; 32]),
            description: String::new(),
            published_at: Timestamp::from_millis(0),
            published_by: None,
        };
        self.store
            .publish(self.organization, version, roles)
            .await
            .expect("the store in memory publishes");
    }

    /// A server with the usual bounds.
    pub(crate) async fn server(&self) -> Server {
        self.server_with(Limits::default()).await
    }

    /// A server with bounds of the test's own.
    pub(crate) async fn server_with(&self, limits: Limits) -> Server {
        let store = Watched::new(Arc::clone(&self.store));
        self.server_on(store, Errand::new(), limits).await
    }

    /// A server on which the errand is another one.
    pub(crate) async fn server_of(&self, errand: Errand) -> Server {
        let store = Watched::new(Arc::clone(&self.store));
        self.server_on(store, errand, Limits::default()).await
    }

    /// A server over a store of the test's own.
    pub(crate) async fn server_on(&self, store: Watched, errand: Errand, limits: Limits) -> Server {
        let (timers, store) = (Arc::new(LocalTimers::default()), Arc::new(store));
        let errand: Arc<dyn Plan> = Arc::new(errand);
        let ports = Ports {
            store: store.clone(),
            directory: self.store.clone(),
            reassignments: self.store.clone(),
            versions: self.store.clone(),
            timers: timers.clone(),
            clock: self.clock.clone(),
            random: self.random.clone(),
            compile: Arc::new(move |_| Ok(Arc::clone(&errand))),
        };
        Server {
            organization: self.organization,
            runs: Runs::start_root(ports, limits)
                .await
                .expect("actors start in a runtime"),
            timers,
            store,
        }
    }

    /// A request that nobody has made before.
    pub(crate) fn request(&self, by: &Caller) -> RequestKey {
        let n = self.requests.fetch_add(1, Ordering::SeqCst);
        request(&format!("request {n}"), by)
    }

    /// The journal as stored.
    pub(crate) async fn journal(&self, run: RunId) -> Vec<Event> {
        let journal = self.store.journal(self.organization, run, 0).await;
        journal
            .expect("the journal is readable")
            .map(|found| found.events)
            .unwrap_or_default()
    }

    /// The state as stored.
    pub(crate) async fn stored(&self, run: RunId) -> RunState {
        RunState::fold(&self.journal(run).await).expect("the run exists")
    }

    /// What is recorded of a request.
    pub(crate) async fn recorded(&self, request: &RequestKey) -> Option<RequestRow> {
        let look = self.store.look(self.organization, Some(&request.id), None).await;
        look.expect("the store in memory answers").request
    }
}

impl Server {
    pub(crate) async fn start(&self, start: StartRequest, request: RequestKey) -> Result<Rendered, RunError> {
        self.runs.start(self.organization, start, request).await
    }

    /// A new run, by the operator.
    pub(crate) async fn started(&self, world: &World) -> RunId {
        let start = start_by(&operator());
        let request = world.request(&start.by);
        run_of(&self.start(start, request).await.expect("the errand starts"))
    }

    pub(crate) async fn execute(
        &self,
        run: RunId,
        command: Command,
        request: RequestKey,
    ) -> Result<Rendered, RunError> {
        self.runs.execute(self.organization, run, command, request).await
    }

    /// A command under a request of its own.
    pub(crate) async fn say(
        &self,
        world: &World,
        run: RunId,
        command: Command,
    ) -> Result<Rendered, RunError> {
        let request = world.request(caller(&command));
        self.execute(run, command, request).await
    }

    pub(crate) async fn see(&self, run: RunId) -> Result<Seen, RunError> {
        self.runs.see(self.organization, run).await
    }

    /// Claims and submits the step that is ready.
    pub(crate) async fn work(&self, world: &World, run: RunId, step: &str) {
        self.say(world, run, claim(step, &agent(1)))
            .await
            .expect("the step is ready");
        let state = world.stored(run).await;
        self.say(world, run, submit(&state, &agent(1), None))
            .await
            .expect("the claim holds");
    }
}

/// Lets time pass on the runtime's paused clock, and all happen that is due in it.
pub(crate) async fn pass(duration: Duration) {
    let never = std::future::pending::<()>();
    assert!(tokio::time::timeout(duration, never).await.is_err());
}

pub(crate) fn person(n: u128) -> PersonId {
    PersonId::new(Ulid::from_parts(0, n))
}

/// The reviewers.
pub(crate) fn group() -> GroupId {
    GroupId::new(Ulid::from_parts(0, 50))
}

pub(crate) fn email(n: u128) -> String {
    format!("person{n}@example.com")
}

pub(crate) fn member(n: u128) -> Caller {
    Caller::Person {
        id: person(n),
        email: email(n),
        role: PersonRole::Member,
    }
}

pub(crate) fn operator() -> Caller {
    Caller::Person {
        id: person(9),
        email: email(9),
        role: PersonRole::Operator,
    }
}

pub(crate) fn agent(n: u128) -> Caller {
    agent_of(n, Scope::All)
}

/// An agent that may start and work these processes.
pub(crate) fn agent_of(n: u128, scope: Scope) -> Caller {
    Caller::Agent {
        id: AgentId::new(Ulid::from_parts(0, n)),
        acting_for: None,
        rights: AgentRights {
            start: scope.clone(),
            work: scope,
        },
    }
}

pub(crate) fn request(id: &str, by: &Caller) -> RequestKey {
    RequestKey {
        id: id.parse().expect("a request id"),
        caller: match by {
            Caller::Agent { id, .. } => Actor::Agent(*id),
            Caller::Person { id, .. } => Actor::Person(*id),
        },
        tool: "tool".to_owned(),
        arguments: Digest::new([0; 32]),
    }
}

pub(crate) fn start_by(by: &Caller) -> StartRequest {
    StartRequest {
        process: ERRAND.to_owned(),
        version: None,
        mode: Mode::Live,
        inputs: Arc::new(Map::new()),
        by: by.clone(),
        limits: RunLimits {
            run_data_bytes: 100_000,
        },
    }
}

/// The same with an input.
pub(crate) fn start_with(by: &Caller, (key, value): (&str, &str)) -> StartRequest {
    StartRequest {
        inputs: Arc::new([(key.to_owned(), value.into())].into_iter().collect()),
        ..start_by(by)
    }
}

pub(crate) fn claim(step: &str, by: &Caller) -> Command {
    Command::Claim {
        step: step.to_owned(),
        by: by.clone(),
        lease: LEASE,
    }
}

/// Hands in the newest claim of the state.
pub(crate) fn submit(state: &RunState, by: &Caller, output: Option<(&str, &str)>) -> Command {
    Command::Submit {
        claim: newest_claim(state, by),
        by: by.clone(),
        submission: submission(output),
    }
}

pub(crate) fn renew(state: &RunState, by: &Caller) -> Command {
    Command::Renew {
        claim: newest_claim(state, by),
        by: by.clone(),
        progress: Some("half".to_owned()),
        lease: LEASE,
    }
}

pub(crate) fn escalate(state: &RunState, by: &Caller) -> Command {
    Command::Escalate {
        claim: newest_claim(state, by),
        by: by.clone(),
        note: "cannot".to_owned(),
    }
}

/// Decides the newest item of the state, as seen in it.
pub(crate) fn decide(state: &RunState, by: &Caller, verdict: Verdict) -> Command {
    let item = WorkItemId {
        run: state.run,
        number: state.items_opened.saturating_sub(1),
    };
    Command::Decide {
        item: item.to_string(),
        by: by.clone(),
        snapshot: state.snapshot().to_string(),
        verdict,
    }
}

pub(crate) fn approved() -> Verdict {
    Verdict::Approved { note: None }
}

pub(crate) fn rejected() -> Verdict {
    Verdict::Rejected {
        note: "no".to_owned(),
    }
}

pub(crate) fn send_event(by: &Caller, name: &str) -> Command {
    Command::SendEvent {
        by: by.clone(),
        name: name.to_owned(),
        data: None,
    }
}

pub(crate) fn cancel(by: &Caller) -> Command {
    Command::Cancel {
        by: by.clone(),
        reason: "enough".to_owned(),
    }
}

/// The run that an answer shows.
pub(crate) fn run_of(rendered: &Rendered) -> RunId {
    match rendered {
        Rendered::Run(view) => view.run.run,
        other => panic!("this is no run: {other:?}"),
    }
}

/// The run's one step that is in a phase.
pub(crate) fn is_in(state: &RunState, step: &str, phase: impl Fn(&Phase) -> bool) -> bool {
    state.step(step).is_some_and(|step| phase(&step.phase))
}

fn newest_claim(state: &RunState, by: &Caller) -> ClaimId {
    ClaimId {
        run: state.run,
        number: ClaimNumber(state.claims_made.saturating_sub(1)),
        agent: match by {
            Caller::Agent { id, .. } => *id,
            Caller::Person { id, .. } => AgentId::new(id.ulid()),
        },
        key: LEASE.key,
    }
}

/// Who gives a command.
pub(crate) fn caller(command: &Command) -> &Caller {
    match command {
        Command::Claim { by, .. }
        | Command::Renew { by, .. }
        | Command::Submit { by, .. }
        | Command::Escalate { by, .. }
        | Command::Decide { by, .. }
        | Command::Cancel { by, .. }
        | Command::SendEvent { by, .. } => by,
        Command::Settle | Command::Adjust { .. } => panic!("nobody gives this command"),
    }
}
