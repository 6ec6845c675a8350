//! Steps that agents may claim.

use std::collections::BTreeSet;

use base::{AgentId, OrganizationId, RunId, Scope, Timestamp};
use run_core::event::Reserved;
use run_core::project::Offer;
use run_core::{StepId, stored};
use run_ports::{OfferEntry, OfferPage, PageOf};
use sqlx::FromRow;

use crate::{Error, Store, page, words};

const WHAT: &str = "an offer";

#[derive(FromRow)]
struct Row {
    run: String,
    process: String,
    version: i64,
    mode: String,
    step: String,
    ready_since: i64,
    available_at: i64,
    due: Option<i64>,
    overdue: bool,
    handoff: String,
    holder: Option<String>,
    reserved_for: Option<String>,
    reserved_until: Option<i64>,
    found: i64,
}

pub(crate) async fn list(
    store: &Store,
    organization: OrganizationId,
    (agent, scope): (AgentId, &Scope),
    page: &PageOf<(Timestamp, RunId, StepId)>,
    now: Timestamp,
) -> Result<OfferPage, Error> {
    let processes = wanted(scope, page.process.as_ref());
    let sql = match &processes {
        None => include_str!("../sql/offers_of_all.sql"),
        Some(_) => include_str!("../sql/offers_of_processes.sql"),
    };
    let after = page.after.as_ref();
    let mut query = sqlx::query_as(sql)
        .bind(organization.to_string())
        .bind(after.map_or(i64::MIN, |(ready_since, _, _)| ready_since.as_millis()))
        .bind(after.map(|(_, run, _)| run.to_string()).unwrap_or_default())
        .bind(after.map(|(_, _, step)| step.to_string()).unwrap_or_default())
        .bind(agent.to_string())
        .bind(now.as_millis())
        .bind(page::rows(page.limit))
        .bind(page::BYTES_MAX);
    if let Some(processes) = processes {
        query = query.bind(Vec::from_iter(processes));
    }
    let mut transaction = store.read(organization).await?;
    let rows: Vec<Row> = query.fetch_all(&mut *transaction).await?;
    transaction.commit().await?;
    let has_more = page::has_more(rows.len(), rows.first().map(|row| row.found));
    let entries = rows
        .into_iter()
        .map(OfferEntry::try_from)
        .collect::<Result<_, _>>()?;
    Ok(OfferPage { entries, has_more })
}

/// The processes to look in; `None` for all of them.
fn wanted(scope: &Scope, only: Option<&String>) -> Option<BTreeSet<String>> {
    match (scope, only) {
        (Scope::All, None) => None,
        (Scope::Processes(names), None) => Some(names.clone()),
        (scope, Some(process)) => Some(
            Some(process)
                .filter(|process| scope.covers(process))
                .cloned()
                .into_iter()
                .collect(),
        ),
    }
}

impl TryFrom<Row> for OfferEntry {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let reserved = match (row.reserved_for, row.reserved_until) {
            (Some(agent), Some(until)) => Some(Reserved {
                agent: words::parse(&agent, WHAT)?,
                until: Timestamp::from_millis(until),
            }),
            _ => None,
        };
        let holder = row.holder.map(|holder| words::parse(&holder, WHAT)).transpose()?;
        Ok(Self {
            run: words::parse(&row.run, WHAT)?,
            process: row.process,
            version: words::unsigned(row.version, WHAT)?,
            mode: words::mode(&row.mode)?,
            offer: Offer {
                step: StepId::from(row.step.as_str()),
                ready_since: Timestamp::from_millis(row.ready_since),
                available_at: Timestamp::from_millis(row.available_at),
                due: words::instant(row.due),
                overdue: row.overdue,
                handoff: stored::decode_handoff(&row.handoff)
                    .map_err(|source| Error::corrupt(WHAT, source))?,
                holder,
                reserved,
            },
        })
    }
}
