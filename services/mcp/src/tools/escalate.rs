//! `escalate`: hands a step to people.

use super::{Access, Tool, answer};

pub(super) const TOOL: Tool = Tool {
    contract: contracts::escalate::CONTRACT,
    title: "Hand a step to people",
    description: "\
        Hands the step you claimed to the people in charge and gives up your claim. Use it when you cannot \
        do the step, when information is missing, or when a person should decide. note tells them what you \
        found and what you need; they complete the step, send it back with a note, or end the run.",
    access: Access::Writes,
    call: |app, principal, arguments| {
        answer(arguments, move |arguments| {
            app::escalate(app, principal, arguments)
        })
    },
};
