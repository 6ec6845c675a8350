//! Takes a step.

use base::Principal;
use contracts::ToolError;
use contracts::claim::{Arguments, CONTRACT, Data};
use run_core::{Command, Rendered};

use crate::App;
use crate::execute::{lease, on_run};
use crate::request::request_key;
use crate::view;

/// Takes a ready step for the calling agent.
pub async fn claim(app: &App, principal: &Principal, arguments: Arguments) -> Result<Data, ToolError> {
    let request = request_key(principal, (CONTRACT.name, &arguments.request_id), &arguments)?;
    let command = Command::Claim {
        step: arguments.step_id,
        by: principal.caller.clone(),
        lease: lease(app),
    };
    match on_run(app, principal, (&arguments.run_id, request), command).await? {
        Rendered::Claim(seen) => view::claim(&app.keys, principal.organization, *seen),
        Rendered::Run(_) | Rendered::Renewal { .. } | Rendered::Sent { .. } => Err(view::mismatch()),
    }
}
