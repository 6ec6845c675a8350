//! Lists: one indexed query each, a key-set position instead of an offset, a bound on every page.

use async_trait::async_trait;
use base::{AgentId, Digest, OrganizationId, PersonId, RunId, Scope, Timestamp};
use run_core::project::{ItemRow, Offer};
use run_core::search::InputWanted;
use run_core::{Map, Mode, RunWord, StepId};

use crate::{PortError, VersionRow};

/// Which page of a list: what stands before it, and how many entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageOf<K> {
    /// The key of the last entry of the page before.
    pub after: Option<K>,
    /// At most so many entries.
    pub limit: usize,
    /// Only of this process.
    pub process: Option<String>,
}

/// The lists that tools show. They may lag behind a deadline until its timer has fired, never behind an acknowledged write.
#[async_trait]
pub trait WorkQueries: Send + Sync {
    /// Steps that the agent may claim at `now`: ready, or with a lease that has ended; not reserved for another. Oldest first.
    async fn offers(
        &self,
        organization: OrganizationId,
        (agent, scope): (AgentId, &Scope),
        page: &PageOf<(Timestamp, RunId, StepId)>,
        now: Timestamp,
    ) -> Result<OfferPage, PortError>;

    /// Open items that the person may decide: those assigned to it, escalations aside, and for operators every escalation. Oldest first.
    async fn items(
        &self,
        organization: OrganizationId,
        reader: ItemReader,
        page: &PageOf<(Timestamp, RunId, u32)>,
    ) -> Result<ItemPage, PortError>;

    /// The latest version of every process, by name.
    async fn processes(
        &self,
        organization: OrganizationId,
        page: &PageOf<String>,
    ) -> Result<ProcessPage, PortError>;

    /// Runs that the filter wants, the last started first. A page may end early, even without an entry, when the search has taken long
    /// enough: it goes on at `next`.
    ///
    /// What a page is ordered by never changes: a run is on one page at most, and one that the filter wants all the time is on one.
    async fn runs(
        &self,
        organization: OrganizationId,
        filter: &RunFilter,
        page: &PageOf<(Timestamp, RunId)>,
    ) -> Result<RunPage, PortError>;
}

/// Which runs a list shows, beside those of a process; all conditions hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunFilter {
    /// Where they stand.
    pub state: Option<RunWord>,
    /// What they were started with.
    pub inputs: Vec<InputWanted>,
}

/// Who reads a list of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemReader {
    /// A member: its own items. Escalations are none of them, even if it was an operator when they were opened.
    Member(PersonId),
    /// An operator or admin: its own items and every escalation.
    Operator(PersonId),
}

/// A page of offers.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferPage {
    /// The entries.
    pub entries: Vec<OfferEntry>,
    /// Whether there are more.
    pub has_more: bool,
}

/// An offer and its run.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferEntry {
    /// The run.
    pub run: RunId,
    /// Its process.
    pub process: String,
    /// Its version.
    pub version: u32,
    /// Live or test.
    pub mode: Mode,
    /// The offer.
    pub offer: Offer,
}

/// A page of items.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemPage {
    /// The entries.
    pub entries: Vec<ItemEntry>,
    /// Whether there are more.
    pub has_more: bool,
}

/// An item and its run.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemEntry {
    /// The run.
    pub run: RunId,
    /// Its process.
    pub process: String,
    /// Its version.
    pub version: u32,
    /// The snapshot that a decision carries.
    pub snapshot: Digest,
    /// The item.
    pub row: ItemRow,
}

/// A page of the catalog.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessPage {
    /// The latest version of each.
    pub entries: Vec<VersionRow>,
    /// Whether there are more.
    pub has_more: bool,
}

/// A page of runs.
#[derive(Debug, Clone, PartialEq)]
pub struct RunPage {
    /// The entries.
    pub entries: Vec<RunEntry>,
    /// After which key the next page begins, if there may be more.
    pub next: Option<(Timestamp, RunId)>,
}

/// A run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEntry {
    /// Its id.
    pub run: RunId,
    /// Its process.
    pub process: String,
    /// Its version.
    pub version: u32,
    /// Where it stands.
    pub state: RunWord,
    /// Its outcome.
    pub outcome: Option<String>,
    /// When it started.
    pub started_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// What it was started with.
    pub inputs: Map,
}
