//! Organizations.

use async_trait::async_trait;
use base::{GroupId, OrganizationId, Timestamp};
use run_ports::{Organization, Organizations, PortError};
use sqlx::FromRow;

use crate::connect::ask;
use crate::{Error, Store, words};

const WHAT: &str = "an organization";

#[derive(FromRow)]
struct Row {
    name: String,
    operators_group: String,
    created_at: i64,
    members: i64,
    groups: i64,
    agents: i64,
    processes: i64,
    drafts: i64,
}

#[async_trait]
impl Organizations for Store {
    async fn organization(&self, organization: OrganizationId) -> Result<Organization, PortError> {
        Ok(ask(|| read(self, organization)).await?)
    }
}

impl Store {
    /// Creates an organization; `name` stands in its addresses.
    pub async fn create_organization(
        &self,
        organization: OrganizationId,
        name: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.write(organization).await?;
        sqlx::query(
            "insert into organizations (organization, name, operators_group, created_at) values ($1, $2, $3, $4)",
        )
        .bind(organization.to_string())
        .bind(name)
        .bind(GroupId::new(organization.ulid()).to_string())
        .bind(now.as_millis())
        .execute(&mut *transaction)
        .await
        .map_err(Error::or_taken("organization"))?;
        Ok(transaction.commit().await?)
    }

    /// The organization with this name.
    pub async fn organization_by_name(&self, name: &str) -> Result<Option<OrganizationId>, Error> {
        let (found,): (Option<String>,) = sqlx::query_as("select find_organization($1)")
            .bind(name)
            .fetch_one(&self.readers)
            .await?;
        found.map(|id| words::parse(&id, WHAT)).transpose()
    }

    /// The name of the only organization, if there is exactly one.
    pub async fn only_organization(&self) -> Result<Option<String>, Error> {
        let (name,): (Option<String>,) = ask(async || {
            let found = sqlx::query_as("select only_organization()")
                .fetch_one(&self.readers)
                .await?;
            Ok(found)
        })
        .await?;
        Ok(name)
    }
}

async fn read(store: &Store, organization: OrganizationId) -> Result<Organization, Error> {
    let mut transaction = store.read(organization).await?;
    let row: Row = sqlx::query_as(include_str!("../sql/organization.sql"))
        .bind(organization.to_string())
        .fetch_one(&mut *transaction)
        .await?;
    transaction.commit().await?;
    row.try_into()
}

impl TryFrom<Row> for Organization {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            name: row.name,
            operators_group: words::parse(&row.operators_group, WHAT)?,
            created_at: Timestamp::from_millis(row.created_at),
            members: words::unsigned(row.members, WHAT)?,
            groups: words::unsigned(row.groups, WHAT)?,
            agents: words::unsigned(row.agents, WHAT)?,
            processes: words::unsigned(row.processes, WHAT)?,
            drafts: words::unsigned(row.drafts, WHAT)?,
        })
    }
}
