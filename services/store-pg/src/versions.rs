//! Published versions, and what they map their roles to.

use async_trait::async_trait;
use base::{GroupId, OrganizationId, Timestamp};
use run_ports::{PageOf, PortError, ProcessPage, Published, VersionRow, Versions};
use sqlx::{FromRow, PgConnection};

use crate::connect::{ask, timely};
use crate::{Error, Store, page, processes, words};

const WHAT: &str = "a version";

#[derive(FromRow)]
struct Row {
    process: String,
    version: i64,
    format: String,
    source: Vec<u8>,
    content_hash: Vec<u8>,
    description: String,
    published_at: i64,
    published_by: Option<String>,
}

/// One row of a page.
#[derive(FromRow)]
struct Listed {
    #[sqlx(flatten)]
    row: Row,
    found: i64,
}

#[async_trait]
impl Versions for Store {
    async fn version(
        &self,
        organization: OrganizationId,
        process: &str,
        version: Option<u32>,
    ) -> Result<Option<VersionRow>, PortError> {
        Ok(ask(|| read(self, organization, process, version)).await?)
    }

    async fn latest(&self, organization: OrganizationId, process: &str) -> Result<Option<u32>, PortError> {
        Ok(ask(|| number(self, organization, process)).await?)
    }

    async fn publish(
        &self,
        organization: OrganizationId,
        new: VersionRow,
        roles: Vec<(String, GroupId)>,
    ) -> Result<Published, PortError> {
        Ok(timely(publish(self, organization, new, roles)).await?)
    }
}

async fn read(
    store: &Store,
    organization: OrganizationId,
    process: &str,
    version: Option<u32>,
) -> Result<Option<VersionRow>, Error> {
    let mut transaction = store.read(organization).await?;
    let row: Option<Row> = sqlx::query_as(
        "select * from versions where organization = $1 and process = $2 and ($3::bigint is null or version = $3)
         order by version desc limit 1",
    )
    .bind(organization.to_string())
    .bind(process)
    .bind(version.map(i64::from))
    .fetch_optional(&mut *transaction)
    .await?;
    transaction.commit().await?;
    row.map(VersionRow::try_from).transpose()
}

async fn number(store: &Store, organization: OrganizationId, process: &str) -> Result<Option<u32>, Error> {
    let mut transaction = store.read(organization).await?;
    let latest = compare(&mut transaction, organization, process, &[]).await?;
    transaction.commit().await?;
    latest
        .map(|(number, _)| words::unsigned(number, WHAT))
        .transpose()
}

/// The number of the latest version, and whether it has this text.
async fn compare(
    connection: &mut PgConnection,
    organization: OrganizationId,
    process: &str,
    source: &[u8],
) -> Result<Option<(i64, bool)>, sqlx::Error> {
    sqlx::query_as(
        "select version, source = $3 from versions where organization = $1 and process = $2
         order by version desc limit 1",
    )
    .bind(organization.to_string())
    .bind(process)
    .bind(source)
    .fetch_optional(connection)
    .await
}

async fn publish(
    store: &Store,
    organization: OrganizationId,
    new: VersionRow,
    roles: Vec<(String, GroupId)>,
) -> Result<Published, Error> {
    let mut transaction = store.write(organization).await?;
    // Whoever publishes the same process waits here and then sees this version.
    sqlx::query("select pg_advisory_xact_lock(hashtextextended($1 || $2, 11))")
        .bind(organization.to_string())
        .bind(&new.process)
        .execute(&mut *transaction)
        .await?;
    processes::map_roles(&mut transaction, organization, &new.process, &roles).await?;
    let latest = compare(&mut transaction, organization, &new.process, &new.source).await?;
    let (number, is_same) = latest.unwrap_or((0, false));
    let published = if is_same {
        Published::Unchanged(words::unsigned(number, WHAT)?)
    } else {
        insert(&mut transaction, organization, &new, number + 1).await?;
        Published::New(words::unsigned(number + 1, WHAT)?)
    };
    transaction.commit().await?;
    Ok(published)
}

async fn insert(
    connection: &mut PgConnection,
    organization: OrganizationId,
    new: &VersionRow,
    number: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into versions (organization, process, version, format, source, content_hash, description, published_at,
             published_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(organization.to_string())
    .bind(&new.process)
    .bind(number)
    .bind(&new.format)
    .bind(&new.source)
    .bind(new.content_hash.as_bytes().as_slice())
    .bind(&new.description)
    .bind(new.published_at.as_millis())
    .bind(new.published_by.map(|person| person.to_string()))
    .execute(connection)
    .await?;
    Ok(())
}

/// The latest version of every process, by name.
pub(crate) async fn latest(
    store: &Store,
    organization: OrganizationId,
    page: &PageOf<String>,
) -> Result<ProcessPage, Error> {
    let mut transaction = store.read(organization).await?;
    let rows: Vec<Listed> = sqlx::query_as(include_str!("../sql/latest_versions.sql"))
        .bind(organization.to_string())
        .bind(page.after.as_deref().unwrap_or_default())
        .bind(page.process.as_deref())
        .bind(page::rows(page.limit))
        .bind(page::BYTES_MAX)
        .fetch_all(&mut *transaction)
        .await?;
    transaction.commit().await?;
    let has_more = page::has_more(rows.len(), rows.first().map(|listed| listed.found));
    let entries = rows
        .into_iter()
        .map(|listed| VersionRow::try_from(listed.row))
        .collect::<Result<_, _>>()?;
    Ok(ProcessPage { entries, has_more })
}

impl TryFrom<Row> for VersionRow {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            process: row.process,
            version: words::unsigned(row.version, WHAT)?,
            format: row.format,
            source: row.source,
            content_hash: words::digest(&row.content_hash, WHAT)?,
            description: row.description,
            published_at: Timestamp::from_millis(row.published_at),
            published_by: row
                .published_by
                .map(|person| words::parse(&person, WHAT))
                .transpose()?,
        })
    }
}
