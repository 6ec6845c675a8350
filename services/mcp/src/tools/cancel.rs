//! `cancel`: stops a run.

use super::{Access, Tool, answer};

pub(super) const TOOL: Tool = Tool {
    contract: contracts::cancel::CONTRACT,
    title: "Cancel a run",
    description: "\
        For operators only: stops a run for good. Unfinished steps and open work items are cancelled, claims \
        die, and the run's state is cancelled. reason is recorded. It cannot be undone.",
    access: Access::Decides,
    call: |app, principal, arguments| {
        answer(arguments, move |arguments| app::cancel(app, principal, arguments))
    },
};
