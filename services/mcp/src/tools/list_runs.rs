//! `list_runs`: finds runs.

use super::{Access, Tool, answer};

pub(super) const TOOL: Tool = Tool {
    contract: contracts::list_runs::CONTRACT,
    title: "Find runs",
    description: "\
        Lists the runs of your organization, newest first: id, process, version, state, outcome, times and \
        inputs. process, state and inputs narrow the list, all together. inputs compares whole values of the \
        given fields: numbers by value (2.5 is 2.50), e-mail addresses of people without case, all other \
        text exactly. Use it to see whether a run for something exists before you start one; get_run shows \
        the rest. When nextCursor is not null, call again with the same arguments and it as cursor; a page \
        may have fewer items than limit, or none, and still a next page.",
    access: Access::Reads,
    call: |app, principal, arguments| {
        answer(arguments, move |arguments| {
            app::list_runs(app, principal, arguments)
        })
    },
};
