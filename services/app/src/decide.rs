//! Decides a work item.

use std::sync::Arc;

use base::Principal;
use contracts::decide::{Arguments, CONTRACT, Data};
use contracts::{Decision, ErrorCode, ToolError};
use run_core::Command;
use run_core::command::Verdict;
use run_core::state::Submission;

use crate::App;
use crate::execute::on_run;
use crate::refusal::reworded;
use crate::request::request_key;
use crate::submit::evidence;
use crate::view::run_of;

/// Decides an open item of the calling person.
pub async fn decide(app: &App, principal: &Principal, arguments: Arguments) -> Result<Data, ToolError> {
    let request = request_key(principal, (CONTRACT.name, &arguments.request_id), &arguments)?;
    let run = arguments.run_id.clone();
    let command = Command::Decide {
        item: arguments.work_item_id.clone(),
        by: principal.caller.clone(),
        snapshot: arguments.snapshot.clone(),
        verdict: verdict(arguments),
    };
    let answer = on_run(app, principal, (&run, request), command).await;
    let answer = answer.map_err(|error| {
        let message =
            "The decision was not accepted; mend every issue and decide again with a new requestId.";
        reworded(error, ErrorCode::NotAccepted, message)
    });
    run_of(answer?)
}

/// Which arguments go with which decision has been checked with their shape.
fn verdict(arguments: Arguments) -> Verdict {
    let note = arguments.note.unwrap_or_default();
    match arguments.decision {
        Decision::Completed => Verdict::Completed(Submission {
            output: Arc::new(arguments.output.unwrap_or_default()),
            evidence: evidence(arguments.evidence),
            summary: arguments.summary,
            next: arguments.next,
            reason: arguments.reason,
        }),
        Decision::Approved => Verdict::Approved {
            note: Some(note).filter(|note| !note.trim().is_empty()),
        },
        Decision::Rejected => Verdict::Rejected { note },
        Decision::Returned => Verdict::Returned { note },
        Decision::Failed => Verdict::Failed { note },
    }
}
