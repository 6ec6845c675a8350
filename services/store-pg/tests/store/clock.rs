//! The clock of the database, and travel in time.

use std::time::Duration;

use run_ports::Clock;
use store_pg::{Error, PgClock};

use crate::support::{Database, connect};

async fn database_millis(database: &Database) -> i64 {
    let mut connection = connect(&database.owner()).await;
    let (millis,) = sqlx::query_as("select (extract(epoch from clock_timestamp()) * 1000)::bigint")
        .fetch_one(&mut connection)
        .await
        .expect("the database is there");
    millis
}

#[tokio::test]
async fn the_clock_shows_the_time_of_the_database() {
    let database = Database::migrated().await;
    let store = database.store().await;
    let clock = PgClock::start(&store).await.expect("the database is there");
    let before = database_millis(&database).await;
    let shown = clock.now().as_millis();
    let after = database_millis(&database).await;
    assert!(
        (before - 100..=after + 100).contains(&shown),
        "{before} {shown} {after}"
    );
}

#[tokio::test]
async fn all_servers_of_a_marked_database_travel_together() {
    let database = Database::migrated().await;
    assert_eq!(
        store_pg::Database::look(&database.owner_url())
            .await
            .expect("it is there"),
        store_pg::Database::Unmarked
    );
    let (here, there) = (database.store().await, database.store().await);
    let refused = here.advance_clock(Duration::from_secs(1)).await;
    assert!(matches!(refused, Err(Error::NotForDevelopment)), "{refused:?}");

    for mark in ["first", "second"] {
        store_pg::Database::mark(&database.owner_url(), mark)
            .await
            .expect("it is there");
    }
    assert_eq!(
        here.dev_mark().await.expect("it is there").as_deref(),
        Some("first")
    );
    let clock = PgClock::start(&there).await.expect("the database is there");
    let day = Duration::from_hours(24);
    assert_eq!(here.advance_clock(day).await.expect("it is marked"), day);
    // The other server is told, without being asked.
    while clock.now().as_millis() < database_millis(&database).await + 86_000_000 {}
    assert_eq!(there.advance_clock(day).await.expect("it is marked"), 2 * day);
    let late = PgClock::start(&here).await.expect("the database is there");
    assert!(late.now().as_millis() > database_millis(&database).await + 172_000_000);
    let far = here.advance_clock(Duration::MAX).await.expect("it is marked");
    assert!(far < Duration::MAX);
}

#[tokio::test]
async fn an_empty_database_is_told_from_one_in_use() {
    let database = Database::empty().await;
    let found = store_pg::Database::look(&database.owner_url())
        .await
        .expect("it is there");
    assert_eq!(found, store_pg::Database::Empty);
}
