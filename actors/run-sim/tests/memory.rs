//! The store in memory keeps the contract.

use std::sync::Arc;

use async_trait::async_trait;
use base::{GroupId, OrganizationId, PersonId, PersonRole};
use run_core::Map;
use run_ports::{CommitVerdict, RunStore};
use run_sim::contract::{Accounts, Scene, Subject};
use run_sim::{Fault, MemoryStore};

struct MemoryAccounts(Arc<MemoryStore>);

#[async_trait]
impl Accounts for MemoryAccounts {
    async fn add_organization(&self, _organization: OrganizationId) {}

    async fn add_person(
        &self,
        organization: OrganizationId,
        person: PersonId,
        email: &str,
        role: PersonRole,
    ) {
        self.0.add_person(organization, person, (email, role));
    }

    async fn add_group(&self, organization: OrganizationId, group: GroupId, members: &[PersonId]) {
        self.0.put_group(organization, group, members.iter().copied());
    }
}

fn subject_of(store: &Arc<MemoryStore>) -> Subject {
    Subject {
        runs: store.clone(),
        work: store.clone(),
        versions: store.clone(),
        directory: store.clone(),
        accounts: Arc::new(MemoryAccounts(Arc::clone(store))),
        keep: Box::new(()),
    }
}

async fn empty() -> Subject {
    subject_of(&Arc::new(MemoryStore::new()))
}

run_sim::contract_tests!(empty);

#[tokio::test]
async fn an_injected_fault_hits_one_commit() {
    let store = Arc::new(MemoryStore::new());
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 1).await;
    for (fault, is_written) in [
        (Fault::AnswerLost, true),
        (Fault::WriteLost, false),
        (Fault::Unavailable, false),
    ] {
        store.inject(fault);
        let (commit, state) = scene.start(Map::new());
        let verdict = store.commit(commit).await;
        let is_known = matches!(verdict, CommitVerdict::Unavailable(_));
        assert_eq!(is_known, fault == Fault::Unavailable, "{verdict:?}");
        let settled = store.journal_settled(scene.organization, state.run, 0).await;
        assert_eq!(
            settled.expect("the store works").is_some(),
            is_written,
            "{fault:?}"
        );
        scene.started().await;
    }
}
