//! The store in memory keeps the contract.

use std::sync::Arc;

use run_core::Map;
use run_ports::{CommitVerdict, RunStore};
use run_sim::contract::{Scene, Subject};
use run_sim::{Fault, MemoryStore};

async fn empty() -> Subject {
    Subject::in_memory()
}

run_sim::contract_tests!(empty);

#[tokio::test]
async fn an_injected_fault_hits_one_commit() {
    let store = Arc::new(MemoryStore::new());
    let subject = Subject::of_memory(&store);
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
