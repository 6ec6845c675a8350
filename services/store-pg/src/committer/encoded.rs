//! A command as the rows that it writes.

use base::{Digest, OrganizationId, RunId};
use run_core::event::Assigned;
use run_core::project::{ItemRow, Offer, RunRow};
use run_core::{Effect, Event, stored};
use run_ports::{Commit, NewRequest};

use crate::words;

/// What a row costs beside its texts, about.
const ROW_BYTES: usize = 256;

/// All that a command writes. Made by whoever sends it, so that a lane only puts columns together.
#[derive(Debug)]
pub(crate) struct Encoded {
    pub(super) organization: OrganizationId,
    pub(super) run: RunId,
    pub(super) organization_text: String,
    pub(super) run_text: String,
    pub(super) expected_seq: i64,
    pub(super) last_seq: i64,
    pub(super) head: RunRow,
    /// The rest of the head, for a run that does not exist yet.
    pub(super) start: Option<Start>,
    pub(super) inputs: Vec<Digest>,
    pub(super) request: Option<Request>,
    pub(super) directory_revision: Option<i64>,
    pub(super) events: Vec<EncodedEvent>,
    pub(super) offers: Vec<EncodedOffer>,
    pub(super) gone_offers: Vec<String>,
    pub(super) items: Vec<EncodedItem>,
    pub(super) gone_items: Vec<i64>,
    pub(super) effects: Vec<EncodedEffect>,
    /// About how much all of it is.
    pub(super) bytes: usize,
}

#[derive(Debug)]
pub(super) struct Start {
    pub(super) started_by: String,
    pub(super) inputs: String,
}

#[derive(Debug)]
pub(super) struct Request {
    pub(super) new: NewRequest,
    pub(super) caller: String,
    pub(super) first_seq: i64,
}

#[derive(Debug)]
pub(super) struct EncodedEvent {
    pub(super) seq: i64,
    pub(super) at: i64,
    pub(super) kind: &'static str,
    pub(super) version: i32,
    pub(super) body: String,
}

#[derive(Debug)]
pub(super) struct EncodedOffer {
    pub(super) offer: Offer,
    pub(super) handoff: String,
    pub(super) holder: Option<String>,
    pub(super) reserved_for: Option<String>,
}

#[derive(Debug)]
pub(super) struct EncodedItem {
    pub(super) number: i64,
    pub(super) opened_at: i64,
    pub(super) is_escalated: bool,
    /// Ids with commas between them.
    pub(super) members: String,
    pub(super) group: Option<String>,
    pub(super) body: String,
}

#[derive(Debug)]
pub(super) struct EncodedEffect {
    pub(super) kind: &'static str,
    pub(super) step: Option<String>,
    pub(super) item: Option<i64>,
}

/// The events of a command are not numbered from the one that it was decided on.
#[derive(Debug, thiserror::Error)]
#[error("events of a write are not numbered from {expected_seq} on without a gap")]
pub(crate) struct NumberingError {
    expected_seq: u64,
}

impl Encoded {
    /// The rows of a command.
    pub(crate) fn of(commit: Commit) -> Result<Self, NumberingError> {
        let expected_seq = commit.expected_seq;
        let is_next = |(event, seq): (&Event, u64)| event.seq == seq;
        if !commit.events.iter().zip(expected_seq + 1..).all(is_next) {
            return Err(NumberingError { expected_seq });
        }
        let head = commit.changes.run;
        let start = (expected_seq == 0).then(|| Start {
            started_by: head.started_by.to_string(),
            inputs: words::object_text(&head.inputs),
        });
        let mut encoded = Self {
            organization: commit.organization,
            run: commit.run,
            organization_text: commit.organization.to_string(),
            run_text: commit.run.to_string(),
            expected_seq: words::number(expected_seq),
            last_seq: words::number(commit.events.last().map_or(expected_seq, |event| event.seq)),
            head,
            start,
            inputs: commit.changes.inputs,
            request: commit.request.map(Request::of),
            directory_revision: commit.directory_revision.map(words::number),
            events: commit.events.iter().map(EncodedEvent::of).collect(),
            offers: commit
                .changes
                .offers_put
                .into_iter()
                .map(EncodedOffer::of)
                .collect(),
            gone_offers: commit
                .changes
                .offers_gone
                .iter()
                .map(ToString::to_string)
                .collect(),
            items: commit.changes.items_put.iter().map(EncodedItem::of).collect(),
            gone_items: commit.changes.items_gone.iter().copied().map(i64::from).collect(),
            effects: commit.effects.into_iter().map(EncodedEffect::of).collect(),
            bytes: 0,
        };
        encoded.bytes = encoded.measure();
        Ok(encoded)
    }

    fn measure(&self) -> usize {
        let rows = 2
            + self.inputs.len()
            + self.events.len()
            + self.offers.len()
            + self.items.len()
            + self.effects.len();
        let start = self.start.as_ref().map_or(0, |start| start.inputs.len());
        let events: usize = self.events.iter().map(|event| event.body.len()).sum();
        let offers: usize = self.offers.iter().map(|offer| offer.handoff.len()).sum();
        let items: usize = self
            .items
            .iter()
            .map(|item| item.body.len() + item.members.len())
            .sum();
        rows * ROW_BYTES + start + events + offers + items
    }
}

impl Request {
    fn of(new: NewRequest) -> Self {
        Self {
            caller: new.key.caller.to_string(),
            first_seq: words::number(new.first_seq),
            new,
        }
    }
}

impl EncodedEvent {
    fn of(event: &Event) -> Self {
        let stored = stored::encode(event);
        Self {
            seq: words::number(event.seq),
            at: event.at.as_millis(),
            kind: stored.kind,
            version: stored.version.into(),
            body: stored.json,
        }
    }
}

impl EncodedOffer {
    fn of(offer: Offer) -> Self {
        Self {
            handoff: stored::encode_handoff(&offer.handoff),
            holder: offer.holder.map(|holder| holder.to_string()),
            reserved_for: offer.reserved.map(|kept| kept.agent.to_string()),
            offer,
        }
    }
}

impl EncodedItem {
    fn of(row: &ItemRow) -> Self {
        let (members, group) = match &row.item.assigned {
            Assigned::Group { group, members } => (members.as_slice(), Some(group.to_string())),
            Assigned::Person { person, .. } => (std::slice::from_ref(person), None),
        };
        let members: Vec<_> = members.iter().map(ToString::to_string).collect();
        Self {
            number: row.item.id.number.into(),
            opened_at: row.opened_at.as_millis(),
            is_escalated: row.item.escalation.is_some(),
            members: members.join(","),
            group,
            body: stored::encode_item(&row.item),
        }
    }
}

impl EncodedEffect {
    fn of(effect: Effect) -> Self {
        match effect {
            Effect::TellItemOpened { step, item } => Self {
                kind: "item_opened",
                step: Some(step.to_string()),
                item: Some(item.into()),
            },
            Effect::TellOverdue { step } => Self {
                kind: "overdue",
                step: Some(step.to_string()),
                item: None,
            },
            Effect::TellEnded => Self {
                kind: "ended",
                step: None,
                item: None,
            },
        }
    }
}
