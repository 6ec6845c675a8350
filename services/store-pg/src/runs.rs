//! Runs, newest first, by what they were started with and where they stand.

use base::{OrganizationId, RunId, Timestamp};
use run_core::{Map, RunWord};
use run_ports::{PageOf, RunEntry, RunFilter, RunPage};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row as _};

use crate::{Error, Store, page, words};

const WHAT: &str = "a run";

/// Steps of the walk for one page: less than a tenth of a second.
const STEPS_MAX: i64 = 2_000;

/// Where the walk ended. Every row says it; there is one even when nothing was found.
#[derive(FromRow)]
struct End {
    reached_at: i64,
    reached_run: String,
    steps: i64,
}

#[derive(FromRow)]
struct Row {
    run: String,
    process: String,
    version: i64,
    state: String,
    outcome: Option<String>,
    started_at: i64,
    updated_at: i64,
    inputs: String,
    found: i64,
}

pub(crate) async fn list(
    store: &Store,
    organization: OrganizationId,
    filter: &RunFilter,
    page: &PageOf<(Timestamp, RunId)>,
) -> Result<RunPage, Error> {
    let states: Vec<&str> = match filter.state {
        Some(state) => vec![state.as_str()],
        None => RunWord::ALL.map(RunWord::as_str).to_vec(),
    };
    let conditions = (1..).zip(&filter.inputs);
    let (conditions, inputs): (Vec<i32>, Vec<&[u8]>) = conditions
        .flat_map(|(condition, wanted)| {
            wanted
                .any_of
                .iter()
                .map(move |input| (condition, &input.as_bytes()[..]))
        })
        .unzip();
    let after = page.after;
    let mut transaction = store.read(organization).await?;
    let rows: Vec<PgRow> = sqlx::query(include_str!("../sql/runs.sql"))
        .bind(organization.to_string())
        .bind(page.process.as_deref())
        .bind(states)
        .bind(conditions)
        .bind(inputs)
        .bind(after.map_or(i64::MAX, |(started_at, _)| started_at.as_millis()))
        .bind(after.map(|(_, run)| run.to_string()).unwrap_or_default())
        .bind(page::rows(filter.inputs.len() + 1))
        .bind(page::rows(page.limit))
        .bind(page::BYTES_MAX)
        .bind(STEPS_MAX)
        .fetch_all(&mut *transaction)
        .await?;
    transaction.commit().await?;
    read(&rows)
}

fn read(rows: &[PgRow]) -> Result<RunPage, Error> {
    let found_any = |row: &&PgRow| {
        row.try_get::<Option<&str>, _>("run")
            .is_ok_and(|run| run.is_some())
    };
    let found = rows.iter().filter(found_any).map(Row::from_row);
    let found: Vec<Row> = found.collect::<Result<_, _>>()?;
    let has_more = page::has_more(found.len(), found.first().map(|row| row.found));
    let entries: Vec<RunEntry> = found
        .into_iter()
        .map(RunEntry::try_from)
        .collect::<Result<_, _>>()?;
    let next = match (entries.last().filter(|_| has_more), rows.first()) {
        (Some(last), _) => Some((last.started_at, last.run)),
        (None, Some(row)) => End::from_row(row)?.next()?,
        (None, None) => None,
    };
    Ok(RunPage { entries, next })
}

impl End {
    /// A walk that made all its steps may not be at the end.
    fn next(&self) -> Result<Option<(Timestamp, RunId)>, Error> {
        if self.steps < STEPS_MAX {
            return Ok(None);
        }
        let run = words::parse(&self.reached_run, WHAT)?;
        Ok(Some((Timestamp::from_millis(self.reached_at), run)))
    }
}

impl TryFrom<Row> for RunEntry {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let inputs: Map = serde_json::from_str(&row.inputs).map_err(|source| Error::corrupt(WHAT, source))?;
        Ok(Self {
            run: words::parse(&row.run, WHAT)?,
            process: row.process,
            version: words::unsigned(row.version, WHAT)?,
            state: words::run_state(&row.state)?,
            outcome: row.outcome,
            started_at: Timestamp::from_millis(row.started_at),
            updated_at: Timestamp::from_millis(row.updated_at),
            inputs,
        })
    }
}
