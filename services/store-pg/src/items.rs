//! Open work items of people.

use base::{OrganizationId, RunId, Timestamp};
use run_core::project::ItemRow;
use run_core::stored;
use run_ports::{ItemEntry, ItemPage, ItemReader, PageOf};
use sqlx::FromRow;

use crate::{Error, Store, page, words};

const WHAT: &str = "a work item";

#[derive(FromRow)]
struct Row {
    run: String,
    process: String,
    version: i64,
    snapshot: Vec<u8>,
    opened_at: i64,
    body: String,
    found: i64,
}

pub(crate) async fn list(
    store: &Store,
    organization: OrganizationId,
    reader: ItemReader,
    page: &PageOf<(Timestamp, RunId, u32)>,
) -> Result<ItemPage, Error> {
    let (sql, person) = match reader {
        ItemReader::Member(person) => (include_str!("../sql/items_of_member.sql"), person),
        ItemReader::Operator(person) => (include_str!("../sql/items_of_operator.sql"), person),
    };
    let after = page.after.as_ref();
    let mut transaction = store.read(organization).await?;
    let rows: Vec<Row> = sqlx::query_as(sql)
        .bind(organization.to_string())
        .bind(person.to_string())
        .bind(after.map_or(i64::MIN, |(opened_at, _, _)| opened_at.as_millis()))
        .bind(after.map(|(_, run, _)| run.to_string()).unwrap_or_default())
        .bind(after.map_or(-1, |(_, _, number)| i64::from(*number)))
        .bind(page.process.as_deref())
        .bind(page::rows(page.limit))
        .bind(page::BYTES_MAX)
        .fetch_all(&mut *transaction)
        .await?;
    transaction.commit().await?;
    let has_more = page::has_more(rows.len(), rows.first().map(|row| row.found));
    let entries = rows
        .into_iter()
        .map(ItemEntry::try_from)
        .collect::<Result<_, _>>()?;
    Ok(ItemPage { entries, has_more })
}

impl TryFrom<Row> for ItemEntry {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            run: words::parse(&row.run, WHAT)?,
            process: row.process,
            version: words::unsigned(row.version, WHAT)?,
            snapshot: words::digest(&row.snapshot, WHAT)?,
            row: ItemRow {
                opened_at: Timestamp::from_millis(row.opened_at),
                item: stored::decode_item(&row.body).map_err(|source| Error::corrupt(WHAT, source))?,
            },
        })
    }
}
