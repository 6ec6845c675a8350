//! Who calls. Decided once, at the door; everything inside asks for the kind of identity it needs (tools.md, "Identity").

use std::collections::BTreeSet;
use std::str::FromStr;

use crate::{AgentId, OrganizationId, PersonId};

/// An authenticated caller of one organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// The organization that the credential was issued for; never taken from an argument.
    pub organization: OrganizationId,
    /// Which of the three kinds of identity it is.
    pub caller: Caller,
}

impl Principal {
    /// The proof that this caller may administer its organization; `None` when it may not.
    pub fn admin(&self) -> Option<Admin> {
        match self.caller {
            Caller::Person {
                id,
                role: PersonRole::Admin,
                ..
            } => Some(Admin {
                organization: self.organization,
                person: id,
            }),
            Caller::Person { .. } | Caller::Agent { .. } => None,
        }
    }
}

/// An admin of an organization. Whoever holds one has proved it: only [`Principal::admin`] makes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Admin {
    organization: OrganizationId,
    person: PersonId,
}

impl Admin {
    /// The organization that may be administered.
    pub const fn organization(self) -> OrganizationId {
        self.organization
    }

    /// Who does it.
    pub const fn person(self) -> PersonId {
        self.person
    }
}

/// An agent, or a human being.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// A program. It works steps and never decides.
    Agent {
        /// Which agent.
        id: AgentId,
        /// The person whose sign-in an MCP client used, if any. Such a client is an agent all the same.
        acting_for: Option<PersonId>,
        /// What it may start and work.
        rights: AgentRights,
    },
    /// A human being, established as such by the server's authentication.
    Person {
        /// Which member.
        id: PersonId,
        /// Its e-mail address, the form of `person` values here.
        email: String,
        /// What it may do beyond deciding its own items.
        role: PersonRole,
    },
}

/// What an admin allowed an agent to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRights {
    /// Processes it may start.
    pub start: Scope,
    /// Processes whose steps it may claim.
    pub work: Scope,
}

/// A set of processes, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Every process of the organization.
    All,
    /// These.
    Processes(BTreeSet<String>),
}

impl Scope {
    /// Whether the process is in it.
    pub fn covers(&self, process: &str) -> bool {
        match self {
            Self::All => true,
            Self::Processes(names) => names.contains(process),
        }
    }
}

/// What a member may do beyond its own items; each includes what stands before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PersonRole {
    /// Starts runs and decides its items.
    Member,
    /// Also cancels runs and decides escalations.
    Operator,
    /// Also publishes and administers.
    Admin,
}

impl PersonRole {
    /// Every role, from the smallest to the largest.
    pub const ALL: [Self; 3] = [Self::Member, Self::Operator, Self::Admin];

    /// The word for it in rows and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Operator => "operator",
            Self::Admin => "admin",
        }
    }

    /// Whether the operators' group has whoever is this.
    pub fn is_operator(self) -> bool {
        self >= Self::Operator
    }
}

/// Why a text is not what a member may do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not one of member, operator, admin")]
pub struct PersonRoleError;

impl FromStr for PersonRole {
    type Err = PersonRoleError;

    fn from_str(text: &str) -> Result<Self, PersonRoleError> {
        Self::ALL
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or(PersonRoleError)
    }
}
