//! What the inside needs of the outside, as traits. The contract of each is its doc comment; `run-sim` has the suites that hold every
//! implementation to them.

mod administration;
mod clock;
mod directory;
mod reassignments;
mod request;
mod run_store;
mod timers;
mod versions;
mod work;

pub use administration::{
    AdministrationStore, Agent, AgentChange, Agents, ChangeError, Draft, DraftHead, DraftText, Drafts,
    Entries, Group, Groups, Member, MemberChange, MemberFilter, Members, NewAgent, NewGroup, NewMember,
    NewToken, OPERATORS_NAME, Organization, Organizations, Page, Processes, RoleUse, Token, VersionHead,
    limits,
};
pub use clock::{Clock, Random};
pub use directory::Directory;
pub use reassignments::{NotedRun, Reassignments};
pub use request::{ArgumentsDigest, RequestKey, RequestRow, RequestTarget};
pub use run_store::{Commit, CommitVerdict, Head, Journal, Look, NewRequest, RunStore};
pub use timers::Timers;
pub use versions::{Published, VersionRow, Versions};
pub use work::{
    ItemEntry, ItemPage, ItemReader, OfferEntry, OfferPage, PageOf, ProcessPage, RunEntry, RunFilter,
    RunPage, WorkQueries,
};

/// Why an outside thing did not answer. None of these says whether a write happened, unless its doc comment does.
#[derive(Debug, thiserror::Error)]
pub enum PortError {
    /// It is not reachable or too busy: the same call may succeed later.
    #[error("the store is not available")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// What is stored cannot be understood: operators must look.
    #[error("stored data of {what} cannot be read")]
    Corrupt {
        /// Which row.
        what: String,
        /// Why not.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}
