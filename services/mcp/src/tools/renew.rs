//! `renew`: keeps a claim.

use super::{Access, Tool, answer};

pub(super) const TOOL: Tool = Tool {
    contract: contracts::renew::CONTRACT,
    title: "Keep a claim",
    description: "\
        Keeps your claim for another lease and answers with a NEW token; the old one is dead at once. Call \
        it well before expiresAt when the work takes longer. progress is a short note of how far you are, \
        for whoever takes over should your claim lapse. stale means that the claim is no longer yours: stop \
        working on the step.",
    access: Access::Writes,
    call: |app, principal, arguments| {
        answer(arguments, move |arguments| app::renew(app, principal, arguments))
    },
};
