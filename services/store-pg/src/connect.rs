//! Connections: who they act as, and how long anything may take.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use base::{OrganizationId, Secret};
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, PgPool, Postgres, Transaction};

use crate::Error;
use crate::committer::{Committer, Doubts};

/// The first PostgreSQL with functions whose body is SQL, parsed once (`chain_link`).
pub const POSTGRES_MAJOR_MIN: u32 = 14;

static MIGRATOR: Migrator = sqlx::migrate!("../../migrations");

/// Serves requests, under the policies of row-level security.
pub(crate) const APP: &str = "baton_app";
/// Looks after timers and the outbox of all organizations.
pub(crate) const KEEPER: &str = "baton_keeper";

/// Longer than any statement of ours takes unless something is wrong.
const STATEMENT_MILLIS: &str = "10000";
/// The only lock that a commit waits for is another server's on the same request id.
const LOCK_MILLIS: &str = "3000";
/// Nobody holds a transaction open between statements on purpose.
const IDLE_IN_TRANSACTION_MILLIS: &str = "10000";
/// A peer that is gone without a word is found out after about this long, so that its locks end.
const TCP_USER_TIMEOUT_MILLIS: &str = "10000";
/// How long opening a connection or waiting for a free one may take.
const ACQUIRE: Duration = Duration::from_secs(5);

/// Connections for settling doubts. Each may wait as long as a statement takes; all other reads go on meanwhile.
const SETTLERS: u32 = 2;
/// Whoever finds all of them waiting comes again.
const ACQUIRE_SETTLER: Duration = Duration::from_secs(1);
/// A listener keeps its connection. A clock that has ended keeps it for a while still.
const LISTENERS: u32 = 2;

/// How long a connection may have been idle to be used unasked.
const FRESH: Duration = Duration::from_secs(1);
/// Longer than the server gives a statement and the pool a connection.
const ANSWER: Duration = Duration::from_secs(16);

/// More than there are connections that may all be dead.
const QUESTIONS: usize = 16;

/// How to reach the database.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// Address and login for requests: a member of `baton_app`.
    pub app_url: Secret<String>,
    /// Address and login for timers and the outbox: a member of `baton_keeper`.
    pub keeper_url: Secret<String>,
    /// Connections for reads. More than 16 never help.
    pub readers: u32,
    /// Batches in flight at once.
    pub lanes: usize,
}

impl StoreOptions {
    /// One login that is a member of both roles, and the usual numbers.
    pub fn new(url: &Secret<String>) -> Self {
        Self {
            app_url: url.clone(),
            keeper_url: url.clone(),
            readers: 8,
            lanes: 4,
        }
    }
}

/// The PostgreSQL store. Cloning shares it.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) readers: PgPool,
    pub(crate) settlers: PgPool,
    pub(crate) listeners: PgPool,
    pub(crate) keepers: PgPool,
    pub(crate) committer: Arc<Committer>,
    pub(crate) doubts: Arc<Doubts>,
}

impl Store {
    /// Brings the database to the schema of this release. The login must be able to create roles, once, and to create tables.
    pub async fn migrate(url: &Secret<String>) -> Result<(), Error> {
        let mut connection = connect_as_given(url).await?;
        sqlx::raw_sql(include_str!("../sql/roles.sql"))
            .execute(&mut connection)
            .await
            .map_err(Error::Roles)?;
        let migrated = MIGRATOR.run(&mut connection).await.map_err(Error::Migration);
        connection.close().await?;
        migrated
    }

    /// Connects. Reads and commits act as `baton_app` whoever logs in, and the sweeper as `baton_keeper`.
    pub async fn connect(options: &StoreOptions) -> Result<Self, Error> {
        let app = acting_as(APP, &options.app_url)?;
        let keeper = acting_as(KEEPER, &options.keeper_url)?;
        let readers = pool(options.readers).connect_with(app.clone()).await?;
        let settlers = pool(SETTLERS)
            .acquire_timeout(ACQUIRE_SETTLER)
            .connect_lazy_with(app.clone());
        let listeners = pool(LISTENERS).connect_lazy_with(app.clone());
        let keepers = pool(2).connect_lazy_with(keeper);
        let doubts = Arc::new(Doubts::default());
        let committer = Committer::start(
            &app.options([("lock_timeout", LOCK_MILLIS)]),
            options.lanes,
            &doubts,
        );
        Ok(Self {
            readers,
            settlers,
            listeners,
            keepers,
            committer: Arc::new(committer),
            doubts,
        })
    }

    /// Finishes the batches in flight, answers everything else with `Unavailable`, and closes the connections.
    pub async fn close(&self) {
        self.committer.close().await;
        for pool in [&self.readers, &self.settlers, &self.listeners, &self.keepers] {
            pool.close().await;
        }
    }

    /// A transaction that reads rows of one organization.
    pub(crate) async fn read(
        &self,
        organization: OrganizationId,
    ) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
        self.begin("begin read only", organization).await
    }

    /// A transaction that reads and writes rows of one organization.
    pub(crate) async fn write(
        &self,
        organization: OrganizationId,
    ) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
        self.begin("begin", organization).await
    }

    /// In one round trip. The text of an id is letters and digits.
    async fn begin(
        &self,
        begin: &str,
        organization: OrganizationId,
    ) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
        let sql = format!("{begin}; set local baton.organizations = '{organization}'");
        self.readers.begin_with(AssertSqlSafe(sql)).await
    }
}

/// A connection of the login in the address, to a PostgreSQL that has all that we use.
pub(crate) async fn connect_as_given(url: &Secret<String>) -> Result<PgConnection, Error> {
    let connection = PgConnectOptions::from_str(url.expose())?.connect().await?;
    match connection.server_version_num().map(|number| number / 10_000) {
        Some(major) if major < POSTGRES_MAJOR_MIN => Err(Error::TooOld { major }),
        Some(_) | None => Ok(connection),
    }
}

/// A connection that was used a moment ago is not asked whether it is still there.
fn pool(most: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(most)
        .acquire_timeout(ACQUIRE)
        .test_before_acquire(false)
        .before_acquire(|connection, found| {
            Box::pin(async move {
                if found.idle_for > FRESH {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
}

/// Waits for an answer, but not for ever: a server that is gone without a word says nothing, and the timeouts of its side do not help.
pub(crate) async fn timely<T>(answer: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    tokio::time::timeout(ANSWER, answer)
        .await
        .unwrap_or(Err(Error::TimedOut))
}

/// Asks for something that changes nothing, and again when the connection turns out to be dead: all that were idle may be.
pub(crate) async fn ask<T, F>(question: impl Fn() -> F) -> Result<T, Error>
where
    F: Future<Output = Result<T, Error>>,
{
    timely(async {
        for _ in 0..QUESTIONS {
            match question().await {
                Err(error) if error.is_lost_connection() => {}
                answer => return answer,
            }
        }
        question().await
    })
    .await
}

/// The role is a setting of the session from its first moment, so that resetting it gives nothing more. Statements are not logged: they
/// hold what people wrote.
fn acting_as(role: &str, url: &Secret<String>) -> Result<PgConnectOptions, sqlx::Error> {
    let options = PgConnectOptions::from_str(url.expose())?;
    Ok(options
        .application_name("baton")
        .options([
            ("role", role),
            ("statement_timeout", STATEMENT_MILLIS),
            ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION_MILLIS),
            ("tcp_user_timeout", TCP_USER_TIMEOUT_MILLIS),
            ("tcp_keepalives_idle", "5"),
            ("tcp_keepalives_interval", "2"),
            ("tcp_keepalives_count", "3"),
        ])
        // Every statement finds its rows by key, in the order of an index. Plans are made once a session, however small or new a table
        // looks to the planner then.
        .options([
            ("plan_cache_mode", "force_generic_plan"),
            ("enable_seqscan", "off"),
            ("enable_hashjoin", "off"),
            ("enable_mergejoin", "off"),
            ("jit", "off"),
        ])
        .disable_statement_logging())
}
