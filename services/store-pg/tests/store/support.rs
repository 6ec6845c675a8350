//! A database of its own for every test, and logins without any right but those of `baton_app` and `baton_keeper`.

use std::str::FromStr;
use std::sync::Arc;

use base::{Secret, Timestamp};
use run_ports::Random;
use run_sim::contract::Subject;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection};
use store_pg::{Store, StoreOptions, SystemRandom};

use crate::pg_accounts::PgAccounts;

/// Logins of the cluster: they are shared by all tests and stay.
pub(crate) const APP_LOGIN: &str = "baton_test_app";
const KEEPER_LOGIN: &str = "baton_test_keeper";

/// When accounts are made: 2023-11-14T22:13:20Z.
pub(crate) fn now() -> Timestamp {
    Timestamp::from_millis(1_700_000_000_000)
}

/// A database that is dropped with this value.
pub(crate) struct Database {
    name: String,
}

impl Database {
    /// A new one, without anything in it.
    pub(crate) async fn empty() -> Self {
        let name = format!(
            "baton_test_{}",
            SystemRandom.ulid(now()).to_string().to_lowercase()
        );
        execute(&server(), &format!("create database {name}")).await;
        Self { name }
    }

    /// A new one with the schema.
    pub(crate) async fn migrated() -> Self {
        let database = Self::empty().await;
        Store::migrate(&database.owner_url())
            .await
            .expect("the migrations run");
        for (login, role) in [(APP_LOGIN, "baton_app"), (KEEPER_LOGIN, "baton_keeper")] {
            // Other tests do the same at the same time.
            let sql = format!(
                "do $$ begin create role {login} login in role {role};
                 exception when duplicate_object or unique_violation then null; end $$"
            );
            execute(&database.owner(), &sql).await;
        }
        database
    }

    /// How the owner of the cluster reaches it.
    pub(crate) fn owner(&self) -> PgConnectOptions {
        server().database(&self.name)
    }

    /// How the owner of the cluster reaches it.
    pub(crate) fn owner_url(&self) -> Secret<String> {
        url(&self.owner())
    }

    /// How a login without other rights reaches it.
    pub(crate) fn app(&self) -> PgConnectOptions {
        self.owner().username(APP_LOGIN)
    }

    /// The options of a store that logs in with these rights alone.
    pub(crate) fn options(&self) -> StoreOptions {
        StoreOptions {
            app_url: url(&self.app()),
            keeper_url: url(&self.owner().username(KEEPER_LOGIN)),
            ..StoreOptions::new(&self.owner_url())
        }
    }

    /// A store with these rights alone.
    pub(crate) async fn store(&self) -> Store {
        Store::connect(&self.options())
            .await
            .expect("the database is there")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let sql = format!("drop database if exists {} with (force)", self.name);
        let dropping = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime
                .expect("a runtime starts")
                .block_on(execute(&server(), &sql));
        });
        dropping.join().expect("the database is dropped");
    }
}

/// The address of a connection; the tests' servers trust whoever connects.
pub(crate) fn url(options: &PgConnectOptions) -> Secret<String> {
    Secret::new(options.to_url_lossy().to_string())
}

/// The server that tests may make databases on.
pub(crate) fn server() -> PgConnectOptions {
    let url = std::env::var("BATON_TEST_DATABASE_URL");
    let url = url
        .as_deref()
        .unwrap_or("postgres://postgres@127.0.0.1:5432/postgres");
    PgConnectOptions::from_str(url).expect("BATON_TEST_DATABASE_URL is the address of a database")
}

/// Runs one statement.
pub(crate) async fn execute(options: &PgConnectOptions, sql: &str) {
    let mut connection = connect(options).await;
    sqlx::raw_sql(AssertSqlSafe(sql))
        .execute(&mut connection)
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    connection.close().await.expect("the connection closes");
}

/// A connection.
pub(crate) async fn connect(options: &PgConnectOptions) -> PgConnection {
    options.connect().await.unwrap_or_else(|error| {
        panic!("tests need a PostgreSQL at BATON_TEST_DATABASE_URL: {error}");
    })
}

/// An empty store as a subject of the contract.
pub(crate) async fn subject() -> Subject {
    let database = Database::migrated().await;
    let store = database.store().await;
    Subject {
        keep: Box::new(database),
        ..subject_of(&store)
    }
}

/// A store as a subject of the contract.
pub(crate) fn subject_of(store: &Store) -> Subject {
    Subject {
        runs: Arc::new(store.clone()),
        work: Arc::new(store.clone()),
        versions: Arc::new(store.clone()),
        directory: Arc::new(store.clone()),
        reassignments: Arc::new(store.clone()),
        accounts: Arc::new(PgAccounts(store.clone())),
        keep: Box::new(()),
    }
}
