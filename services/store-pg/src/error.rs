//! What can go wrong with a database.

use std::fmt;

use run_ports::PortError;
use sqlx::postgres::{PgDatabaseError, PgSeverity};

use crate::POSTGRES_MAJOR_MIN;

/// Why the database did not do as it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is not reachable, too busy, or refused: the same call may succeed later.
    #[error("the database did not answer")]
    Database(#[from] sqlx::Error),
    /// It did not answer in time.
    #[error("the database did not answer in time")]
    TimedOut,
    /// It lacks what the schema is made with.
    #[error("this database is PostgreSQL {major}, and Baton needs PostgreSQL {POSTGRES_MAJOR_MIN} or later")]
    TooOld {
        /// Its major version.
        major: u32,
    },
    /// Its login cannot make the roles, or they are there and not granted to it.
    #[error(
        "the roles of Baton are missing and this login may not create them, or it is no member of their owner. An \
         administrator mends that with `create role` for each of baton_owner, baton_app and baton_keeper that is missing, and \
         with `grant baton_owner to` this login"
    )]
    Roles(#[source] sqlx::Error),
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

/// Here the causes are logged, once: whoever gets the error can only come again.
impl From<Error> for PortError {
    fn from(error: Error) -> Self {
        match error {
            Error::Corrupt { what, source } => Self::Corrupt { what, source },
            other => {
                tracing::warn!("the store is not available: {}", Causes(&other));
                Self::Unavailable(Box::new(other))
            }
        }
    }
}

/// An error and its causes for the log. Of the database's it is the SQLSTATE and what it says, without details, which quote rows.
#[derive(Debug)]
pub(crate) struct Causes<'a>(pub(crate) &'a (dyn std::error::Error + 'static));

/// Messages of this class quote values of the statement.
const DATA_EXCEPTION: &str = "22";

impl fmt::Display for Causes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut next = Some(self.0);
        let mut before = "";
        while let Some(error) = next {
            f.write_str(before)?;
            before = ": ";
            if let Some(sqlx::Error::Database(found)) = error.downcast_ref() {
                let code = found.code().unwrap_or_default();
                write!(f, "SQLSTATE {code}")?;
                if !code.starts_with(DATA_EXCEPTION) {
                    write!(f, ", {}", found.message())?;
                }
                return Ok(());
            }
            write!(f, "{error}")?;
            next = error.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use sqlx::error::{DatabaseError, ErrorKind};

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("somebody said {message:?}")]
    struct Said {
        code: &'static str,
        message: &'static str,
    }

    impl DatabaseError for Said {
        fn message(&self) -> &str {
            self.message
        }

        fn code(&self) -> Option<std::borrow::Cow<'_, str>> {
            Some(self.code.into())
        }

        fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
            self
        }

        fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
            self
        }

        fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
            self
        }

        fn kind(&self) -> ErrorKind {
            ErrorKind::Other
        }
    }

    fn said(code: &'static str, message: &'static str) -> Error {
        sqlx::Error::Database(Box::new(Said { code, message })).into()
    }

    #[test]
    fn causes_are_told_without_values() {
        for (error, wanted) in [
            (
                said("57014", "canceling statement due to statement timeout"),
                "the database did not answer: SQLSTATE 57014, canceling statement due to statement timeout",
            ),
            (
                said("22P02", "invalid input syntax for type bigint: \"secret\""),
                "the database did not answer: SQLSTATE 22P02",
            ),
            (
                sqlx::Error::Io(std::io::Error::other("connection refused")).into(),
                "the database did not answer: error communicating with database: connection refused: connection refused",
            ),
            (Error::TimedOut, "the database did not answer in time"),
        ] {
            assert_eq!(Causes(&error).to_string(), wanted);
        }
    }
}
