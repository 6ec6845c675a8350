//! `send_event`: tells a run that something happened.

use super::{Access, Tool, answer};

pub(super) const TOOL: Tool = Tool {
    contract: contracts::send_event::CONTRACT,
    title: "Send an event",
    description: "\
        Tells a run that something happened outside, for example that a payment arrived. For agents and \
        operators. name is what the waiting step names (a lower-case letter, then lower-case letters, digits, \
        _ and -); data becomes that step's output. consumedBy is the step that took the event and went on, or \
        null: then nothing waits for it yet and the run keeps it for the next step that does, so do not send \
        it again.",
    access: Access::Writes,
    call: |app, principal, arguments| {
        answer(arguments, move |arguments| {
            app::send_event(app, principal, arguments)
        })
    },
};
