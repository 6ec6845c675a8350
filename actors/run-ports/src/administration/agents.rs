//! Agents and their tokens.

use async_trait::async_trait;
use base::{AgentId, AgentRights, Name, OrganizationId, Scope, Secret, Timestamp, TokenId};

use super::{ChangeError, Entries, Page};
use crate::PortError;

/// The agents of an organization.
#[async_trait]
pub trait Agents: Send + Sync {
    /// Agents in the order of their ids.
    async fn list_agents(
        &self,
        organization: OrganizationId,
        page: &Page<AgentId>,
    ) -> Result<Entries<Agent>, PortError>;

    /// An agent.
    async fn find_agent(
        &self,
        organization: OrganizationId,
        agent: AgentId,
    ) -> Result<Option<Agent>, PortError>;

    /// Creates an agent without tokens. No other one has its name.
    async fn create_agent(&self, organization: OrganizationId, new: NewAgent) -> Result<(), ChangeError>;

    /// Changes an agent. Its next call has the new rights.
    async fn change_agent(
        &self,
        organization: OrganizationId,
        agent: AgentId,
        change: AgentChange,
    ) -> Result<(), ChangeError>;

    /// Removes an agent: its tokens are none any more, its name is free, and its claims end with their leases.
    async fn remove_agent(
        &self,
        organization: OrganizationId,
        agent: AgentId,
        now: Timestamp,
    ) -> Result<(), ChangeError>;

    /// The tokens of an agent in the order of their ids; none when there is no such agent.
    async fn list_tokens(
        &self,
        organization: OrganizationId,
        agent: AgentId,
        page: &Page<TokenId>,
    ) -> Result<Option<Entries<Token>>, PortError>;

    /// Makes a token valid for an agent. Only its digest is kept.
    async fn issue_token(
        &self,
        organization: OrganizationId,
        agent: AgentId,
        new: NewToken,
    ) -> Result<(), ChangeError>;

    /// Makes a token of an agent invalid.
    async fn withdraw_token(
        &self,
        organization: OrganizationId,
        agent: AgentId,
        token: TokenId,
    ) -> Result<(), ChangeError>;
}

/// An agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Its id.
    pub id: AgentId,
    /// Its name.
    pub name: String,
    /// What it may start and work.
    pub rights: AgentRights,
    /// When it was created.
    pub created_at: Timestamp,
}

/// An agent to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAgent {
    /// Its id.
    pub id: AgentId,
    /// Its name.
    pub name: Name,
    /// What it may start and work.
    pub rights: AgentRights,
    /// When it is created.
    pub created_at: Timestamp,
}

/// What becomes different about an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentChange {
    /// Its name now.
    pub name: Option<Name>,
    /// What it may start now.
    pub start: Option<Scope>,
    /// What it may work now.
    pub work: Option<Scope>,
}

/// A token, without its secret, which nobody has but its holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Its id.
    pub id: TokenId,
    /// When it was issued.
    pub created_at: Timestamp,
    /// When it ends; it does not when there is none.
    pub expires_at: Option<Timestamp>,
}

/// A token to be issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    /// Its id.
    pub id: TokenId,
    /// The token itself.
    pub secret: Secret<String>,
    /// When it is issued.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}
