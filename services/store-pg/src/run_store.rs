//! The run store: the port, and nothing else.

use std::sync::Arc;

use async_trait::async_trait;
use base::{OrganizationId, RequestId, RunId};
use run_ports::{Commit, CommitVerdict, Journal, Look, PortError, RunStore};

use crate::committer::{Encoded, LaneError, Outcome};
use crate::connect::ask;
use crate::{Error, Store, journal, requests, words};

#[async_trait]
impl RunStore for Store {
    async fn journal(
        &self,
        organization: OrganizationId,
        run: RunId,
        after: u64,
    ) -> Result<Option<Journal>, PortError> {
        Ok(ask(|| journal::read(self, organization, run, after)).await?)
    }

    async fn journal_settled(
        &self,
        organization: OrganizationId,
        run: RunId,
        after: u64,
    ) -> Result<Option<Journal>, PortError> {
        Ok(ask(|| journal::read_settled(self, organization, run, after)).await?)
    }

    async fn look(
        &self,
        organization: OrganizationId,
        request: Option<&RequestId>,
        run: Option<RunId>,
    ) -> Result<Look, PortError> {
        Ok(ask(|| requests::look(self, organization, request, run)).await?)
    }

    async fn commit(&self, commit: Commit) -> CommitVerdict {
        let organization = commit.organization;
        let request = commit.request.as_ref().map(|new| new.key.id.clone());
        let encoded = match Encoded::of(commit) {
            Ok(encoded) => encoded,
            Err(source) => return CommitVerdict::Unavailable(Error::corrupt("a write", source).into()),
        };
        match self.committer.write(encoded).await {
            Outcome::Committed => CommitVerdict::Committed,
            Outcome::Conflict => CommitVerdict::Conflict,
            Outcome::Outdated => CommitVerdict::Outdated,
            Outcome::Taken => taken(self, organization, request).await,
            Outcome::Unknown(error) => CommitVerdict::Unknown(unavailable(error)),
            Outcome::Unavailable(error) => CommitVerdict::Unavailable(unavailable(error)),
        }
    }

    async fn due_runs(
        &self,
        until_millis: i64,
        limit: usize,
    ) -> Result<Vec<(OrganizationId, RunId)>, PortError> {
        let rows = ask(|| due(self, until_millis, limit)).await?;
        let pair = |(organization, run): (String, String)| {
            Ok((
                words::parse(&organization, "a run")?,
                words::parse(&run, "a run")?,
            ))
        };
        rows.into_iter().map(pair).collect()
    }
}

async fn due(store: &Store, until_millis: i64, limit: usize) -> Result<Vec<(String, String)>, Error> {
    let rows = sqlx::query_as(include_str!("../sql/due_runs.sql"))
        .bind(until_millis)
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&store.keepers)
        .await?;
    Ok(rows)
}

/// Whoever wrote the request has committed: the committer waited for that.
async fn taken(store: &Store, organization: OrganizationId, request: Option<RequestId>) -> CommitVerdict {
    match ask(|| requests::look(store, organization, request.as_ref(), None)).await {
        Ok(Look {
            request: Some(row), ..
        }) => CommitVerdict::RequestTaken(row),
        Ok(_) => CommitVerdict::Unavailable(unavailable(Arc::new(LaneError::NoVerdict))),
        Err(error) => CommitVerdict::Unavailable(error.into()),
    }
}

fn unavailable(error: Arc<LaneError>) -> PortError {
    PortError::Unavailable(Box::new(error))
}
