//! Shows a run. Anyone in the organization may look.

use base::{Principal, RunId};
use contracts::ToolError;
use contracts::get_run::{Arguments, Data};
use run_actors::RunError;
use run_core::view::run_view;

use crate::App;
use crate::refusal::tool_error;
use crate::view::run;

/// The run as it stands now, with everything applied that is due.
pub async fn get_run(app: &App, principal: &Principal, arguments: Arguments) -> Result<Data, ToolError> {
    let id: RunId = arguments
        .run_id
        .parse()
        .map_err(|_| tool_error(RunError::RunNotFound))?;
    let seen = app
        .runs
        .see(principal.organization, id)
        .await
        .map_err(tool_error)?;
    Ok(run(run_view(&*seen.plan, &seen.state, seen.now)))
}
