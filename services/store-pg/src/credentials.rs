//! Opaque tokens. The database knows their digests alone, and finds one by its digest: no comparison depends on a secret.

use base::{AgentId, AgentRights, Caller, OrganizationId, PersonId, Principal, Scope, Secret, Timestamp};
use run_ports::NewToken;
use sha2::{Digest, Sha256};
use sqlx::{FromRow, PgConnection};

use crate::connect::ask;
use crate::{Error, Store, words};

/// Whose token it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenHolder {
    /// A program.
    Agent(AgentId),
    /// A program that a person signed in with: an agent all the same.
    AgentFor(AgentId, PersonId),
    /// A human being.
    Person(PersonId),
}

#[derive(FromRow)]
struct Row {
    organization: String,
    agent: Option<String>,
    start_processes: Option<Vec<String>>,
    work_processes: Option<Vec<String>>,
    person: Option<String>,
    email: Option<String>,
    role: Option<String>,
}

impl Store {
    /// Makes a token valid. The same token for the same organization is given once.
    pub async fn add_token(
        &self,
        organization: OrganizationId,
        holder: TokenHolder,
        new: &NewToken,
    ) -> Result<(), Error> {
        let mut transaction = self.write(organization).await?;
        insert(&mut transaction, organization, holder, new).await?;
        Ok(transaction.commit().await?)
    }

    /// Makes a token invalid. Nothing happens when it is.
    pub async fn revoke_token(
        &self,
        organization: OrganizationId,
        token: &Secret<String>,
    ) -> Result<(), Error> {
        let mut transaction = self.write(organization).await?;
        sqlx::query("delete from credentials where organization = $1 and token_sha256 = $2")
            .bind(organization.to_string())
            .bind(sha256(token))
            .execute(&mut *transaction)
            .await?;
        Ok(transaction.commit().await?)
    }

    /// Who holds a token of the organization with this name or id; nobody when it is unknown, of another organization, or expired at
    /// `now`.
    pub async fn principal_by_token(
        &self,
        organization: &str,
        token: &Secret<String>,
        now: Timestamp,
    ) -> Result<Option<Principal>, Error> {
        let row: Option<Row> = ask(async || {
            let found = sqlx::query_as("select * from find_credential($1, $2, $3)")
                .bind(organization)
                .bind(sha256(token))
                .bind(now.as_millis())
                .fetch_optional(&self.readers)
                .await?;
            Ok(found)
        })
        .await?;
        row.map(Principal::try_from).transpose()
    }
}

/// Writes a token's digest.
pub(crate) async fn insert(
    connection: &mut PgConnection,
    organization: OrganizationId,
    holder: TokenHolder,
    new: &NewToken,
) -> Result<(), Error> {
    let (agent, person) = match holder {
        TokenHolder::Agent(agent) => (Some(agent), None),
        TokenHolder::AgentFor(agent, person) => (Some(agent), Some(person)),
        TokenHolder::Person(person) => (None, Some(person)),
    };
    sqlx::query(
        "insert into credentials (organization, token_sha256, token_id, agent, person, expires_at, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(organization.to_string())
    .bind(sha256(&new.secret))
    .bind(new.id.to_string())
    .bind(agent.map(|agent| agent.to_string()))
    .bind(person.map(|person| person.to_string()))
    .bind(new.expires_at.map(Timestamp::as_millis))
    .bind(new.created_at.as_millis())
    .execute(connection)
    .await
    .map_err(Error::or_taken("token"))?;
    Ok(())
}

impl TryFrom<Row> for Principal {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        const WHAT: &str = "a credential";
        let person = row.person.map(|person| words::parse(&person, WHAT)).transpose()?;
        let caller = match (row.agent, person) {
            (Some(agent), acting_for) => Caller::Agent {
                id: words::parse(&agent, WHAT)?,
                acting_for,
                rights: AgentRights {
                    start: scope(row.start_processes),
                    work: scope(row.work_processes),
                },
            },
            (None, Some(id)) => Caller::Person {
                id,
                email: row.email.unwrap_or_default(),
                role: words::parse(row.role.as_deref().unwrap_or_default(), WHAT)?,
            },
            (None, None) => return Err(sqlx::Error::RowNotFound.into()),
        };
        Ok(Self {
            organization: words::parse(&row.organization, WHAT)?,
            caller,
        })
    }
}

/// The processes of a right; null stands for all of them.
pub(crate) fn processes(scope: &Scope) -> Option<Vec<&str>> {
    match scope {
        Scope::All => None,
        Scope::Processes(names) => Some(names.iter().map(String::as_str).collect()),
    }
}

/// The other way round.
pub(crate) fn scope(processes: Option<Vec<String>>) -> Scope {
    processes.map_or(Scope::All, |names| Scope::Processes(names.into_iter().collect()))
}

fn sha256(token: &Secret<String>) -> Vec<u8> {
    Sha256::digest(token.expose().as_bytes()).to_vec()
}
