//! Gives a step up.

use base::Principal;
use contracts::ToolError;
use contracts::escalate::{Arguments, CONTRACT, Data};
use run_core::Command;

use crate::App;
use crate::execute::on_claim;
use crate::request::request_key;
use crate::view::run_of;

/// Hands a claimed step to the organization's operators, with a note.
pub async fn escalate(app: &App, principal: &Principal, arguments: Arguments) -> Result<Data, ToolError> {
    let request = request_key(principal, (CONTRACT.name, &arguments.request_id), &arguments)?;
    let (by, note) = (principal.caller.clone(), arguments.note);
    let command = |claim| Command::Escalate { claim, by, note };
    run_of(on_claim(app, principal, (&arguments.token, request), command).await?)
}
