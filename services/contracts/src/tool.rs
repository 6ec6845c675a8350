//! The table of tools: name and schemas of each, in the order in which they are listed.

use crate::{
    cancel, claim, decide, describe, escalate, get_run, get_work, list_processes, list_runs, renew,
    send_event, start_run, submit,
};

/// Stands for the request id in every ready-made call; the caller puts its own (`tools.md`, work item).
pub const NEW_REQUEST_ID: &str = "<new UUID>";

/// What a tool is called and which JSON Schemas (draft 2020-12) describe it.
#[derive(Debug, Clone, Copy)]
pub struct Contract {
    /// The tool's name on the wire.
    pub name: &'static str,
    /// Schema of its arguments.
    pub arguments_schema: &'static str,
    /// Schema of its `data`, inside `{ok: true, data}`. It refers to its neighbours in `schemas/tools/` by file name.
    pub result_schema: &'static str,
}

/// Embeds the two schema files of a tool.
macro_rules! contract {
    ($name:literal) => {
        crate::Contract {
            name: $name,
            arguments_schema: include_str!(concat!("../../../schemas/tools/", $name, ".arguments.json")),
            result_schema: include_str!(concat!("../../../schemas/tools/", $name, ".result.json")),
        }
    };
}
pub(crate) use contract;

/// Every tool, in the stable order of `tools/list`.
pub const TOOLS: &[Contract] = &[
    describe::CONTRACT,
    list_processes::CONTRACT,
    start_run::CONTRACT,
    get_run::CONTRACT,
    get_work::CONTRACT,
    claim::CONTRACT,
    renew::CONTRACT,
    submit::CONTRACT,
    escalate::CONTRACT,
    decide::CONTRACT,
    cancel::CONTRACT,
    send_event::CONTRACT,
    list_runs::CONTRACT,
];
