//! The one place that sees ports and what implements them.

use std::sync::{Arc, Weak};
use std::time::Duration;

use app::administration::Administration;
use app::{App, AuthenticationError, Authenticator, SigningKeys};
use async_trait::async_trait;
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base::{Principal, Secret};
use formats::Format;
use http::StatusCode;
use http_kit::{BodyRoom, ErrorBody};
use mcp::McpConfig;
use run_actors::{Keeper, Limits, LocalTimers, PlanError, Ports, Runs};
use run_core::{KeyId, Plan};
use run_ports::{Clock, VersionRow};
use store_pg::{PgClock, Store, StoreOptions, SystemRandom};

/// How long the database may take to say that it is there; whoever asks for readiness waits no longer than a few seconds.
const READY_TIME_MAX: Duration = Duration::from_secs(2);

/// How a server is set.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The public address, without a slash at its end.
    pub(crate) url: String,
    /// The database.
    pub(crate) database_url: Secret<String>,
    /// How long a claim lasts.
    pub(crate) lease: Duration,
    /// Signs claim tokens and cursors.
    pub(crate) signing_key: Secret<[u8; 32]>,
}

/// Everything that is alive in a server.
pub(crate) struct Parts {
    /// The database.
    pub(crate) store: Store,
    /// Time.
    pub(crate) clock: Arc<PgClock>,
    /// Timers and sweeps. Nobody else holds it for longer than a call.
    pub(crate) keeper: Arc<Keeper>,
    /// The use cases.
    pub(crate) app: Arc<App>,
    runs: Runs,
}

/// Why a server cannot be put together.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The database.
    #[error(transparent)]
    Store(#[from] store_pg::Error),
    /// The actors.
    #[error("the run actors did not start")]
    Actors(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Parts {
    /// Connects to a migrated database and starts everything behind the doors.
    pub(crate) async fn start(settings: &Settings) -> Result<Self, Error> {
        let store = Store::connect(&StoreOptions::new(&settings.database_url)).await?;
        let clock = PgClock::start(&store).await?;
        let shared = Arc::new(store.clone());
        let ports = Ports {
            store: Arc::clone(&shared) as _,
            directory: Arc::clone(&shared) as _,
            reassignments: Arc::clone(&shared) as _,
            versions: Arc::clone(&shared) as _,
            timers: Arc::new(LocalTimers::default()),
            clock: Arc::clone(&clock) as _,
            random: Arc::new(SystemRandom),
            compile: Arc::new(compile),
        };
        let runs = Runs::start_root(ports, Limits::default())
            .await
            .map_err(|error| Error::Actors(Box::new(error)))?;
        let keeper = Arc::new(Keeper::start(&runs));
        let app = App {
            settings: app::Settings {
                lease: settings.lease,
                ..app::Settings::default()
            },
            runs: runs.clone(),
            work: Arc::clone(&shared) as _,
            directory: Arc::clone(&shared) as _,
            versions: shared,
            clock: Arc::clone(&clock) as _,
            keys: SigningKeys::new(KeyId(1), settings.signing_key.clone()),
        };
        Ok(Self {
            store,
            clock,
            keeper,
            app: Arc::new(app),
            runs,
        })
    }

    /// The doors for agents and administrators.
    pub(crate) fn routes(&self, settings: &Settings) -> Router {
        let authenticator: Arc<dyn Authenticator> = Arc::new(Tokens {
            store: self.store.clone(),
            clock: Arc::clone(&self.clock),
        });
        let room = BodyRoom::default();
        let config = McpConfig {
            body_room: room.clone(),
            ..McpConfig::new(&settings.url)
        };
        let ready = get(ready).with_state(Readiness {
            store: self.store.clone(),
            keeper: Arc::downgrade(&self.keeper),
        });
        let administration = Administration {
            app: Arc::clone(&self.app),
            store: Arc::new(self.store.clone()),
            random: Arc::new(SystemRandom),
        };
        mcp::router(Arc::clone(&self.app), Arc::clone(&authenticator), config)
            .merge(api::router(
                Arc::new(administration),
                authenticator,
                &settings.url,
                room,
            ))
            .route("/readyz", ready)
    }

    /// Begins nothing more, lets every run finish what it does, then closes the connections.
    pub(crate) async fn stop(self) {
        drop(self.keeper);
        self.runs.drain().await;
        self.store.close().await;
    }
}

/// What a server must have to be of use.
#[derive(Clone)]
struct Readiness {
    store: Store,
    /// Held by the server alone, so that it ends when the server does.
    keeper: Weak<Keeper>,
}

/// Whether calls can be served, or what is missing.
async fn ready(State(needed): State<Readiness>) -> Response {
    let mut missing = Vec::new();
    let answer = tokio::time::timeout(READY_TIME_MAX, needed.store.clock_offset()).await;
    if !matches!(answer, Ok(Ok(_))) {
        missing.push("the database does not answer".to_owned());
    }
    if !needed.keeper.upgrade().is_some_and(|keeper| keeper.is_alive()) {
        missing.push("timers and sweeps do not run".to_owned());
    }
    if missing.is_empty() {
        return "ok\n".into_response();
    }
    tracing::warn!("not ready: {}", missing.join("; "));
    ErrorBody::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "retry",
        "This server is not ready.",
    )
    .with_issues(missing)
    .into_response()
}

/// A published version as a Plan.
fn compile(row: &VersionRow) -> Result<Arc<dyn Plan>, PlanError> {
    let failed = |reason| PlanError {
        process: row.process.clone(),
        version: row.version,
        reason,
    };
    let format = Format::from_word(&row.format)
        .ok_or_else(|| failed(format!("this release does not know the format {}", row.format)))?;
    formats::compile(format, &row.source).map_err(|problems| {
        let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
        failed(messages.join("; "))
    })
}

/// Opaque tokens that the store knows by their digests.
struct Tokens {
    store: Store,
    clock: Arc<PgClock>,
}

#[async_trait]
impl Authenticator for Tokens {
    async fn authenticate(
        &self,
        organization: &str,
        token: &Secret<String>,
    ) -> Result<Principal, AuthenticationError> {
        let found = self
            .store
            .principal_by_token(organization, token, self.clock.now())
            .await;
        found.map_err(unavailable)?.ok_or(AuthenticationError::Refused)
    }

    async fn only_organization(&self) -> Result<Option<String>, AuthenticationError> {
        self.store.only_organization().await.map_err(unavailable)
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is what a failed look-up is mapped by"
)]
fn unavailable(error: store_pg::Error) -> AuthenticationError {
    tracing::warn!("a caller could not be looked up: {}", crate::explain(&error));
    AuthenticationError::Unavailable
}
