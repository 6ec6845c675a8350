//! The catalog.

use base::Principal;
use contracts::ToolError;
use contracts::list_processes::{Arguments, CONTRACT, Data, Item, Requires};
use run_ports::PageOf;
use serde_json::Value;

use crate::App;
use crate::cursor::Listing;
use crate::refusal::{bad_cursor, port_error};

/// Processes on a page.
const PAGE: usize = 50;

/// The latest version of every process that the organization has published and can start.
pub async fn list_processes(
    app: &App,
    principal: &Principal,
    arguments: Arguments,
) -> Result<Data, ToolError> {
    let listing = Listing {
        tool: CONTRACT.name,
        filter: Value::Null,
    };
    let after = match listing.key(app, principal, arguments.cursor.as_deref())? {
        None => None,
        Some(Value::String(name)) => Some(name),
        Some(_) => return Err(bad_cursor()),
    };
    let page = PageOf {
        after,
        limit: PAGE,
        process: None,
    };
    let found = app.work.processes(principal.organization, &page).await;
    let found = found.map_err(|error| port_error(&error))?;
    let last = found.entries.last().filter(|_| found.has_more);
    let next_cursor = last.map(|last| listing.cursor(app, principal, &Value::String(last.process.clone())));
    let mut items = Vec::with_capacity(found.entries.len());
    for row in &found.entries {
        // One that no longer compiles does not take the others with it; the handle has logged why.
        let Ok(plan) = app.runs.plan(principal.organization, row) else {
            continue;
        };
        let about = plan.about();
        items.push(Item {
            name: row.process.clone(),
            description: about.description.clone(),
            version: u64::from(row.version),
            inputs: about.inputs.clone(),
            requires: about.requires.as_ref().map(requires),
        });
    }
    Ok(Data { items, next_cursor })
}

fn requires(requires: &Value) -> Requires {
    let systems = requires["systems"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    Requires {
        systems: systems
            .iter()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect(),
    }
}
