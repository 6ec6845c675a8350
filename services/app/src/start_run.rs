//! Starts a run of a published process.

use std::sync::Arc;

use base::Principal;
use contracts::start_run::{Arguments, CONTRACT, Data};
use contracts::{ErrorCode, Mode as WireMode, ToolError};
use run_actors::StartRequest;
use run_core::Mode;
use run_core::state::RunLimits;

use crate::App;
use crate::refusal::{reworded, tool_error};
use crate::request::request_key;
use crate::view::run_of;

/// Begins a run, at most once for a requestId. Any member may; an agent may start what an admin allowed it.
pub async fn start_run(app: &App, principal: &Principal, arguments: Arguments) -> Result<Data, ToolError> {
    let request = request_key(principal, (CONTRACT.name, &arguments.request_id), &arguments)?;
    let start = StartRequest {
        process: arguments.process,
        // A version beyond 32 bits was never published.
        version: arguments
            .version
            .map(|version| u32::try_from(version).unwrap_or(u32::MAX)),
        mode: match arguments.mode {
            Some(WireMode::Test) => Mode::Test,
            Some(WireMode::Live) | None => Mode::Live,
        },
        inputs: Arc::new(arguments.inputs),
        by: principal.caller.clone(),
        limits: RunLimits {
            run_data_bytes: app.settings.run_data_bytes_max,
        },
    };
    let rendered = app
        .runs
        .start(principal.organization, start, request)
        .await
        .map_err(|error| {
            let message = "The run cannot start like this; mend every issue and start again.";
            reworded(tool_error(error), ErrorCode::Invalid, message)
        })?;
    run_of(rendered)
}
