//! Hands in a step.

use std::sync::Arc;

use base::Principal;
use contracts::submit::{Arguments, CONTRACT, Data};
use contracts::{EvidenceItem, EvidenceKind as WireKind, ToolError};
use run_core::state::Submission;
use run_core::{Command, EvidenceKind};

use crate::App;
use crate::execute::on_claim;
use crate::request::request_key;
use crate::view::run_of;

/// Hands in a claimed step; it is accepted, or refused with every issue at once.
pub async fn submit(app: &App, principal: &Principal, arguments: Arguments) -> Result<Data, ToolError> {
    let request = request_key(principal, (CONTRACT.name, &arguments.request_id), &arguments)?;
    let by = principal.caller.clone();
    let submission = Submission {
        output: Arc::new(arguments.output),
        evidence: evidence(arguments.evidence),
        summary: Some(arguments.summary),
        next: arguments.next,
        reason: arguments.reason,
    };
    let command = |claim| Command::Submit {
        claim,
        by,
        submission,
    };
    run_of(on_claim(app, principal, (&arguments.token, request), command).await?)
}

/// Evidence as the core takes it.
pub(crate) fn evidence(items: Option<Vec<EvidenceItem>>) -> Vec<(EvidenceKind, String)> {
    let kind = |kind| match kind {
        WireKind::File => EvidenceKind::File,
        WireKind::Link => EvidenceKind::Link,
    };
    items
        .unwrap_or_default()
        .into_iter()
        .map(|item| (kind(item.kind), item.reference))
        .collect()
}
