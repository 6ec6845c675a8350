//! How the database finds runs, what that costs, and what it does not cost those who write.

use base::RunId;
use run_core::Map;
use run_core::search::InputWanted;
use run_ports::{PageOf, RunFilter, RunPage, WorkQueries};
use run_sim::contract::Scene;
use serde_json::json;
use store_pg::Store;

use crate::pages::{heap_only_updates, plan};
use crate::support::{Database, connect, execute, subject_of};

fn inputs(json: serde_json::Value) -> Map {
    match json {
        serde_json::Value::Object(inputs) => inputs,
        other => panic!("{other} is not an object"),
    }
}

async fn list(store: &Store, scene: &Scene<'_>, filter: &RunFilter, after: Option<&RunPage>) -> RunPage {
    let page = PageOf {
        after: after.and_then(|page| page.next),
        limit: 10,
        process: None,
    };
    let found = store.runs(scene.organization, filter, &page).await;
    found.expect("the store works")
}

/// Every step of the walk is a look-up in an index; only what one step or one page found is sorted.
#[tokio::test]
async fn a_search_walks_through_indexes() {
    let database = Database::migrated().await;
    let mut app = connect(&database.app()).await;
    let plan = plan(
        &mut app,
        "text, text, text[], integer[], bytea[], bigint, text, bigint, bigint, bigint, bigint",
        include_str!("../../sql/runs.sql"),
        "'', null, '{active}', '{1}', '{}', 0, '', 2, 10, 10, 10",
    )
    .await;
    for index in ["runs_of_state", "runs_of_process", "run_inputs_pkey"] {
        assert!(
            plan.contains(&format!("Index Only Scan Backward using {index} ")),
            "{index}: {plan}"
        );
    }
    assert!(!plan.contains(" Seq Scan ") && !plan.contains("Bitmap"), "{plan}");
}

#[tokio::test]
async fn a_claim_writes_to_no_index_of_runs() {
    let database = Database::migrated().await;
    let store = database.store().await;
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 11).await;
    let state = scene.started().await;
    let state = scene.done(&state, &scene.claim("fetch")).await;
    scene.done(&state, &scene.claim("carry")).await;
    store.close().await;
    assert_eq!(heap_only_updates(&database, "runs", 2).await, 2);
}

#[tokio::test]
async fn a_page_of_runs_ends_at_a_mebibyte() {
    let database = Database::migrated().await;
    let store = database.store().await;
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 12).await;
    for _ in 0..3 {
        scene.started().await;
    }
    for (kib, shown) in [(1, 3), (400, 2), (2000, 1)] {
        let pad = format!("update runs set inputs = rpad(trim(inputs), {kib} * 1024)");
        execute(&database.owner(), &pad).await;
        let mut found: Vec<RunId> = Vec::new();
        let mut page = list(&store, &scene, &RunFilter::default(), None).await;
        assert_eq!(page.entries.len(), shown, "{kib}");
        loop {
            found.extend(page.entries.iter().map(|entry| entry.run));
            if page.next.is_none() {
                break;
            }
            page = list(&store, &scene, &RunFilter::default(), Some(&page)).await;
        }
        assert!(
            found.len() == 3 && found.is_sorted_by(|left, right| left > right),
            "{found:?}"
        );
    }
}

/// 2,500 runs have one value and 2,500 others the other one, in turn, and only the first run has both.
#[tokio::test]
async fn a_long_search_goes_on_with_the_next_page() {
    let database = Database::migrated().await;
    let store = database.store().await;
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 13).await;
    let (commit, state) = scene.start(inputs(json!({"left": true, "right": true})));
    scene.commit(commit).await;
    let [left, right] = ["left", "right"].map(|field| InputWanted::new(field, &json!(true)));
    let hex = |wanted: &InputWanted| {
        let digest = wanted.any_of[0].to_string();
        digest.trim_start_matches("sha256:").to_owned()
    };
    let fill = format!(
        "insert into runs (organization, run, seq, chain, process, version, mode, state, started_by, started_at, updated_at,
            inputs, snapshot)
         select organization, overlay(run placing lpad(n::text, 6, '0') from 23), seq, chain, process, version, mode, state,
            started_by, started_at + n, updated_at, inputs, snapshot
         from runs, generate_series(1, 5000) n;
         insert into run_inputs (organization, input, started_at, run)
         select organization, decode(case (started_at - {}) % 2 when 0 then '{}' else '{}' end, 'hex'), started_at, run
         from runs where run <> '{}'",
        scene.now.as_millis(),
        hex(&left),
        hex(&right),
        state.run,
    );
    execute(&database.owner(), &fill).await;
    let filter = RunFilter {
        state: None,
        inputs: vec![left, right],
    };
    let mut page = list(&store, &scene, &filter, None).await;
    let mut pages = 1;
    while page.entries.is_empty() {
        assert!(
            page.next.is_some(),
            "it is not at the end before it has found the first run"
        );
        page = list(&store, &scene, &filter, Some(&page)).await;
        pages += 1;
    }
    assert_eq!((page.entries[0].run, page.next), (state.run, None));
    assert_eq!(pages, 2, "2,500 steps, 2,000 a page");
}
