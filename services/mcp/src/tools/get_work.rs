//! `get_work`: finds work for this caller.

use super::{Access, Tool, answer};

pub(super) const TOOL: Tool = Tool {
    contract: contracts::get_work::CONTRACT,
    title: "Find work",
    description: "\
        Lists what you can do now, oldest first. As an agent you get steps that you may claim: each item \
        carries a ready-made claim call; put a new UUID of yours in place of its requestId and send it. \
        handoff tells what an earlier try left: progress notes, a person's reason for sending it back, \
        issues of a refused submission. overdue work is worth taking first. An empty list means that there \
        is nothing for you at the moment: look again later, not in a tight loop. A person gets the open work \
        items to decide instead.",
    access: Access::Reads,
    call: |app, principal, arguments| {
        answer(arguments, move |arguments| {
            app::get_work(app, principal, arguments)
        })
    },
};
