//! `describe`: describes the server.

use super::{Access, Tool, answer};

pub(super) const TOOL: Tool = Tool {
    contract: contracts::describe::CONTRACT,
    title: "Describe the server",
    description: "\
        Says what this server speaks: protocol and version, profiles, how long a claim lasts (leaseSeconds), \
        how people are named, and the limits that submissions must keep. Call it once, at the beginning; the \
        answer changes only when the server is set otherwise.",
    access: Access::Reads,
    call: |app, principal, arguments| {
        answer(arguments, move |arguments| {
            app::describe(app, principal, arguments)
        })
    },
};
