//! Runs whose open items are to be looked at anew.

use async_trait::async_trait;
use base::{OrganizationId, RunId};
use run_ports::{NotedRun, PortError, Reassignments};

use crate::connect::{ask, timely};
use crate::{Error, Store, words};

const WHAT: &str = "a reassignment";

#[async_trait]
impl Reassignments for Store {
    async fn noted(
        &self,
        organization: OrganizationId,
        after: Option<RunId>,
        limit: usize,
    ) -> Result<Vec<NotedRun>, PortError> {
        Ok(ask(|| noted(self, organization, after, limit)).await?)
    }

    async fn organizations(
        &self,
        after: Option<OrganizationId>,
        limit: usize,
    ) -> Result<Vec<OrganizationId>, PortError> {
        Ok(ask(|| organizations(self, after, limit)).await?)
    }

    async fn forget(&self, organization: OrganizationId, seen: &[NotedRun]) -> Result<(), PortError> {
        Ok(timely(forget(self, organization, seen)).await?)
    }
}

async fn noted(
    store: &Store,
    organization: OrganizationId,
    after: Option<RunId>,
    limit: usize,
) -> Result<Vec<NotedRun>, Error> {
    let mut transaction = store.read(organization).await?;
    let rows: Vec<(String, i64)> = sqlx::query_as(
        "select run, noted_revision from reassignments where organization = $1 and run > $2 order by run limit $3",
    )
    .bind(organization.to_string())
    .bind(after.map(|run| run.to_string()).unwrap_or_default())
    .bind(i64::try_from(limit).unwrap_or(i64::MAX))
    .fetch_all(&mut *transaction)
    .await?;
    transaction.commit().await?;
    let noted = |(run, revision): (String, i64)| {
        Ok(NotedRun {
            run: words::parse(&run, WHAT)?,
            revision: words::unsigned(revision, WHAT)?,
        })
    };
    rows.into_iter().map(noted).collect()
}

async fn organizations(
    store: &Store,
    after: Option<OrganizationId>,
    limit: usize,
) -> Result<Vec<OrganizationId>, Error> {
    let rows: Vec<String> = sqlx::query_scalar(include_str!("../sql/organizations_to_reassign.sql"))
        .bind(
            after
                .map(|organization| organization.to_string())
                .unwrap_or_default(),
        )
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&store.keepers)
        .await?;
    rows.iter().map(|id| words::parse(id, WHAT)).collect()
}

async fn forget(store: &Store, organization: OrganizationId, seen: &[NotedRun]) -> Result<(), Error> {
    let runs: Vec<_> = seen.iter().map(|noted| noted.run.to_string()).collect();
    let revisions: Vec<_> = seen.iter().map(|noted| words::number(noted.revision)).collect();
    let mut transaction = store.write(organization).await?;
    sqlx::query("select forget_reassignments($1, $2, $3)")
        .bind(organization.to_string())
        .bind(runs)
        .bind(revisions)
        .execute(&mut *transaction)
        .await?;
    Ok(transaction.commit().await?)
}
