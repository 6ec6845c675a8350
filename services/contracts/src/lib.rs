//! The tools' contracts: arguments, results and error codes, one file per tool.
//!
//! Shapes are those of `tools.md`. Arguments are read by [`decode`], which reports every problem at once; results are
//! plain serde types. The JSON Schemas beside them live in `schemas/tools/` and are kept equal to these types by tests.
//! User data is `serde_json::Value`, so that every number keeps its digits.

pub mod cancel;
pub mod claim;
pub mod decide;
pub mod describe;
mod envelope;
mod error;
pub mod escalate;
mod evidence;
pub mod get_run;
pub mod get_work;
mod handoff;
pub mod list_processes;
pub mod list_runs;
mod number;
mod reader;
pub mod renew;
mod run_view;
mod schema;
pub mod send_event;
pub mod start_run;
pub mod submit;
mod tool;
mod work_item;

pub use envelope::envelope;
pub use error::{ErrorCode, ToolError};
pub use evidence::{EvidenceItem, EvidenceKind};
pub use handoff::{Handoff, Returned};
pub use number::whole;
pub use reader::{Choice, PAGE_LIMIT_DEFAULT, Read, Reader, decode};
pub use run_view::{Ended, Mode, Route, Run, RunData, RunState, RunView, StepKind, StepState, StepView};
pub use tool::{Contract, NEW_REQUEST_ID, TOOLS};
pub use work_item::{Assignee, DecideArguments, DecideCall, Decision, Escalation, WorkItem, WorkItemKind};
