//! `get_run`: shows a run.

use super::{Access, Tool, answer};

pub(super) const TOOL: Tool = Tool {
    contract: contracts::get_run::CONTRACT,
    title: "Look at a run",
    description: "\
        Shows a run as it stands: its state and outcome, run data (inputs and what each completed step \
        recorded), every step with its state (null: not reached now), and the open work items of people. It \
        changes nothing and never shows a claim token.",
    access: Access::Reads,
    call: |app, principal, arguments| {
        answer(arguments, move |arguments| {
            app::get_run(app, principal, arguments)
        })
    },
};
