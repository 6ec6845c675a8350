//! The tools: one file each, listed in the order of the contracts.

mod cancel;
mod claim;
mod decide;
mod describe;
mod escalate;
mod get_run;
mod get_work;
mod list_processes;
mod list_runs;
mod renew;
mod send_event;
mod start_run;
mod submit;

use app::App;
use base::Principal;
use contracts::{Contract, Read, ToolError, decode, envelope};
use futures::future::BoxFuture;
use serde::Serialize;
use serde_json::{Map, Value};

/// Every tool, in the order in which they are listed.
pub(crate) const TOOLS: &[Tool] = &[
    describe::TOOL,
    list_processes::TOOL,
    start_run::TOOL,
    get_run::TOOL,
    get_work::TOOL,
    claim::TOOL,
    renew::TOOL,
    submit::TOOL,
    escalate::TOOL,
    decide::TOOL,
    cancel::TOOL,
    send_event::TOOL,
    list_runs::TOOL,
];

/// One tool: what clients are told about it, and what it does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tool {
    /// Name and schemas.
    pub contract: Contract,
    /// A title for people.
    pub title: &'static str,
    /// What a model needs to know to use it well.
    pub description: &'static str,
    /// What it touches.
    pub access: Access,
    /// Does it, and answers with the envelope.
    pub call: for<'a> fn(&'a App, &'a Principal, Map<String, Value>) -> BoxFuture<'a, Value>,
}

/// What a call touches; clients show it to their users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Changes nothing.
    Reads,
    /// Moves a run on.
    Writes,
    /// May end a run.
    Decides,
}

/// Decodes the arguments, runs the use case, wraps its answer.
fn answer<'a, A, D, F>(
    arguments: Map<String, Value>,
    use_case: impl FnOnce(A) -> F + Send + 'a,
) -> BoxFuture<'a, Value>
where
    A: Read + Send + 'a,
    D: Serialize,
    F: Future<Output = Result<D, ToolError>> + Send + 'a,
{
    Box::pin(async move {
        let result = match decode(arguments) {
            Ok(arguments) => use_case(arguments).await,
            Err(refusal) => Err(refusal),
        };
        envelope(&result)
    })
}
