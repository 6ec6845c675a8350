//! What admins see of published processes, and the groups that their roles mean.

use std::collections::BTreeMap;

use async_trait::async_trait;
use base::{GroupId, OrganizationId, Timestamp};
use run_ports::{ChangeError, Entries, Page, PortError, Processes, VersionHead};
use sqlx::{FromRow, PgConnection};

use crate::change::{self, Failure, change};
use crate::connect::ask;
use crate::{Error, Store, directory_change, page, words};

const WHAT: &str = "a version";

#[derive(FromRow)]
struct Row {
    version: i64,
    content_hash: Vec<u8>,
    published_at: i64,
    published_by: Option<String>,
}

#[async_trait]
impl Processes for Store {
    async fn list_versions(
        &self,
        organization: OrganizationId,
        process: &str,
        page: &Page<u32>,
    ) -> Result<Entries<VersionHead>, PortError> {
        Ok(ask(|| list(self, organization, process, page)).await?)
    }

    async fn role_groups(
        &self,
        organization: OrganizationId,
        process: &str,
    ) -> Result<BTreeMap<String, String>, PortError> {
        Ok(ask(|| role_groups(self, organization, process)).await?)
    }

    async fn map_roles(
        &self,
        organization: OrganizationId,
        process: &str,
        roles: &[(String, GroupId)],
    ) -> Result<(), ChangeError> {
        change(map(self, organization, process, roles)).await
    }
}

async fn list(
    store: &Store,
    organization: OrganizationId,
    process: &str,
    page: &Page<u32>,
) -> Result<Entries<VersionHead>, Error> {
    let mut transaction = store.read(organization).await?;
    let rows: Vec<Row> = sqlx::query_as(
        "select version, content_hash, published_at, published_by from versions
         where organization = $1 and process = $2 and version < $3
         order by version desc
         limit $4 + 1",
    )
    .bind(organization.to_string())
    .bind(process)
    .bind(page.after.map_or(i64::MAX, i64::from))
    .bind(page::rows(page.limit))
    .fetch_all(&mut *transaction)
    .await?;
    transaction.commit().await?;
    change::entries(rows, page.limit)
}

async fn role_groups(
    store: &Store,
    organization: OrganizationId,
    process: &str,
) -> Result<BTreeMap<String, String>, Error> {
    let mut transaction = store.read(organization).await?;
    let rows: Vec<(String, String)> = sqlx::query_as(
        "select m.role, g.name from role_mappings m
         join groups g on g.organization = m.organization and g.group_id = m.group_id
         where m.organization = $1 and m.process = $2",
    )
    .bind(organization.to_string())
    .bind(process)
    .fetch_all(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(rows.into_iter().collect())
}

async fn map(
    store: &Store,
    organization: OrganizationId,
    process: &str,
    roles: &[(String, GroupId)],
) -> Result<(), Failure> {
    let mut transaction = store.write(organization).await?;
    map_roles(&mut transaction, organization, process, roles).await?;
    Ok(transaction.commit().await?)
}

/// Maps those that are mapped otherwise, which is a change of the directory.
pub(crate) async fn map_roles(
    connection: &mut PgConnection,
    organization: OrganizationId,
    process: &str,
    roles: &[(String, GroupId)],
) -> Result<(), sqlx::Error> {
    if changed(connection, organization, process, roles)
        .await?
        .is_empty()
    {
        return Ok(());
    }
    directory_change::begin(connection, organization).await?;
    // Whoever mapped others meanwhile has ended: what is left of this change follows on that one, role by role.
    let changed = changed(connection, organization, process, roles).await?;
    for (role, group) in changed {
        sqlx::query(
            "insert into role_mappings (organization, process, role, group_id) values ($1, $2, $3, $4)
             on conflict (organization, process, role) do update set group_id = excluded.group_id",
        )
        .bind(organization.to_string())
        .bind(process)
        .bind(role)
        .bind(group)
        .execute(&mut *connection)
        .await?;
    }
    directory_change::note_role(connection, organization, process).await
}

/// Those of the mappings that do not stand yet.
async fn changed(
    connection: &mut PgConnection,
    organization: OrganizationId,
    process: &str,
    roles: &[(String, GroupId)],
) -> Result<Vec<(String, String)>, sqlx::Error> {
    let mapped: Vec<(String, String)> =
        sqlx::query_as("select role, group_id from role_mappings where organization = $1 and process = $2")
            .bind(organization.to_string())
            .bind(process)
            .fetch_all(connection)
            .await?;
    let wanted = roles
        .iter()
        .map(|(role, group)| (role.clone(), group.to_string()));
    Ok(wanted.filter(|mapping| !mapped.contains(mapping)).collect())
}

impl TryFrom<Row> for VersionHead {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let published_by = row.published_by.map(|person| words::parse(&person, WHAT));
        Ok(Self {
            version: words::unsigned(row.version, WHAT)?,
            content_hash: words::digest(&row.content_hash, WHAT)?,
            published_at: Timestamp::from_millis(row.published_at),
            published_by: published_by.transpose()?,
        })
    }
}
