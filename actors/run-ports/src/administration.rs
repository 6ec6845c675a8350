//! What admins keep: members, groups, agents and their tokens, drafts, and what roles mean.
//!
//! Each change is one transaction that holds its organization's directory, so that what it counted and compared is still true when it
//! is committed. A removed member or agent is found no more; its row stays, because records name it.

mod agents;
mod drafts;
pub mod limits;
mod members;
mod organizations;
mod processes;

use base::Name;

use crate::PortError;

pub use agents::{Agent, AgentChange, Agents, NewAgent, NewToken, Token};
pub use drafts::{Draft, DraftHead, DraftText, Drafts};
pub use members::{
    Group, Groups, Member, MemberChange, MemberFilter, Members, NewGroup, NewMember, OPERATORS_NAME,
};
pub use organizations::{Organization, Organizations};
pub use processes::{Processes, VersionHead};

/// Everything that administration asks of a store.
pub trait AdministrationStore: Organizations + Members + Groups + Agents + Processes + Drafts {}

impl<T: Organizations + Members + Groups + Agents + Processes + Drafts> AdministrationStore for T {}

/// Which entries of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<K> {
    /// The key of the last entry of the page before.
    pub after: Option<K>,
    /// At most so many entries.
    pub limit: usize,
}

/// The entries of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entries<T> {
    /// The entries, in the order of their keys.
    pub entries: Vec<T>,
    /// Whether there are more.
    pub has_more: bool,
}

/// A role of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleUse {
    /// The process.
    pub process: String,
    /// The role.
    pub role: String,
}

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// There is no such thing in this organization.
    #[error("there is no such {what} in this organization")]
    NotFound {
        /// What was looked for.
        what: &'static str,
    },
    /// A name or an address is in use.
    #[error("another {what} has this already")]
    Taken {
        /// Who has it.
        what: &'static str,
    },
    /// There are as many as there may be.
    #[error("there are {most} {what} already, and there may not be more")]
    Full {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// Somebody must be left who can administer the organization.
    #[error("this is the only admin; make another member an admin first")]
    LastAdmin,
    /// Its members follow from what members may do, so that it is not changed by itself.
    #[error("the operators' group has the operators and admins; change the role of a member instead")]
    OperatorsGroup,
    /// Roles are mapped to the group.
    #[error("roles are mapped to this group; map them to another one first")]
    InUse(Vec<RoleUse>),
    /// Groups that do not exist.
    #[error("some groups do not exist in this organization")]
    NoSuchGroups(Vec<Name>),
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] PortError),
}
