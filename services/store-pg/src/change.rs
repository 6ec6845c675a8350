//! Changes that admins make: one transaction each, refused or made.

use base::{Name, OrganizationId};
use run_ports::{ChangeError, Entries};
use sqlx::{PgConnection, Postgres, Transaction};

use crate::connect::timely;
use crate::{Error, Store, directory_change};

/// Why a change was not made.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It may not be.
    Refused(ChangeError),
    /// The database did not do it.
    Failed(Error),
}

impl From<ChangeError> for Failure {
    fn from(refusal: ChangeError) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Taken { what } => Self::Refused(ChangeError::Taken { what }),
            other => Self::Failed(other),
        }
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Makes a change in time.
pub(crate) async fn change(work: impl Future<Output = Result<(), Failure>>) -> Result<(), ChangeError> {
    let outcome = timely(async {
        match work.await {
            Ok(()) => Ok(Ok(())),
            Err(Failure::Refused(refusal)) => Ok(Err(refusal)),
            Err(Failure::Failed(error)) => Err(error),
        }
    });
    outcome
        .await
        .unwrap_or_else(|error| Err(ChangeError::Store(error.into())))
}

/// A transaction that changes who is who: only one at a time in an organization, so that what it counts stays true.
pub(crate) async fn begin(
    store: &Store,
    organization: OrganizationId,
) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    let mut transaction = store.write(organization).await?;
    directory_change::begin(&mut transaction, organization).await?;
    Ok(transaction)
}

/// Refuses one more of something when there are as many as there may be. `count` takes the organization.
pub(crate) async fn refuse_more(
    connection: &mut PgConnection,
    organization: OrganizationId,
    count: &'static str,
    (most, what): (usize, &'static str),
) -> Result<(), Failure> {
    let (found,): (i64,) = sqlx::query_as(count)
        .bind(organization.to_string())
        .fetch_one(connection)
        .await?;
    if usize::try_from(found).is_ok_and(|found| found < most) {
        Ok(())
    } else {
        Err(ChangeError::Full { what, most }.into())
    }
}

/// What the database found, one more than a page when there are more.
pub(crate) fn entries<R, T: TryFrom<R, Error = Error>>(
    mut rows: Vec<R>,
    limit: usize,
) -> Result<Entries<T>, Error> {
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    let entries = rows.into_iter().map(T::try_from).collect::<Result<_, _>>()?;
    Ok(Entries { entries, has_more })
}

/// Names as the database takes them.
pub(crate) fn texts(names: &[Name]) -> Vec<&str> {
    names.iter().map(Name::as_str).collect()
}
