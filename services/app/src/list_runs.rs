//! The runs of the organization. Anyone in it may look.

use base::{Principal, RunId, Timestamp};
use contracts::list_runs::{Arguments, CONTRACT, Data, Item};
use contracts::{PAGE_LIMIT_DEFAULT, RunState, ToolError};
use run_core::RunWord;
use run_core::search::InputWanted;
use run_ports::{PageOf, RunEntry, RunFilter};
use serde_json::json;

use crate::App;
use crate::cursor::{Listing, instant_run_and};
use crate::refusal::port_error;
use crate::request::digest;
use crate::view;

/// A page of runs that match all that is given, newest first: the order of their starts is the only one that never changes, so that no
/// run is on two pages, and one that matches all the time is on one.
pub async fn list_runs(app: &App, principal: &Principal, arguments: Arguments) -> Result<Data, ToolError> {
    let asked = digest(&(&arguments.process, &arguments.state, &arguments.inputs))?;
    let listing = Listing {
        tool: CONTRACT.name,
        filter: json!(asked.to_string()),
    };
    let key = listing.key(app, principal, arguments.cursor.as_deref())?;
    let after = instant_run_and(key, |_| Some(()))?.map(|(started_at, run, ())| (started_at, run));
    let filter = RunFilter {
        state: arguments.state.map(state),
        inputs: arguments
            .inputs
            .iter()
            .flatten()
            .map(|(field, value)| InputWanted::new(field, value))
            .collect(),
    };
    let page = PageOf {
        after,
        limit: usize::from(arguments.limit.unwrap_or(PAGE_LIMIT_DEFAULT)),
        process: arguments.process,
    };
    let found = app.work.runs(principal.organization, &filter, &page).await;
    let found = found.map_err(|error| port_error(&error))?;
    let cursor = |(started_at, run): (Timestamp, RunId)| {
        listing.cursor(app, principal, &json!([started_at.as_millis(), run.to_string()]))
    };
    Ok(Data {
        items: found.entries.into_iter().map(item).collect(),
        next_cursor: found.next.map(cursor),
    })
}

fn state(state: RunState) -> RunWord {
    match state {
        RunState::Active => RunWord::Active,
        RunState::Waiting => RunWord::Waiting,
        RunState::Ended => RunWord::Ended,
        RunState::Cancelled => RunWord::Cancelled,
    }
}

fn item(entry: RunEntry) -> Item {
    Item {
        id: entry.run.to_string(),
        process: entry.process,
        version: u64::from(entry.version),
        state: view::run_state(entry.state),
        outcome: entry.outcome,
        started_at: entry.started_at.to_string(),
        updated_at: entry.updated_at.to_string(),
        inputs: entry.inputs,
    }
}
