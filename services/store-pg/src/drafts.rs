//! Documents that are being prepared for publication.

use async_trait::async_trait;
use base::{Digest, DraftId, OrganizationId, Timestamp};
use run_ports::limits::DRAFTS_MAX;
use run_ports::{ChangeError, Draft, DraftHead, DraftText, Drafts, Entries, Page, PortError};
use sqlx::FromRow;
use sqlx::postgres::PgQueryResult;

use crate::change::{self, Failure, change};
use crate::connect::ask;
use crate::{Error, Store, page, words};

const WHAT: &str = "a draft";

#[derive(FromRow)]
struct Row {
    draft: String,
    name: Option<String>,
    content_hash: Option<Vec<u8>>,
    created_at: i64,
    created_by: String,
    updated_at: i64,
    updated_by: String,
}

#[derive(FromRow)]
struct WholeRow {
    #[sqlx(flatten)]
    head: Row,
    source: Vec<u8>,
}

#[async_trait]
impl Drafts for Store {
    async fn list_drafts(
        &self,
        organization: OrganizationId,
        page: &Page<DraftId>,
    ) -> Result<Entries<DraftHead>, PortError> {
        Ok(ask(|| list(self, organization, page)).await?)
    }

    async fn find_draft(
        &self,
        organization: OrganizationId,
        draft: DraftId,
    ) -> Result<Option<Draft>, PortError> {
        Ok(ask(|| find(self, organization, draft)).await?)
    }

    async fn create_draft(
        &self,
        organization: OrganizationId,
        draft: DraftId,
        text: DraftText,
    ) -> Result<(), ChangeError> {
        change(create(self, organization, draft, text)).await
    }

    async fn replace_draft(
        &self,
        organization: OrganizationId,
        draft: DraftId,
        text: DraftText,
    ) -> Result<(), ChangeError> {
        change(replace(self, organization, draft, text)).await
    }

    async fn delete_draft(&self, organization: OrganizationId, draft: DraftId) -> Result<(), ChangeError> {
        change(delete(self, organization, draft)).await
    }
}

async fn list(
    store: &Store,
    organization: OrganizationId,
    page: &Page<DraftId>,
) -> Result<Entries<DraftHead>, Error> {
    let mut transaction = store.read(organization).await?;
    let rows: Vec<Row> = sqlx::query_as(
        "select draft, name, content_hash, created_at, created_by, updated_at, updated_by from drafts
         where organization = $1 and draft > $2
         order by draft
         limit $3 + 1",
    )
    .bind(organization.to_string())
    .bind(page.after.map(|draft| draft.to_string()).unwrap_or_default())
    .bind(page::rows(page.limit))
    .fetch_all(&mut *transaction)
    .await?;
    transaction.commit().await?;
    change::entries(rows, page.limit)
}

async fn find(store: &Store, organization: OrganizationId, draft: DraftId) -> Result<Option<Draft>, Error> {
    let mut transaction = store.read(organization).await?;
    let row: Option<WholeRow> = sqlx::query_as("select * from drafts where organization = $1 and draft = $2")
        .bind(organization.to_string())
        .bind(draft.to_string())
        .fetch_optional(&mut *transaction)
        .await?;
    transaction.commit().await?;
    let draft = row.map(|row| {
        Ok(Draft {
            head: row.head.try_into()?,
            source: row.source,
        })
    });
    draft.transpose()
}

async fn create(
    store: &Store,
    organization: OrganizationId,
    draft: DraftId,
    text: DraftText,
) -> Result<(), Failure> {
    const COUNT: &str = "select count(*) from drafts where organization = $1";
    let mut transaction = store.write(organization).await?;
    // Whoever creates one at the same time waits here and then counts this one.
    sqlx::query("select pg_advisory_xact_lock(hashtextextended($1, 17))")
        .bind(organization.to_string())
        .execute(&mut *transaction)
        .await?;
    change::refuse_more(&mut transaction, organization, COUNT, (DRAFTS_MAX, "drafts")).await?;
    sqlx::query(
        "insert into drafts (organization, draft, source, name, content_hash, created_at, created_by, updated_at, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $6, $7)",
    )
    .bind(organization.to_string())
    .bind(draft.to_string())
    .bind(text.source)
    .bind(text.name)
    .bind(text.content_hash.as_ref().map(bytes))
    .bind(text.at.as_millis())
    .bind(text.by.to_string())
    .execute(&mut *transaction)
    .await?;
    Ok(transaction.commit().await?)
}

async fn replace(
    store: &Store,
    organization: OrganizationId,
    draft: DraftId,
    text: DraftText,
) -> Result<(), Failure> {
    let mut transaction = store.write(organization).await?;
    let replaced = sqlx::query(
        "update drafts set source = $3, name = $4, content_hash = $5, updated_at = $6, updated_by = $7
         where organization = $1 and draft = $2",
    )
    .bind(organization.to_string())
    .bind(draft.to_string())
    .bind(text.source)
    .bind(text.name)
    .bind(text.content_hash.as_ref().map(bytes))
    .bind(text.at.as_millis())
    .bind(text.by.to_string())
    .execute(&mut *transaction)
    .await?;
    one(&replaced)?;
    Ok(transaction.commit().await?)
}

async fn delete(store: &Store, organization: OrganizationId, draft: DraftId) -> Result<(), Failure> {
    let mut transaction = store.write(organization).await?;
    let deleted = sqlx::query("delete from drafts where organization = $1 and draft = $2")
        .bind(organization.to_string())
        .bind(draft.to_string())
        .execute(&mut *transaction)
        .await?;
    one(&deleted)?;
    Ok(transaction.commit().await?)
}

/// Refused when there was no such draft.
fn one(done: &PgQueryResult) -> Result<(), ChangeError> {
    match done.rows_affected() {
        0 => Err(ChangeError::NotFound { what: "draft" }),
        _ => Ok(()),
    }
}

fn bytes(digest: &Digest) -> &[u8] {
    digest.as_bytes().as_slice()
}

impl TryFrom<Row> for DraftHead {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let content_hash = row.content_hash.map(|hash| words::digest(&hash, WHAT));
        Ok(Self {
            id: words::parse(&row.draft, WHAT)?,
            name: row.name,
            content_hash: content_hash.transpose()?,
            created_at: Timestamp::from_millis(row.created_at),
            created_by: words::parse(&row.created_by, WHAT)?,
            updated_at: Timestamp::from_millis(row.updated_at),
            updated_by: words::parse(&row.updated_by, WHAT)?,
        })
    }
}
