use std::cmp::Reverse;

use async_trait::async_trait;
use base::{AgentId, OrganizationId, RunId, Scope, Timestamp};
use run_core::StepId;
use run_core::project::{ItemRow, Offer};
use run_ports::{
    ItemEntry, ItemPage, ItemReader, OfferEntry, OfferPage, PageOf, PortError, ProcessPage, RunEntry,
    RunFilter, RunPage, WorkQueries,
};

use super::{MemoryStore, Run, Tenant};

#[async_trait]
impl WorkQueries for MemoryStore {
    async fn offers(
        &self,
        organization: OrganizationId,
        (agent, scope): (AgentId, &Scope),
        page: &PageOf<(Timestamp, RunId, StepId)>,
        now: Timestamp,
    ) -> Result<OfferPage, PortError> {
        let (entries, has_more) = self.tenant(organization, |tenant| {
            let offers = tenant.runs.iter().flat_map(|(id, run)| {
                let offers = run.offers.values();
                offers.map(move |offer| ((offer.ready_since, *id, offer.step.clone()), (*id, run, offer)))
            });
            let offers = offers.filter(|(_, (_, run, offer))| {
                scope.covers(&run.row.process) && is_of(page, run) && is_for(offer, agent, now)
            });
            take_page(offers, page, |(id, run, offer)| OfferEntry {
                run: id,
                process: run.row.process.clone(),
                version: run.row.version,
                mode: run.row.mode,
                offer: offer.clone(),
            })
        });
        Ok(OfferPage { entries, has_more })
    }

    async fn items(
        &self,
        organization: OrganizationId,
        reader: ItemReader,
        page: &PageOf<(Timestamp, RunId, u32)>,
    ) -> Result<ItemPage, PortError> {
        let (entries, has_more) = self.tenant(organization, |tenant: &Tenant| {
            let items = tenant.runs.iter().flat_map(|(id, run)| {
                let items = run.items.values();
                items.map(move |row| ((row.opened_at, *id, row.item.id.number), (*id, run, row)))
            });
            let items = items.filter(|(_, (_, run, row))| is_of(page, run) && shows(reader, row));
            take_page(items, page, |(id, run, row)| ItemEntry {
                run: id,
                process: run.row.process.clone(),
                version: run.row.version,
                snapshot: run.row.snapshot,
                row: row.clone(),
            })
        });
        Ok(ItemPage { entries, has_more })
    }

    async fn processes(
        &self,
        organization: OrganizationId,
        page: &PageOf<String>,
    ) -> Result<ProcessPage, PortError> {
        let (entries, has_more) = self.tenant(organization, |tenant| {
            let latest = tenant
                .versions
                .iter()
                .filter_map(|(process, versions)| Some((process.clone(), versions.last()?)));
            let latest =
                latest.filter(|(process, _)| page.process.as_ref().is_none_or(|only| only == process));
            take_page(latest, page, Clone::clone)
        });
        Ok(ProcessPage { entries, has_more })
    }

    async fn runs(
        &self,
        organization: OrganizationId,
        filter: &RunFilter,
        page: &PageOf<(Timestamp, RunId)>,
    ) -> Result<RunPage, PortError> {
        let newest_first = PageOf {
            after: page.after.map(Reverse),
            limit: page.limit,
            process: None,
        };
        let (entries, has_more) = self.tenant(organization, |tenant| {
            let runs = tenant
                .runs
                .iter()
                .filter(|(_, run)| is_of(page, run) && is_wanted(filter, run))
                .map(|(id, run)| (Reverse((run.row.started_at, *id)), (*id, run)));
            take_page(runs, &newest_first, run_entry)
        });
        let last = entries.last().filter(|_| has_more);
        let next = last.map(|last| (last.started_at, last.run));
        Ok(RunPage { entries, next })
    }
}

fn is_wanted(filter: &RunFilter, run: &Run) -> bool {
    filter.state.is_none_or(|state| state == run.row.state)
        && filter.inputs.iter().all(|wanted| {
            let mut digests = wanted.any_of.iter();
            digests.any(|digest| run.inputs.contains(digest))
        })
}

fn run_entry((id, run): (RunId, &Run)) -> RunEntry {
    RunEntry {
        run: id,
        process: run.row.process.clone(),
        version: run.row.version,
        state: run.row.state,
        outcome: run.row.outcome.clone(),
        started_at: run.row.started_at,
        updated_at: run.row.updated_at,
        inputs: (*run.row.inputs).clone(),
    }
}

fn is_of<K>(page: &PageOf<K>, run: &Run) -> bool {
    page.process
        .as_ref()
        .is_none_or(|process| *process == run.row.process)
}

fn is_for(offer: &Offer, agent: AgentId, now: Timestamp) -> bool {
    let kept_for_another = |kept: run_core::event::Reserved| now < kept.until && kept.agent != agent;
    offer.available_at <= now && !offer.reserved.is_some_and(kept_for_another)
}

fn shows(reader: ItemReader, row: &ItemRow) -> bool {
    let is_escalated = row.item.escalation.is_some();
    match reader {
        ItemReader::Member(person) => row.item.assigned.includes(person) && !is_escalated,
        ItemReader::Operator(person) => row.item.assigned.includes(person) || is_escalated,
    }
}

fn take_page<K: Ord, T, E>(
    all: impl Iterator<Item = (K, T)>,
    page: &PageOf<K>,
    entry: impl Fn(T) -> E,
) -> (Vec<E>, bool) {
    let mut rest: Vec<_> = all
        .filter(|(key, _)| page.after.as_ref().is_none_or(|after| key > after))
        .collect();
    rest.sort_by(|(left, _), (right, _)| left.cmp(right));
    let has_more = rest.len() > page.limit;
    rest.truncate(page.limit);
    (
        rest.into_iter().map(|(_, found)| entry(found)).collect(),
        has_more,
    )
}
