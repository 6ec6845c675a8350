//! Agents, what each may start and work, and the tokens that they come with.

use std::time::Duration;

use base::{AgentId, AgentRights, Name, Secret, TokenId};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use run_ports::{Agent, AgentChange, NewAgent, NewToken, Token};

use super::{Admin, Administration, Error, Listed, Paging, found};

/// What every token of an agent begins with, so that one is recognized where it should not be.
const TOKEN_PREFIX: &str = "baton_agent_";

/// What an admin says of a new agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAgentFacts {
    /// Its name.
    pub name: Name,
    /// What it may start and work.
    pub rights: AgentRights,
}

/// A token at the only moment at which it is shown.
#[derive(Debug)]
pub struct IssuedToken {
    /// The token for its holder.
    pub secret: Secret<String>,
    /// What is known of it from now on.
    pub token: Token,
}

/// Agents in the order of their ids.
pub async fn list_agents(
    administration: &Administration,
    admin: Admin,
    paging: &Paging,
) -> Result<Listed<Agent>, Error> {
    let listing = administration.listing(admin, "agents");
    let page = listing.page(paging)?;
    let found = administration
        .store
        .list_agents(admin.organization(), &page)
        .await?;
    Ok(listing.listed(found, |agent| agent.id))
}

/// An agent.
pub async fn find_agent(
    administration: &Administration,
    admin: Admin,
    agent: AgentId,
) -> Result<Agent, Error> {
    let agent = administration
        .store
        .find_agent(admin.organization(), agent)
        .await?;
    found(agent, "agent")
}

/// Creates an agent without tokens.
pub async fn create_agent(
    administration: &Administration,
    admin: Admin,
    facts: NewAgentFacts,
) -> Result<Agent, Error> {
    let now = administration.app.clock.now();
    let id = AgentId::new(administration.random.ulid(now));
    let new = NewAgent {
        id,
        name: facts.name,
        rights: facts.rights,
        created_at: now,
    };
    administration
        .store
        .create_agent(admin.organization(), new)
        .await?;
    find_agent(administration, admin, id).await
}

/// Changes an agent. Its next call has the new rights.
pub async fn change_agent(
    administration: &Administration,
    admin: Admin,
    agent: AgentId,
    change: AgentChange,
) -> Result<Agent, Error> {
    administration
        .store
        .change_agent(admin.organization(), agent, change)
        .await?;
    find_agent(administration, admin, agent).await
}

/// Removes an agent: its tokens are none any more, and its claims end with their leases.
pub async fn remove_agent(
    administration: &Administration,
    admin: Admin,
    agent: AgentId,
) -> Result<(), Error> {
    let now = administration.app.clock.now();
    administration
        .store
        .remove_agent(admin.organization(), agent, now)
        .await?;
    Ok(())
}

/// The tokens of an agent in the order of their ids.
pub async fn list_tokens(
    administration: &Administration,
    admin: Admin,
    agent: AgentId,
    paging: &Paging,
) -> Result<Listed<Token>, Error> {
    let listing = administration.listing_of(admin, "tokens", agent.to_string());
    let page = listing.page(paging)?;
    let tokens = administration
        .store
        .list_tokens(admin.organization(), agent, &page)
        .await?;
    Ok(listing.listed(found(tokens, "agent")?, |token| token.id))
}

/// Issues a token for an agent. It is shown this once: only its digest is kept.
pub async fn issue_token(
    administration: &Administration,
    admin: Admin,
    agent: AgentId,
    lifetime: Option<Duration>,
) -> Result<IssuedToken, Error> {
    let now = administration.app.clock.now();
    let expires_at = lifetime.map(|lifetime| now.after(lifetime));
    let id = TokenId::new(administration.random.ulid(now));
    let random = administration.random.secret();
    let secret = Secret::new(format!(
        "{TOKEN_PREFIX}{}",
        URL_SAFE_NO_PAD.encode(random.expose())
    ));
    let new = NewToken {
        id,
        secret: secret.clone(),
        created_at: now,
        expires_at,
    };
    administration
        .store
        .issue_token(admin.organization(), agent, new)
        .await?;
    let token = Token {
        id,
        created_at: now,
        expires_at,
    };
    Ok(IssuedToken { secret, token })
}

/// Makes a token of an agent invalid at once.
pub async fn revoke_token(
    administration: &Administration,
    admin: Admin,
    agent: AgentId,
    token: TokenId,
) -> Result<(), Error> {
    administration
        .store
        .withdraw_token(admin.organization(), agent, token)
        .await?;
    Ok(())
}
