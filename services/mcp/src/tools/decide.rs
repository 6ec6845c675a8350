//! `decide`: decides a work item.

use super::{Access, Tool, answer};

pub(super) const TOOL: Tool = Tool {
    contract: contracts::decide::CONTRACT,
    title: "Decide a work item",
    description: "\
        For people only: decides an open work item, as one of the decisions that the item offers. Send the \
        item's ready-made arguments with a new UUID as requestId. completed takes output, evidence and \
        summary, and next with reason where the item lists routes. rejected, returned and failed need a \
        note. stale means that run data changed since you read the item: read it again. An agent is always \
        refused as forbidden.",
    access: Access::Decides,
    call: |app, principal, arguments| {
        answer(arguments, move |arguments| app::decide(app, principal, arguments))
    },
};
