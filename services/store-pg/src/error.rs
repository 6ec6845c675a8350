//! What can go wrong with a database.

use run_ports::PortError;
use sqlx::postgres::{PgDatabaseError, PgSeverity};

/// Why the database did not do as it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is not reachable, too busy, or refused: the same call may succeed later.
    #[error("the database did not answer")]
    Database(#[from] sqlx::Error),
    /// It did not answer in time.
    #[error("the database did not answer in time")]
    TimedOut,
    /// It has not the schema of this release and could not be brought to it.
    #[error("the database could not be migrated")]
    Migration(#[source] sqlx::migrate::MigrateError),
    /// A name, an address or a token is in use already.
    #[error("this {what} exists already")]
    Taken {
        /// What it is.
        what: &'static str,
    },
    /// Only a database with the mark of `baton dev` has a clock that can be moved.
    #[error("this database was not made for development")]
    NotForDevelopment,
    /// A row holds what this release cannot read.
    #[error("stored data of {what} cannot be read")]
    Corrupt {
        /// Which row.
        what: String,
        /// Why not.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl Error {
    /// The error of a row that cannot be read.
    pub(crate) fn corrupt(
        what: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Corrupt {
            what: what.into(),
            source: source.into(),
        }
    }

    /// Whether the connection was dead or died on the way, as opposed to an answer or to no connection at all.
    pub(crate) fn is_lost_connection(&self) -> bool {
        match self {
            Self::Database(sqlx::Error::Io(_)) => true,
            Self::Database(sqlx::Error::Database(found)) => found
                .try_downcast_ref::<PgDatabaseError>()
                .is_some_and(|found| found.severity() == PgSeverity::Fatal),
            _ => false,
        }
    }

    /// `Taken` for a unique key that is in use, the error itself otherwise.
    pub(crate) fn or_taken(what: &'static str) -> impl FnOnce(sqlx::Error) -> Self {
        move |error| match error.as_database_error() {
            Some(found) if found.is_unique_violation() => Self::Taken { what },
            _ => error.into(),
        }
    }
}

impl From<Error> for PortError {
    fn from(error: Error) -> Self {
        match error {
            Error::Corrupt { what, source } => Self::Corrupt { what, source },
            other => Self::Unavailable(Box::new(other)),
        }
    }
}
