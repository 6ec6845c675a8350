//! Acceptance (core-2 §6.3): everything that is wrong with a submission at once, and nothing changes but the handoff.

use base::{Issues, Quoted};

use crate::draft::{Draft, Stop};
use crate::event::{CompletedResult, EventKind, Then};
use crate::evolve::completed;
use crate::known::Query;
use crate::plan::{Cause, Plan, Route, Work};
use crate::refusal::Refusal;
use crate::state::{EvidenceItem, RunState, Submission};
use crate::words::{Actor, EvidenceKind, StepId, StepKind};

/// Whether a summary must be given: by agents yes, by people no.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Summary {
    Required,
    Optional,
}

/// The result that the step records, or the refusal, already remembered in the handoff.
pub(super) fn accept(
    draft: &mut Draft<'_>,
    (step, work): (&StepId, &Work),
    by: Actor,
    (submission, summary): (&Submission, Summary),
) -> Result<CompletedResult, Stop> {
    let mut issues = Issues::default();
    let is_blank = submission
        .summary
        .as_deref()
        .is_none_or(|text| text.trim().is_empty());
    if summary == Summary::Required && is_blank {
        issues.push("summary: missing");
    }
    let evidence = evidence(draft, work, submission, &mut issues)?;
    route_issues(work.routes.as_deref(), submission, &mut issues);
    let result = CompletedResult {
        output: submission.output.clone(),
        evidence,
        summary: submission.summary.clone(),
        next: submission.next.clone(),
        reason: submission.reason.clone(),
    };
    let mut recorded = draft.state.clone();
    recorded.complete(step, completed(&result, by, draft.now));
    issues.extend(size_issue(draft.plan, &recorded));
    issues.extend(draft.plan.judge(step, submission, &draft.state));
    if issues.is_empty() {
        return Ok(result);
    }
    let issues = issues.into_vec();
    let known = draft
        .state
        .step(step.as_str())
        .and_then(|s| s.handoff.issues.as_ref());
    if known != Some(&issues) {
        draft.push(EventKind::SubmissionRefused {
            step: step.clone(),
            issues: issues.clone(),
        });
    }
    Err(Refusal::NotAccepted(issues).into())
}

/// Records the result, and follows it.
pub(super) fn complete(
    draft: &mut Draft<'_>,
    step: StepId,
    by: Actor,
    result: CompletedResult,
) -> Result<(), Stop> {
    let (open, next) = (step.clone(), result.next.clone());
    let cause = Cause::Completed {
        step: &open,
        next: next.as_deref(),
    };
    let kind = EventKind::StepCompleted {
        step,
        by,
        result: Box::new(result),
        then: Then::default(),
    };
    draft.push_and_follow(draft.now, kind, &cause)
}

/// An attached file that is not found also counts as missing; a link never counts as a file (process.md §5, §9.7).
fn evidence(
    draft: &Draft<'_>,
    work: &Work,
    submission: &Submission,
    issues: &mut Issues,
) -> Result<Vec<EvidenceItem>, Stop> {
    let (mut items, mut needs): (Vec<EvidenceItem>, Vec<Query>) = (Vec::new(), Vec::new());
    let mut not_found = Issues::default();
    for (kind, reference) in &submission.evidence {
        let sha256 = match kind {
            EvidenceKind::Link => None,
            EvidenceKind::File => match draft.known.file(reference) {
                Ok(Some(sha256)) => Some(sha256.to_owned()),
                Ok(None) => {
                    not_found.push(format_args!("evidence {}: not found", Quoted(reference)));
                    continue;
                }
                Err(query) => {
                    needs.push(query);
                    continue;
                }
            },
        };
        items.push(EvidenceItem {
            kind: *kind,
            reference: reference.clone(),
            sha256,
        });
    }
    if !needs.is_empty() {
        return Err(Stop::Needs(needs));
    }
    for kind in &work.evidence {
        if !items.iter().any(|item| item.kind == *kind) {
            issues.push(format_args!("evidence: {} required", kind.as_str()));
        }
    }
    issues.extend(not_found);
    Ok(items)
}

fn route_issues(routes: Option<&[Route]>, submission: &Submission, issues: &mut Issues) {
    let Some(routes) = routes else {
        if submission.next.is_some() {
            issues.push("next: not allowed, this step has no list of routes");
        }
        if submission.reason.is_some() {
            issues.push("reason: not allowed, this step has no list of routes");
        }
        return;
    };
    let names = || {
        routes
            .iter()
            .map(|route| route.to.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    };
    match &submission.next {
        None => issues.push(format_args!("next: required, one of {}", names())),
        Some(next) if !routes.iter().any(|route| route.to == *next) => {
            issues.push(format_args!("next: not allowed, one of {}", names()));
        }
        Some(_) => {}
    }
    if submission
        .reason
        .as_deref()
        .is_none_or(|reason| reason.trim().is_empty())
    {
        issues.push("reason: required");
    }
}

/// The one limit on run data (core-2 §6.3). What is held counts towards it, since it will become run data (process.md §9.14).
pub(super) fn size_issue(plan: &dyn Plan, state: &RunState) -> Option<String> {
    let listeners = plan.steps().iter().filter(|step| step.kind == StepKind::WaitFor);
    let longest_id = listeners.map(|step| step.id.as_str().len()).max();
    let bytes = state.data_bytes_with_held(longest_id.unwrap_or_default());
    let limit = state.limits.run_data_bytes;
    (bytes > limit).then(|| format!("run data: {bytes} bytes, limit {limit}"))
}
