//! Keeps a step.

use base::Principal;
use contracts::ToolError;
use contracts::renew::{Arguments, CONTRACT, Data};
use run_core::{Command, Rendered};

use crate::App;
use crate::execute::{lease, on_claim};
use crate::request::request_key;
use crate::view;

/// Extends the lease; the old token stops working at once.
pub async fn renew(app: &App, principal: &Principal, arguments: Arguments) -> Result<Data, ToolError> {
    let request = request_key(principal, (CONTRACT.name, &arguments.request_id), &arguments)?;
    let (by, progress, lease) = (principal.caller.clone(), arguments.progress, lease(app));
    let command = |claim| Command::Renew {
        claim,
        by,
        progress,
        lease,
    };
    match on_claim(app, principal, (&arguments.token, request), command).await? {
        Rendered::Renewal { claim, expires_at } => Ok(Data {
            token: view::token(&app.keys, principal.organization, &claim)?,
            expires_at: expires_at.to_string(),
        }),
        Rendered::Run(_) | Rendered::Claim(_) | Rendered::Sent { .. } => Err(view::mismatch()),
    }
}
