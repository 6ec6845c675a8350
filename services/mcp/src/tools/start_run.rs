//! `start_run`: starts a run.

use super::{Access, Tool, answer};

pub(super) const TOOL: Tool = Tool {
    contract: contracts::start_run::CONTRACT,
    title: "Start a run",
    description: "\
        Starts a run of a process and answers with the run view: run, data, steps, open work items, body. \
        Give a value for every declared input that is not optional; fields that are not declared are \
        refused, and null is never a value. Bad inputs are refused as invalid, with every problem as an \
        issue. mode test runs the process without sending anything real to anyone.",
    access: Access::Writes,
    call: |app, principal, arguments| {
        answer(arguments, move |arguments| {
            app::start_run(app, principal, arguments)
        })
    },
};
