//! The store in memory.

mod directory;
mod reassignments;
mod run_store;
mod versions;
mod work;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use base::{Digest, GroupId, OrganizationId, PersonId, PersonRole, RequestId, RunId};
use run_core::project::{ItemRow, Offer, RunRow};
use run_core::stored::Stored;
use run_core::{Effect, StepId};
use run_ports::{PortError, RequestRow, VersionRow};

use self::reassignments::Whose;

/// Every port of a store, in memory. Events are kept in their stored form, as a database keeps them.
#[derive(Debug, Default)]
pub struct MemoryStore {
    tenants: Mutex<BTreeMap<OrganizationId, Tenant>>,
    faults: Mutex<VecDeque<Fault>>,
}

/// What goes wrong with a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It happens, and nobody hears of it.
    AnswerLost,
    /// It does not happen, and nobody hears of that either.
    WriteLost,
    /// It is known not to happen.
    Unavailable,
}

/// What an organization has.
#[derive(Debug, Default)]
struct Tenant {
    runs: BTreeMap<RunId, Run>,
    requests: BTreeMap<RequestId, RequestRow>,
    /// By process, in order of their numbers.
    versions: BTreeMap<String, Vec<VersionRow>>,
    people: BTreeMap<PersonId, (String, PersonRole)>,
    groups: BTreeMap<GroupId, BTreeSet<PersonId>>,
    /// By process and role.
    roles: BTreeMap<(String, String), GroupId>,
    outbox: Vec<(RunId, Effect)>,
    directory_revision: u64,
    /// Runs whose open items are to be looked at anew, and the revision that asked for it last.
    reassignments: BTreeMap<RunId, u64>,
}

#[derive(Debug)]
struct Run {
    row: RunRow,
    events: Vec<StoredEvent>,
    offers: BTreeMap<StepId, Offer>,
    items: BTreeMap<u32, ItemRow>,
    inputs: BTreeSet<Digest>,
}

/// The rows of a run.
#[derive(Debug, PartialEq)]
pub struct Kept {
    /// Its own row.
    pub row: RunRow,
    /// Steps that agents may claim, by their ids.
    pub offers: Vec<Offer>,
    /// Open items, by their numbers.
    pub items: Vec<ItemRow>,
}

#[derive(Debug)]
struct StoredEvent {
    seq: u64,
    at_millis: i64,
    stored: Stored,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets the next commit go wrong; several are used up in turn.
    pub fn inject(&self, fault: Fault) {
        lock(&self.faults).push_back(fault);
    }

    /// Adds a member, or makes it an operator or none.
    pub fn add_person(
        &self,
        organization: OrganizationId,
        person: PersonId,
        (email, role): (&str, PersonRole),
    ) {
        let mut tenants = lock(&self.tenants);
        let tenant = tenants.entry(organization).or_default();
        let before = tenant.people.insert(person, (email.to_owned(), role));
        let was_operator = before.is_some_and(|(_, role)| role >= PersonRole::Operator);
        let is_operator = role >= PersonRole::Operator;
        let whose = if was_operator == is_operator {
            Whose::Nobody
        } else {
            Whose::Group(operators_group(organization))
        };
        tenant.change_directory(&whose);
    }

    /// Adds a group, or gives it other members.
    pub fn put_group(
        &self,
        organization: OrganizationId,
        group: GroupId,
        members: impl IntoIterator<Item = PersonId>,
    ) {
        let mut tenants = lock(&self.tenants);
        let tenant = tenants.entry(organization).or_default();
        tenant.groups.insert(group, members.into_iter().collect());
        tenant.change_directory(&Whose::Group(group));
    }

    /// Puts a member into a group.
    pub fn put_into_group(&self, organization: OrganizationId, group: GroupId, person: PersonId) {
        let members = self.tenant(organization, |tenant| tenant.groups.get(&group).cloned());
        let members = members.unwrap_or_default();
        self.put_group(organization, group, members.into_iter().chain([person]));
    }

    /// The rows of a run as lists and timers read them.
    pub fn kept(&self, organization: OrganizationId, run: RunId) -> Option<Kept> {
        self.tenant(organization, |tenant| {
            tenant.runs.get(&run).map(|run| Kept {
                row: run.row.clone(),
                offers: run.offers.values().cloned().collect(),
                items: run.items.values().cloned().collect(),
            })
        })
    }

    /// What was ordered of the outside so far, oldest first.
    pub fn outbox(&self, organization: OrganizationId) -> Vec<(RunId, Effect)> {
        self.tenant(organization, |tenant| tenant.outbox.clone())
    }

    fn tenant<T>(&self, organization: OrganizationId, read: impl FnOnce(&Tenant) -> T) -> T {
        match lock(&self.tenants).get(&organization) {
            Some(tenant) => read(tenant),
            None => read(&Tenant::default()),
        }
    }
}

/// The operators' group needs no row: it has the id of its organization.
fn operators_group(organization: OrganizationId) -> GroupId {
    GroupId::new(organization.ulid())
}

/// A test that failed while it held the lock must not hide behind the failures of others.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// As a database cannot keep this character, neither does this store.
#[derive(Debug, thiserror::Error)]
#[error("a text contains U+0000")]
struct NulError;

fn corrupt(what: &str, source: impl std::error::Error + Send + Sync + 'static) -> PortError {
    PortError::Corrupt {
        what: what.to_owned(),
        source: Box::new(source),
    }
}
