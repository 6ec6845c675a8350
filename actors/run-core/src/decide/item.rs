//! `decide`: a person decides an open item. The order of refusals is tools.md's.

use base::{Caller, PersonRole, WorkItemId};

use super::accept::{self, Summary};
use super::identity::{self, Person};
use crate::command::Verdict;
use crate::draft::{Draft, Stop};
use crate::event::{EventKind, Moved, Then};
use crate::plan::{Ask, Cause, Performer, Work};
use crate::refusal::{Conflict, Missing, Outdated, Refusal, Unentitled};
use crate::state::{Phase, StepState};
use crate::words::{Actor, DecisionWord, StepId};

pub(super) fn decide(
    draft: &mut Draft<'_>,
    item: &str,
    by: &Caller,
    (snapshot, verdict): (&str, &Verdict),
) -> Result<(), Stop> {
    let step = open_step(draft, item)?;
    if snapshot != draft.state.snapshot().to_string() {
        return Err(Outdated::SnapshotChanged.into());
    }
    let person = entitled(&draft.state.steps[&step], by)?;
    let Ask::Work(work) = draft.plan.ask(&step, &draft.state) else {
        return Err(Outdated::ItemWithdrawn.into());
    };
    let offered = decisions(&draft.state.steps[&step], &work);
    if !offered.contains(&verdict.word()) {
        let words: Vec<_> = offered.iter().map(|word| word.as_str()).collect();
        let issue = format!(
            "decision: {} is not offered, one of {}",
            verdict.word().as_str(),
            words.join(", ")
        );
        return Err(Refusal::NotAccepted(vec![issue]).into());
    }
    perform(draft, &step, &work, (person, verdict))
}

/// An item that was decided is told from one that never existed, and from one that was taken back.
fn open_step(draft: &Draft<'_>, item: &str) -> Result<StepId, Stop> {
    let state = &draft.state;
    let item: WorkItemId = item.parse().map_err(|_| Missing::Item)?;
    if item.run != state.run || item.number >= state.items_opened {
        return Err(Missing::Item.into());
    }
    match state.step_of_item(item.number) {
        Some((step, _)) => Ok(step.clone()),
        None if state.items_withdrawn.contains(&item.number) => Err(Outdated::ItemWithdrawn.into()),
        None => Err(Conflict::AlreadyDecided.into()),
    }
}

/// Escalations are decided by operators and admins, other items by those they are assigned to (process.md §9.11).
fn entitled(step: &StepState, by: &Caller) -> Result<Person, Unentitled> {
    let person = identity::person(by)?;
    let is_escalated = matches!(step.phase, Phase::Escalated { .. });
    let is_entitled = match step.item() {
        _ if is_escalated => person.role >= PersonRole::Operator,
        Some(item) => item.assigned.includes(person.id),
        None => false,
    };
    if is_entitled {
        Ok(person)
    } else {
        Err(Unentitled::NotAssigned)
    }
}

/// The decisions that an item offers (process.md §5).
pub(crate) fn decisions(step: &StepState, work: &Work) -> &'static [DecisionWord] {
    use DecisionWord::{Approved, Completed, Failed, Rejected, Returned};
    match (&step.phase, &work.performer) {
        (Phase::Escalated { .. }, _) => &[Returned, Completed, Failed],
        (_, Performer::Approve(_)) => &[Approved, Rejected, Failed],
        (_, Performer::Task(_) | Performer::Agent { .. }) => &[Completed, Failed],
    }
}

fn perform(
    draft: &mut Draft<'_>,
    open: &StepId,
    work: &Work,
    (person, verdict): (Person, &Verdict),
) -> Result<(), Stop> {
    let (step, by, then) = (open.clone(), person.id, Then::default());
    match verdict {
        Verdict::Completed(submission) => {
            let by = Actor::Person(by);
            let result = accept::accept(draft, (&step, work), by, (submission, Summary::Optional))?;
            accept::complete(draft, step, by, result)
        }
        Verdict::Approved { note } => {
            let note = note.clone();
            let cause = Cause::Approved { step: open };
            draft.push_and_follow(
                draft.now,
                EventKind::StepApproved { step, by, note, then },
                &cause,
            )
        }
        Verdict::Rejected { note } => {
            let cause = Cause::Rejected { step: open, note };
            let note = note.clone();
            draft.push_and_follow(
                draft.now,
                EventKind::StepRejected { step, by, note, then },
                &cause,
            )
        }
        Verdict::Returned { note } => {
            let opening = draft.work_opening(work, draft.now)?;
            draft.push(EventKind::StepReturned {
                step,
                by,
                note: note.clone(),
                then: Then::moves(opening.failure()),
                opening,
            });
            Ok(())
        }
        Verdict::Failed { note } => {
            draft.push(EventKind::StepFailed {
                step,
                by,
                note: note.clone(),
                then: Then::moves([Moved::failed(Actor::Person(by), note)]),
            });
            Ok(())
        }
    }
}
