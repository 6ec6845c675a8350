//! Tells a run that something happened.

use std::sync::Arc;

use base::Principal;
use contracts::send_event::{Arguments, CONTRACT, Data};
use contracts::{ErrorCode, ToolError};
use run_core::{Command, Rendered};

use crate::App;
use crate::execute::on_run;
use crate::refusal::reworded;
use crate::request::request_key;
use crate::view;

/// Delivers an event to the step that waits for it, or keeps it for one that will. An agent may, and an operator.
pub async fn send_event(app: &App, principal: &Principal, arguments: Arguments) -> Result<Data, ToolError> {
    let request = request_key(principal, (CONTRACT.name, &arguments.request_id), &arguments)?;
    let command = Command::SendEvent {
        by: principal.caller.clone(),
        name: arguments.name,
        data: arguments.data.map(Arc::new),
    };
    let answer = on_run(app, principal, (&arguments.run_id, request), command).await;
    let answer = answer.map_err(|error| {
        let message = "The run cannot take this event as it is; the issues say why.";
        reworded(error, ErrorCode::Invalid, message)
    });
    match answer? {
        Rendered::Sent { consumed_by } => Ok(Data {
            consumed_by: consumed_by.map(|step| step.to_string()),
        }),
        Rendered::Run(_) | Rendered::Claim(_) | Rendered::Renewal { .. } => Err(view::mismatch()),
    }
}
