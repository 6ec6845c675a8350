//! What is true of the whole database: who made it, and how far its clock is ahead.

use std::time::Duration;

use base::{Secret, Timestamp};
use sqlx::{Connection, Row};

use crate::connect::connect_as_given;
use crate::{Error, Store};

/// A look at the database's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClockSample {
    /// What it shows, in microseconds since 1970.
    pub(crate) micros: i64,
    /// How far time travel has gone.
    pub(crate) offset_millis: i64,
}

/// Reads the clock and the offset.
pub(crate) async fn sample(store: &Store) -> Result<ClockSample, sqlx::Error> {
    let row = sqlx::query(
        "select (extract(epoch from clock_timestamp()) * 1000000)::bigint, clock_offset_millis from instance",
    )
    .fetch_one(&store.readers)
    .await?;
    Ok(ClockSample {
        micros: row.try_get(0)?,
        offset_millis: row.try_get(1)?,
    })
}

impl Store {
    /// The mark that `baton dev` has put on the database, if it is one of its own.
    pub async fn dev_mark(&self) -> Result<Option<String>, Error> {
        let (mark,) = sqlx::query_as("select dev_mark from instance")
            .fetch_one(&self.readers)
            .await?;
        Ok(mark)
    }

    /// How far the clock of this database is ahead.
    pub async fn clock_offset(&self) -> Result<Duration, Error> {
        let sample = sample(self).await?;
        Ok(Duration::from_millis(
            u64::try_from(sample.offset_millis).unwrap_or(0),
        ))
    }

    /// Moves the clock of this database on, for all of its servers. They hear of it at once.
    pub async fn advance_clock(&self, by: Duration) -> Result<Duration, Error> {
        let by_millis = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        let moved: Option<(i64,)> = sqlx::query_as(include_str!("../sql/advance_clock.sql"))
            .bind(by_millis)
            .bind(Timestamp::MAX.as_millis())
            .bind(CLOCK_MOVED)
            .fetch_optional(&self.readers)
            .await?;
        let (offset,) = moved.ok_or(Error::NotForDevelopment)?;
        Ok(Duration::from_millis(u64::try_from(offset).unwrap_or(0)))
    }
}

/// The channel on which servers hear that the clock was moved.
pub(crate) const CLOCK_MOVED: &str = "baton_clock_moved";

/// What stands in a database that somebody wants to use for development.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Database {
    /// Nothing of anybody.
    Empty,
    /// The schema, with the mark of whoever made it.
    Marked(String),
    /// Something else, or the schema and no mark: people may depend on it.
    Unmarked,
}

/// Whether the schema is there, and whether nothing is.
const LOOK: &str = "select to_regclass('public.instance') is not null, not exists (
    select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname <> 'information_schema' and nspname !~ '^pg_'
)";

impl Database {
    /// Looks before anything is migrated.
    pub async fn look(url: &Secret<String>) -> Result<Self, Error> {
        let mut connection = connect_as_given(url).await?;
        let (is_ours, is_empty): (bool, bool) = sqlx::query_as(LOOK).fetch_one(&mut connection).await?;
        let found = if is_ours {
            let (mark,): (Option<String>,) = sqlx::query_as("select dev_mark from public.instance")
                .fetch_one(&mut connection)
                .await?;
            mark.map_or(Self::Unmarked, Self::Marked)
        } else if is_empty {
            Self::Empty
        } else {
            Self::Unmarked
        };
        connection.close().await?;
        Ok(found)
    }

    /// Puts the mark on a database that has been migrated just now. The first mark stays.
    pub async fn mark(url: &Secret<String>, mark: &str) -> Result<(), Error> {
        let mut connection = connect_as_given(url).await?;
        sqlx::query("update public.instance set dev_mark = $1 where dev_mark is null")
            .bind(mark)
            .execute(&mut connection)
            .await?;
        connection.close().await?;
        Ok(())
    }
}
