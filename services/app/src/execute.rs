//! One command to one run: the way of every write but `start_run`.

use base::{Principal, RunId};
use contracts::ToolError;
use run_actors::RunError;
use run_core::command::Lease;
use run_core::{ClaimId, Command, Rendered};
use run_ports::RequestKey;

use crate::App;
use crate::refusal::{bad_token, tool_error};

/// Gives the command to the run that the caller named. A name that is no run id names no run; a replay comes first all the same.
pub(crate) async fn on_run(
    app: &App,
    principal: &Principal,
    (run, request): (&str, RequestKey),
    command: Command,
) -> Result<Rendered, ToolError> {
    let organization = principal.organization;
    let answer = match run.parse::<RunId>() {
        Ok(run) => app.runs.execute(organization, run, command, request).await,
        Err(_) => {
            app.runs
                .refused(organization, &request, RunError::RunNotFound)
                .await
        }
    };
    answer.map_err(tool_error)
}

/// Gives the command to the run that a claim token names. One that does not verify is `invalid`, after a replay.
pub(crate) async fn on_claim(
    app: &App,
    principal: &Principal,
    (token, request): (&str, RequestKey),
    command: impl FnOnce(ClaimId) -> Command,
) -> Result<Rendered, ToolError> {
    let organization = principal.organization;
    match app.keys.claim(organization, token) {
        Some(claim) => {
            let answer = app
                .runs
                .execute(organization, claim.run, command(claim), request)
                .await;
            answer.map_err(tool_error)
        }
        None => match app
            .runs
            .refused(organization, &request, RunError::RunNotFound)
            .await
        {
            Ok(rendered) => Ok(rendered),
            Err(RunError::RunNotFound) => Err(bad_token()),
            Err(error) => Err(tool_error(error)),
        },
    }
}

/// The lease that claims and renewals are granted under.
pub(crate) fn lease(app: &App) -> Lease {
    Lease {
        duration: app.settings.lease,
        key: app.keys.current(),
    }
}
