//! `submit`: hands in a step.

use super::{Access, Tool, answer};

pub(super) const TOOL: Tool = Tool {
    contract: contracts::submit::CONTRACT,
    title: "Hand in a step",
    description: "\
        Hands in the step you claimed and answers with the run view. output needs a value of the right type \
        for every declared field that is not optional, and nothing else. evidence needs a file when the step \
        asks for file. When the step lists routes, next must be one of them and reason must say why; \
        otherwise leave both out. Refused as not_accepted, issues list everything at once and your claim \
        stands: mend all of it and submit again with a new requestId. stale means that the claim lapsed or \
        was renewed: use the newest token, or claim again.",
    access: Access::Writes,
    call: |app, principal, arguments| {
        answer(arguments, move |arguments| app::submit(app, principal, arguments))
    },
};
