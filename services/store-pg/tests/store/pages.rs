//! How the database finds the rows of lists, and how much of them it sends.

use base::{Digest, Scope};
use run_core::Map;
use run_ports::{ItemReader, PageOf, VersionRow, Versions, WorkQueries};
use run_sim::contract::Scene;
use sqlx::{AssertSqlSafe, PgConnection};

use crate::support::{Database, connect, execute, subject_of};

fn page<K>(after: Option<K>) -> PageOf<K> {
    PageOf {
        after,
        limit: 10,
        process: None,
    }
}

/// 1 MiB is reached by `b` and `c` together; `a` has more alone.
#[tokio::test]
async fn a_page_of_processes_ends_at_a_mebibyte() {
    let database = Database::migrated().await;
    let store = database.store().await;
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 1).await;
    for (process, bytes) in [("a", 2 << 20), ("b", 1 << 19), ("c", 1 << 19), ("d", 1)] {
        let new = VersionRow {
            process: process.to_owned(),
            version: 0,
            format: "process".to_owned(),
            source: vec![b'x'; bytes],
            content_hash: Digest::new([1; 32]),
            description: String::new(),
            published_at: scene.now,
            published_by: None,
        };
        let published = store.publish(scene.organization, new, vec![]).await;
        published.expect("the store works");
    }
    for (after, wanted, more) in [
        (None, "a", true),
        (Some("a"), "bc", true),
        (Some("c"), "d", false),
    ] {
        let found = store
            .processes(scene.organization, &page(after.map(str::to_owned)))
            .await
            .expect("the store works");
        let names: String = found.entries.iter().map(|row| row.process.as_str()).collect();
        assert_eq!((names.as_str(), found.has_more), (wanted, more), "{after:?}");
    }
}

#[tokio::test]
async fn a_page_of_work_ends_at_a_mebibyte() {
    let database = Database::migrated().await;
    let store = database.store().await;
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 2).await;
    for _ in 0..3 {
        let state = scene.started().await;
        let state = scene.done(&state, &scene.claim("fetch")).await;
        scene.done(&state, &scene.escalate(&state)).await;
    }
    for (kib, shown) in [(1, 3), (400, 2), (2000, 1)] {
        let pad = format!(
            "update offers set handoff = rpad(trim(handoff), {kib} * 1024);
             update work_items set body = rpad(trim(body), {kib} * 1024)"
        );
        execute(&database.owner(), &pad).await;
        let offers = store
            .offers(
                scene.organization,
                (scene.agent, &Scope::All),
                &page(None),
                scene.now,
            )
            .await
            .expect("the store works");
        assert_eq!(
            (offers.entries.len(), offers.has_more),
            (shown, shown < 3),
            "{kib}"
        );
        let items = store
            .items(
                scene.organization,
                ItemReader::Operator(scene.operator),
                &page(None),
            )
            .await
            .expect("the store works");
        assert_eq!((items.entries.len(), items.has_more), (shown, shown < 3), "{kib}");
    }
}

/// The plan of a statement in a session like the store's.
pub(crate) async fn plan(app: &mut PgConnection, types: &str, sql: &str, arguments: &str) -> String {
    let prepare = format!(
        "begin; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off;
         set local enable_hashjoin = off; set local enable_mergejoin = off; prepare list ({types}) as {sql}"
    );
    sqlx::raw_sql(AssertSqlSafe(prepare))
        .execute(&mut *app)
        .await
        .expect("it can be prepared");
    let explain = format!("explain execute list ({arguments})");
    let lines: Vec<(String,)> = sqlx::query_as(AssertSqlSafe(explain))
        .persistent(false)
        .fetch_all(&mut *app)
        .await
        .expect("it has a plan");
    sqlx::raw_sql("rollback; deallocate list")
        .execute(&mut *app)
        .await
        .expect("it was prepared");
    lines.into_iter().map(|(line,)| line + "\n").collect()
}

/// Only the stretches of several processes are sorted into one.
#[tokio::test]
async fn pages_are_stretches_of_an_index() {
    const OFFERS: &str = "text, bigint, text, text, text, bigint, bigint, bigint";
    const ITEMS: &str = "text, text, bigint, text, bigint, text, bigint, bigint";
    let database = Database::migrated().await;
    let mut app = connect(&database.app()).await;
    for (types, sql, arguments, indexes, sorts) in [
        (
            OFFERS.to_owned(),
            include_str!("../../sql/offers_of_all.sql"),
            "'', 0, '', '', '', 0, 10, 10",
            &["offers_oldest"][..],
            0,
        ),
        (
            format!("{OFFERS}, text[]"),
            include_str!("../../sql/offers_of_processes.sql"),
            "'', 0, '', '', '', 0, 10, 10, '{a}'",
            &["offers_of_process"],
            1,
        ),
        (
            ITEMS.to_owned(),
            include_str!("../../sql/items_of_member.sql"),
            "'', '', 0, '', 0, null, 10, 10",
            &["work_item_members_pkey"],
            0,
        ),
        (
            ITEMS.to_owned(),
            include_str!("../../sql/items_of_operator.sql"),
            "'', '', 0, '', 0, null, 10, 10",
            &["work_item_members_pkey", "work_items_escalated"],
            0,
        ),
    ] {
        let plan = plan(&mut app, &types, sql, arguments).await;
        for index in indexes {
            assert!(plan.contains(&format!(" using {index} ")), "{index}: {plan}");
        }
        assert_eq!(plan.matches("Sort  (").count(), sorts, "{plan}");
        assert!(!plan.contains(" Seq Scan "), "{plan}");
    }
}

/// An update that writes to no index is what PostgreSQL counts as heap-only.
#[tokio::test]
async fn a_claim_writes_to_no_index_of_offers() {
    let database = Database::migrated().await;
    let store = database.store().await;
    let subject = subject_of(&store);
    let scene = Scene::new(&subject, 3).await;
    let (start, state) = scene.start(Map::new());
    scene.commit(start).await;
    scene.done(&state, &scene.claim("fetch")).await;
    store.close().await;
    assert_eq!(heap_only_updates(&database, "offers", 1).await, 1);
}

/// How many of these updates of a table wrote to no index. The store must be closed: sessions tell what they did at their end at the
/// latest.
pub(crate) async fn heap_only_updates(database: &Database, table: &str, updates: i64) -> i64 {
    let mut owner = connect(&database.owner()).await;
    loop {
        let sql = "select n_tup_hot_upd from pg_stat_user_tables where relname = $1 and n_tup_upd >= $2";
        let found: Option<(i64,)> = sqlx::query_as(sql)
            .bind(table)
            .bind(updates)
            .fetch_optional(&mut owner)
            .await
            .expect("it may be read");
        if let Some((count,)) = found {
            return count;
        }
    }
}
