//! Journals of runs.

use base::{OrganizationId, RunId};
use run_core::{Event, stored};
use run_ports::Journal;
use sqlx::FromRow;

use crate::{Error, Store, words};

/// A head with one of its events, or with none.
#[derive(FromRow)]
struct Row {
    process: String,
    process_version: i64,
    head_seq: i64,
    seq: Option<i64>,
    at: Option<i64>,
    kind: Option<String>,
    version: Option<i32>,
    body: Option<String>,
}

/// The journal ends before the head does, or has a hole.
#[derive(Debug, thiserror::Error)]
#[error("event {expected} of {head} is missing")]
struct GapError {
    expected: u64,
    head: u64,
}

pub(crate) async fn read(
    store: &Store,
    organization: OrganizationId,
    run: RunId,
    after: u64,
) -> Result<Option<Journal>, Error> {
    let rows = sqlx::query_as("select * from read_journal($1, $2, $3)")
        .bind(organization.to_string())
        .bind(run.to_string())
        .bind(words::number(after))
        .fetch_all(&store.readers)
        .await?;
    journal(run, after, rows)
}

/// Sessions that are waited for at once. Their locks are held together for a moment, and the database has room for a few thousand.
const SESSIONS: usize = 64;

/// First waits for the sessions of this server that were lost with a commit on the way, then for whoever holds the run.
pub(crate) async fn read_settled(
    store: &Store,
    organization: OrganizationId,
    run: RunId,
    after: u64,
) -> Result<Option<Journal>, Error> {
    let mut connection = store.settlers.acquire().await?;
    for sessions in store.doubts.sessions().chunks(SESSIONS) {
        // As long as a session lives it has its lock for itself; whoever waits for its end shares it.
        sqlx::query("select pg_advisory_xact_lock_shared(session) from unnest($1) as session")
            .bind(sessions)
            .execute(&mut *connection)
            .await?;
        store.doubts.resolve(sessions);
    }
    let rows = sqlx::query_as("select * from settle_journal($1, $2, $3)")
        .bind(organization.to_string())
        .bind(run.to_string())
        .bind(words::number(after))
        .fetch_all(&mut *connection)
        .await?;
    journal(run, after, rows)
}

fn journal(run: RunId, after: u64, rows: Vec<Row>) -> Result<Option<Journal>, Error> {
    let Some(first) = rows.first() else {
        return Ok(None);
    };
    let head = words::unsigned(first.head_seq, "a run")?;
    let (process, version) = (
        first.process.clone(),
        words::unsigned(first.process_version, "a run")?,
    );
    let mut events = Vec::with_capacity(rows.len());
    for row in rows {
        events.extend(event(run, row)?);
    }
    let is_whole = events.iter().map(|event| event.seq).eq(after + 1..=head);
    if !is_whole && head > after {
        let expected = (after + 1..=head)
            .zip(&events)
            .find(|(seq, event)| event.seq != *seq);
        let expected = expected.map_or(after + 1 + events.len() as u64, |(seq, _)| seq);
        return Err(Error::corrupt(run.to_string(), GapError { expected, head }));
    }
    Ok(Some(Journal {
        process,
        version,
        events,
    }))
}

fn event(run: RunId, row: Row) -> Result<Option<Event>, Error> {
    let (Some(seq), Some(at), Some(kind), Some(version), Some(body)) =
        (row.seq, row.at, row.kind, row.version, row.body)
    else {
        return Ok(None);
    };
    let version = u16::try_from(version).unwrap_or(u16::MAX);
    let seq = words::unsigned(seq, "a run")?;
    stored::decode(&kind, version, seq, at, &body)
        .map(Some)
        .map_err(|source| Error::corrupt(run.to_string(), source))
}
