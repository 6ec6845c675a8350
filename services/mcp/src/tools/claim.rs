//! `claim`: takes a step.

use super::{Access, Tool, answer};

pub(super) const TOOL: Tool = Tool {
    contract: contracts::claim::CONTRACT,
    title: "Claim a step",
    description: "\
        Takes a ready step for yourself until expiresAt. Answers with a token (a secret: it proves the claim \
        to renew, submit and escalate), the step's instructions, the output fields, kinds of evidence and \
        routes that a submission must keep, the handoff of earlier tries, the body of the process and run \
        data. Refused with conflict when it is claimed_by_other, claimed_by_you or not_ready: get other \
        work. If you lost the answer, send the same call with the same requestId and you get the same token.",
    access: Access::Writes,
    call: |app, principal, arguments| {
        answer(arguments, move |arguments| app::claim(app, principal, arguments))
    },
};
