//! `list_processes`: lists what can be started.

use super::{Access, Tool, answer};

pub(super) const TOOL: Tool = Tool {
    contract: contracts::list_processes::CONTRACT,
    title: "List processes",
    description: "\
        Lists the processes that can be started here: name, what each is for, latest version, the declared \
        input fields (a type name, or an object with type, description, optional, one_of, items) and the \
        outside systems it needs. Use the name and fields with start_run. When nextCursor is not null, call \
        again with it as cursor for the next page.",
    access: Access::Reads,
    call: |app, principal, arguments| {
        answer(arguments, move |arguments| {
            app::list_processes(app, principal, arguments)
        })
    },
};
