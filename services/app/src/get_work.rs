//! What the caller can do now: an agent sees offers, a person sees items.

use base::{Caller, PersonRole, Principal};
use contracts::get_work::{Arguments, Assigned, CONTRACT, ClaimCall, Data, Item, Offer};
use contracts::{PAGE_LIMIT_DEFAULT, ToolError};
use run_core::StepId;
use run_ports::{ItemEntry, ItemReader, OfferEntry, PageOf};
use serde_json::{Value, json};

use crate::App;
use crate::cursor::{Listing, instant_run_and};
use crate::refusal::port_error;
use crate::view;

/// A page of work, oldest first.
pub async fn get_work(app: &App, principal: &Principal, arguments: Arguments) -> Result<Data, ToolError> {
    let listing = Listing {
        tool: CONTRACT.name,
        filter: json!(arguments.process),
    };
    let key = listing.key(app, principal, arguments.cursor.as_deref())?;
    let limit = usize::from(arguments.limit.unwrap_or(PAGE_LIMIT_DEFAULT));
    let process = arguments.process.clone();
    let (items, next) = match &principal.caller {
        Caller::Agent { .. } => {
            let after = instant_run_and(key, |step| step.as_str().map(StepId::from))?;
            offers(
                app,
                principal,
                PageOf {
                    after,
                    limit,
                    process,
                },
            )
            .await?
        }
        Caller::Person { .. } => {
            let after = instant_run_and(key, |number| u32::try_from(number.as_u64()?).ok())?;
            assigned(
                app,
                principal,
                PageOf {
                    after,
                    limit,
                    process,
                },
            )
            .await?
        }
    };
    let next_cursor = next.map(|key| listing.cursor(app, principal, &key));
    Ok(Data { items, next_cursor })
}

type Page = (Vec<Item>, Option<Value>);

async fn offers(
    app: &App,
    principal: &Principal,
    page: PageOf<(base::Timestamp, base::RunId, StepId)>,
) -> Result<Page, ToolError> {
    let Caller::Agent { id, rights, .. } = &principal.caller else {
        return Ok((Vec::new(), None));
    };
    let (organization, reader) = (principal.organization, (*id, &rights.work));
    let found = app
        .work
        .offers(organization, reader, &page, app.clock.now())
        .await;
    let found = found.map_err(|error| port_error(&error))?;
    let last = found.entries.last().filter(|_| found.has_more);
    let next = last.map(|last| {
        json!([
            last.offer.ready_since.as_millis(),
            last.run.to_string(),
            last.offer.step.as_str()
        ])
    });
    Ok((found.entries.into_iter().map(offer).collect(), next))
}

fn offer(entry: OfferEntry) -> Item {
    let (run, step) = (entry.run.to_string(), entry.offer.step.to_string());
    Item::Offer(Box::new(Offer {
        claim: ClaimCall::new(&run, &step),
        run_id: run,
        step_id: step,
        process: entry.process,
        version: u64::from(entry.version),
        mode: view::mode(entry.mode),
        ready_since: entry.offer.ready_since.to_string(),
        due: entry.offer.due.map(|due| due.to_string()),
        overdue: entry.offer.overdue,
        handoff: view::handoff(entry.offer.handoff),
    }))
}

async fn assigned(
    app: &App,
    principal: &Principal,
    page: PageOf<(base::Timestamp, base::RunId, u32)>,
) -> Result<Page, ToolError> {
    let reader = match &principal.caller {
        Caller::Person { id, role, .. } if *role >= PersonRole::Operator => ItemReader::Operator(*id),
        Caller::Person { id, .. } => ItemReader::Member(*id),
        Caller::Agent { .. } => return Ok((Vec::new(), None)),
    };
    let found = app.work.items(principal.organization, reader, &page).await;
    let found = found.map_err(|error| port_error(&error))?;
    let last = found.entries.last().filter(|_| found.has_more);
    let next = last.map(|last| {
        json!([
            last.row.opened_at.as_millis(),
            last.run.to_string(),
            last.row.item.id.number
        ])
    });
    Ok((found.entries.into_iter().map(item).collect(), next))
}

fn item(entry: ItemEntry) -> Item {
    let snapshot = entry.snapshot.to_string();
    Item::Assigned(Box::new(Assigned {
        run_id: entry.run.to_string(),
        process: entry.process,
        version: u64::from(entry.version),
        mode: view::mode(entry.row.item.mode),
        work_item: view::work_item(entry.row.item, &snapshot),
    }))
}
