//! Stops a run.

use base::Principal;
use contracts::ToolError;
use contracts::cancel::{Arguments, CONTRACT, Data};
use run_core::Command;

use crate::App;
use crate::execute::on_run;
use crate::request::request_key;
use crate::view::run_of;

/// Stops a run; an operator may. It undoes nothing that the run caused outside.
pub async fn cancel(app: &App, principal: &Principal, arguments: Arguments) -> Result<Data, ToolError> {
    let request = request_key(principal, (CONTRACT.name, &arguments.request_id), &arguments)?;
    let command = Command::Cancel {
        by: principal.caller.clone(),
        reason: arguments.reason,
    };
    run_of(on_run(app, principal, (&arguments.run_id, request), command).await?)
}
