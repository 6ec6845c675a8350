//! Agents and their tokens.

use async_trait::async_trait;
use base::{AgentId, AgentRights, OrganizationId, Timestamp, TokenId};
use run_ports::limits::{AGENT_TOKENS_MAX, AGENTS_MAX};
use run_ports::{
    Agent, AgentChange, Agents, ChangeError, Entries, NewAgent, NewToken, Page, PortError, Token,
};
use sqlx::{FromRow, PgConnection};

use crate::change::{self, Failure, change};
use crate::connect::ask;
use crate::credentials::{self, TokenHolder, processes, scope};
use crate::{Error, Store, page, words};

const WHAT: &str = "an agent";

#[derive(FromRow)]
struct Row {
    agent: String,
    name: String,
    start_processes: Option<Vec<String>>,
    work_processes: Option<Vec<String>>,
    created_at: i64,
}

#[derive(FromRow)]
struct TokenRow {
    token_id: String,
    created_at: i64,
    expires_at: Option<i64>,
}

#[async_trait]
impl Agents for Store {
    async fn list_agents(
        &self,
        organization: OrganizationId,
        page: &Page<AgentId>,
    ) -> Result<Entries<Agent>, PortError> {
        Ok(ask(|| list(self, organization, page)).await?)
    }

    async fn find_agent(
        &self,
        organization: OrganizationId,
        agent: AgentId,
    ) -> Result<Option<Agent>, PortError> {
        Ok(ask(|| find(self, organization, agent)).await?)
    }

    async fn create_agent(&self, organization: OrganizationId, new: NewAgent) -> Result<(), ChangeError> {
        change(create(self, organization, new)).await
    }

    async fn change_agent(
        &self,
        organization: OrganizationId,
        agent: AgentId,
        changes: AgentChange,
    ) -> Result<(), ChangeError> {
        change(alter(self, organization, agent, changes)).await
    }

    async fn remove_agent(
        &self,
        organization: OrganizationId,
        agent: AgentId,
        now: Timestamp,
    ) -> Result<(), ChangeError> {
        change(remove(self, organization, agent, now)).await
    }

    async fn list_tokens(
        &self,
        organization: OrganizationId,
        agent: AgentId,
        page: &Page<TokenId>,
    ) -> Result<Option<Entries<Token>>, PortError> {
        Ok(ask(|| tokens(self, organization, agent, page)).await?)
    }

    async fn issue_token(
        &self,
        organization: OrganizationId,
        agent: AgentId,
        new: NewToken,
    ) -> Result<(), ChangeError> {
        change(issue(self, organization, agent, new)).await
    }

    async fn withdraw_token(
        &self,
        organization: OrganizationId,
        agent: AgentId,
        token: TokenId,
    ) -> Result<(), ChangeError> {
        change(withdraw(self, organization, agent, token)).await
    }
}

async fn list(
    store: &Store,
    organization: OrganizationId,
    page: &Page<AgentId>,
) -> Result<Entries<Agent>, Error> {
    let mut transaction = store.read(organization).await?;
    let rows: Vec<Row> = sqlx::query_as(
        "select agent, name, start_processes, work_processes, created_at from agents
         where organization = $1 and agent > $2 and removed_at is null
         order by agent
         limit $3 + 1",
    )
    .bind(organization.to_string())
    .bind(page.after.map(|agent| agent.to_string()).unwrap_or_default())
    .bind(page::rows(page.limit))
    .fetch_all(&mut *transaction)
    .await?;
    transaction.commit().await?;
    change::entries(rows, page.limit)
}

async fn find(store: &Store, organization: OrganizationId, agent: AgentId) -> Result<Option<Agent>, Error> {
    let mut transaction = store.read(organization).await?;
    let row: Option<Row> = sqlx::query_as(
        "select agent, name, start_processes, work_processes, created_at from agents
         where organization = $1 and agent = $2 and removed_at is null",
    )
    .bind(organization.to_string())
    .bind(agent.to_string())
    .fetch_optional(&mut *transaction)
    .await?;
    transaction.commit().await?;
    row.map(Agent::try_from).transpose()
}

async fn create(store: &Store, organization: OrganizationId, new: NewAgent) -> Result<(), Failure> {
    const COUNT: &str = "select count(*) from agents where organization = $1 and removed_at is null";
    let mut transaction = change::begin(store, organization).await?;
    change::refuse_more(&mut transaction, organization, COUNT, (AGENTS_MAX, "agents")).await?;
    sqlx::query(
        "insert into agents (organization, agent, name, start_processes, work_processes, created_at)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(organization.to_string())
    .bind(new.id.to_string())
    .bind(new.name.as_str())
    .bind(processes(&new.rights.start))
    .bind(processes(&new.rights.work))
    .bind(new.created_at.as_millis())
    .execute(&mut *transaction)
    .await
    .map_err(Error::or_taken("agent"))?;
    Ok(transaction.commit().await?)
}

async fn alter(
    store: &Store,
    organization: OrganizationId,
    agent: AgentId,
    changes: AgentChange,
) -> Result<(), Failure> {
    let mut transaction = change::begin(store, organization).await?;
    check(&mut transaction, organization, agent).await?;
    sqlx::query(
        "update agents set name = coalesce($3, name),
             start_processes = case when $4 then $5 else start_processes end,
             work_processes = case when $6 then $7 else work_processes end
         where organization = $1 and agent = $2",
    )
    .bind(organization.to_string())
    .bind(agent.to_string())
    .bind(changes.name.as_ref().map(base::Name::as_str))
    .bind(changes.start.is_some())
    .bind(changes.start.as_ref().and_then(processes))
    .bind(changes.work.is_some())
    .bind(changes.work.as_ref().and_then(processes))
    .execute(&mut *transaction)
    .await
    .map_err(Error::or_taken("agent"))?;
    Ok(transaction.commit().await?)
}

async fn remove(
    store: &Store,
    organization: OrganizationId,
    agent: AgentId,
    now: Timestamp,
) -> Result<(), Failure> {
    let mut transaction = change::begin(store, organization).await?;
    check(&mut transaction, organization, agent).await?;
    sqlx::query("delete from credentials where organization = $1 and agent = $2")
        .bind(organization.to_string())
        .bind(agent.to_string())
        .execute(&mut *transaction)
        .await?;
    sqlx::query("update agents set removed_at = $3 where organization = $1 and agent = $2")
        .bind(organization.to_string())
        .bind(agent.to_string())
        .bind(now.as_millis())
        .execute(&mut *transaction)
        .await?;
    Ok(transaction.commit().await?)
}

/// Refused when there is no such agent.
async fn check(
    connection: &mut PgConnection,
    organization: OrganizationId,
    agent: AgentId,
) -> Result<(), Failure> {
    if is_there(connection, organization, agent).await? {
        Ok(())
    } else {
        Err(ChangeError::NotFound { what: "agent" }.into())
    }
}

async fn is_there(
    connection: &mut PgConnection,
    organization: OrganizationId,
    agent: AgentId,
) -> Result<bool, sqlx::Error> {
    let (is_there,) = sqlx::query_as(
        "select exists (select from agents where organization = $1 and agent = $2 and removed_at is null)",
    )
    .bind(organization.to_string())
    .bind(agent.to_string())
    .fetch_one(connection)
    .await?;
    Ok(is_there)
}

async fn tokens(
    store: &Store,
    organization: OrganizationId,
    agent: AgentId,
    page: &Page<TokenId>,
) -> Result<Option<Entries<Token>>, Error> {
    let mut transaction = store.read(organization).await?;
    if !is_there(&mut transaction, organization, agent).await? {
        return Ok(None);
    }
    let rows: Vec<TokenRow> = sqlx::query_as(
        "select token_id, created_at, expires_at from credentials
         where organization = $1 and agent = $2 and person is null and token_id > $3
         order by token_id
         limit $4 + 1",
    )
    .bind(organization.to_string())
    .bind(agent.to_string())
    .bind(page.after.map(|token| token.to_string()).unwrap_or_default())
    .bind(page::rows(page.limit))
    .fetch_all(&mut *transaction)
    .await?;
    transaction.commit().await?;
    change::entries(rows, page.limit).map(Some)
}

async fn issue(
    store: &Store,
    organization: OrganizationId,
    agent: AgentId,
    new: NewToken,
) -> Result<(), Failure> {
    let mut transaction = change::begin(store, organization).await?;
    check(&mut transaction, organization, agent).await?;
    let (found,): (i64,) =
        sqlx::query_as("select count(*) from credentials where organization = $1 and agent = $2")
            .bind(organization.to_string())
            .bind(agent.to_string())
            .fetch_one(&mut *transaction)
            .await?;
    if usize::try_from(found).is_ok_and(|found| found >= AGENT_TOKENS_MAX) {
        let (what, most) = ("tokens of this agent", AGENT_TOKENS_MAX);
        return Err(ChangeError::Full { what, most }.into());
    }
    credentials::insert(&mut transaction, organization, TokenHolder::Agent(agent), &new).await?;
    Ok(transaction.commit().await?)
}

async fn withdraw(
    store: &Store,
    organization: OrganizationId,
    agent: AgentId,
    token: TokenId,
) -> Result<(), Failure> {
    let mut transaction = store.write(organization).await?;
    check(&mut transaction, organization, agent).await?;
    let gone = sqlx::query(
        "delete from credentials where organization = $1 and agent = $2 and token_id = $3 and person is null",
    )
    .bind(organization.to_string())
    .bind(agent.to_string())
    .bind(token.to_string())
    .execute(&mut *transaction)
    .await?;
    if gone.rows_affected() == 0 {
        return Err(ChangeError::NotFound { what: "token" }.into());
    }
    Ok(transaction.commit().await?)
}

impl TryFrom<Row> for Agent {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: words::parse(&row.agent, WHAT)?,
            name: row.name,
            rights: AgentRights {
                start: scope(row.start_processes),
                work: scope(row.work_processes),
            },
            created_at: Timestamp::from_millis(row.created_at),
        })
    }
}

impl TryFrom<TokenRow> for Token {
    type Error = Error;

    fn try_from(row: TokenRow) -> Result<Self, Error> {
        Ok(Self {
            id: words::parse(&row.token_id, "a token")?,
            created_at: Timestamp::from_millis(row.created_at),
            expires_at: words::instant(row.expires_at),
        })
    }
}
