use std::collections::BTreeMap;

use async_trait::async_trait;
use base::{OrganizationId, RequestId, RunId};
use run_core::stored;
use run_ports::{
    Commit, CommitVerdict, Head, Journal, Look, NewRequest, PortError, RequestRow, RequestTarget, RunStore,
};

use super::{Fault, MemoryStore, NulError, Run, StoredEvent, Tenant, corrupt, lock};

#[async_trait]
impl RunStore for MemoryStore {
    async fn journal(
        &self,
        organization: OrganizationId,
        run: RunId,
        after: u64,
    ) -> Result<Option<Journal>, PortError> {
        self.tenant(organization, |tenant| {
            tenant.runs.get(&run).map(|run| run.journal(after)).transpose()
        })
    }

    async fn journal_settled(
        &self,
        organization: OrganizationId,
        run: RunId,
        after: u64,
    ) -> Result<Option<Journal>, PortError> {
        self.journal(organization, run, after).await
    }

    async fn look(
        &self,
        organization: OrganizationId,
        request: Option<&RequestId>,
        run: Option<RunId>,
    ) -> Result<Look, PortError> {
        Ok(self.tenant(organization, |tenant| Look {
            request: request.and_then(|id| tenant.requests.get(id)).cloned(),
            head: run.and_then(|run| tenant.runs.get(&run)).map(|run| Head {
                seq: run.seq(),
                // Here a write takes no time that anybody could see.
                is_being_written: false,
            }),
        }))
    }

    async fn commit(&self, commit: Commit) -> CommitVerdict {
        let fault = lock(&self.faults).pop_front();
        let unavailable = || PortError::Unavailable("injected by the test".into());
        let write = || {
            let mut tenants = lock(&self.tenants);
            tenants.entry(commit.organization).or_default().write(&commit)
        };
        match fault {
            None => write(),
            Some(Fault::AnswerLost) => {
                write();
                CommitVerdict::Unknown(unavailable())
            }
            Some(Fault::WriteLost) => CommitVerdict::Unknown(unavailable()),
            Some(Fault::Unavailable) => CommitVerdict::Unavailable(unavailable()),
        }
    }

    async fn due_runs(
        &self,
        until_millis: i64,
        limit: usize,
    ) -> Result<Vec<(OrganizationId, RunId)>, PortError> {
        let tenants = lock(&self.tenants);
        let mut due: Vec<_> = tenants
            .iter()
            .flat_map(|(organization, tenant)| {
                tenant.runs.iter().map(move |(id, run)| (organization, id, run))
            })
            .filter_map(|(organization, id, run)| {
                Some((run.row.next_deadline?.as_millis(), *organization, *id))
            })
            .filter(|(at, _, _)| *at <= until_millis)
            .collect();
        due.sort();
        due.truncate(limit);
        Ok(due
            .into_iter()
            .map(|(_, organization, run)| (organization, run))
            .collect())
    }
}

impl Tenant {
    fn write(&mut self, commit: &Commit) -> CommitVerdict {
        if let Some(NewRequest { key, .. }) = &commit.request
            && key.id.as_str().contains('\0')
        {
            return CommitVerdict::Unavailable(PortError::Unavailable(Box::new(NulError)));
        }
        if self.runs.get(&commit.run).map_or(0, Run::seq) != commit.expected_seq {
            return CommitVerdict::Conflict;
        }
        if commit
            .directory_revision
            .is_some_and(|revision| revision != self.directory_revision)
        {
            return CommitVerdict::Outdated;
        }
        if let Some(new) = &commit.request {
            if let Some(row) = self.requests.get(&new.key.id) {
                return CommitVerdict::RequestTaken(row.clone());
            }
            self.requests.insert(new.key.id.clone(), request_row(commit, new));
        }
        let run = self.runs.entry(commit.run).or_insert_with(|| Run {
            row: commit.changes.run.clone(),
            events: Vec::new(),
            offers: BTreeMap::new(),
            items: BTreeMap::new(),
            inputs: commit.changes.inputs.iter().copied().collect(),
        });
        run.apply(commit);
        let effects = commit.effects.iter().map(|effect| (commit.run, effect.clone()));
        self.outbox.extend(effects);
        CommitVerdict::Committed
    }
}

impl Run {
    fn seq(&self) -> u64 {
        self.events.last().map_or(0, |event| event.seq)
    }

    fn apply(&mut self, commit: &Commit) {
        let changes = &commit.changes;
        self.events.extend(commit.events.iter().map(|event| StoredEvent {
            seq: event.seq,
            at_millis: event.at.as_millis(),
            stored: stored::encode(event),
        }));
        self.row = changes.run.clone();
        for step in &changes.offers_gone {
            self.offers.remove(step);
        }
        let offers = changes.offers_put.iter();
        self.offers
            .extend(offers.map(|offer| (offer.step.clone(), offer.clone())));
        for number in &changes.items_gone {
            self.items.remove(number);
        }
        let items = changes.items_put.iter();
        self.items
            .extend(items.map(|row| (row.item.id.number, row.clone())));
    }

    fn journal(&self, after: u64) -> Result<Journal, PortError> {
        let decode = |event: &StoredEvent| {
            let StoredEvent {
                seq,
                at_millis,
                stored,
            } = event;
            stored::decode(stored.kind, stored.version, *seq, *at_millis, &stored.json)
        };
        let events = self.events.iter().filter(|event| event.seq > after);
        Ok(Journal {
            process: self.row.process.clone(),
            version: self.row.version,
            events: events
                .map(decode)
                .collect::<Result<_, _>>()
                .map_err(|source| corrupt("a run", source))?,
        })
    }
}

fn request_row(commit: &Commit, new: &NewRequest) -> RequestRow {
    RequestRow {
        key: new.key.clone(),
        target: RequestTarget::Run {
            run: commit.run,
            first_seq: new.first_seq,
            last_seq: commit
                .events
                .last()
                .map_or(commit.expected_seq, |event| event.seq),
        },
        at: new.at,
    }
}
