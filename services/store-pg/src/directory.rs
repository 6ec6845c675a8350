//! Who is who, and the lists that tools show.

use async_trait::async_trait;
use base::{AgentId, GroupId, OrganizationId, PersonId, RunId, Scope, Timestamp};
use run_core::StepId;
use run_core::event::Assigned;
use run_ports::{
    Directory, ItemPage, ItemReader, OfferPage, PageOf, PortError, ProcessPage, RunFilter, RunPage,
    WorkQueries,
};

use crate::connect::ask;
use crate::{Error, Store, groups, items, offers, runs, versions, words};

#[async_trait]
impl Directory for Store {
    async fn revision(&self, organization: OrganizationId) -> Result<u64, PortError> {
        Ok(ask(|| revision(self, organization)).await?)
    }

    async fn member(&self, organization: OrganizationId, email: &str) -> Result<Option<PersonId>, PortError> {
        Ok(ask(|| member(self, organization, email)).await?)
    }

    async fn role(
        &self,
        organization: OrganizationId,
        process: &str,
        role: &str,
    ) -> Result<Option<Assigned>, PortError> {
        Ok(ask(|| role_group(self, organization, process, role)).await?)
    }

    async fn operators(&self, organization: OrganizationId) -> Result<Assigned, PortError> {
        Ok(ask(|| operators(self, organization)).await?)
    }

    async fn group(&self, organization: OrganizationId, name: &str) -> Result<Option<GroupId>, PortError> {
        Ok(ask(|| groups::by_name(self, organization, name)).await?)
    }

    /// No tool uploads files yet, so there are none.
    async fn file(
        &self,
        _organization: OrganizationId,
        _reference: &str,
    ) -> Result<Option<String>, PortError> {
        Ok(None)
    }
}

#[async_trait]
impl WorkQueries for Store {
    async fn offers(
        &self,
        organization: OrganizationId,
        reader: (AgentId, &Scope),
        page: &PageOf<(Timestamp, RunId, StepId)>,
        now: Timestamp,
    ) -> Result<OfferPage, PortError> {
        Ok(ask(|| offers::list(self, organization, reader, page, now)).await?)
    }

    async fn items(
        &self,
        organization: OrganizationId,
        reader: ItemReader,
        page: &PageOf<(Timestamp, RunId, u32)>,
    ) -> Result<ItemPage, PortError> {
        Ok(ask(|| items::list(self, organization, reader, page)).await?)
    }

    async fn processes(
        &self,
        organization: OrganizationId,
        page: &PageOf<String>,
    ) -> Result<ProcessPage, PortError> {
        Ok(ask(|| versions::latest(self, organization, page)).await?)
    }

    async fn runs(
        &self,
        organization: OrganizationId,
        filter: &RunFilter,
        page: &PageOf<(Timestamp, RunId)>,
    ) -> Result<RunPage, PortError> {
        Ok(ask(|| runs::list(self, organization, filter, page)).await?)
    }
}

async fn revision(store: &Store, organization: OrganizationId) -> Result<u64, Error> {
    let revision: Option<i64> = sqlx::query_scalar("select directory_revision($1)")
        .bind(organization.to_string())
        .fetch_one(&store.readers)
        .await?;
    words::unsigned(revision.ok_or(sqlx::Error::RowNotFound)?, "an organization")
}

async fn member(store: &Store, organization: OrganizationId, email: &str) -> Result<Option<PersonId>, Error> {
    let mut transaction = store.read(organization).await?;
    let found: Option<(String,)> = sqlx::query_as(
        "select person from people where organization = $1 and email_lower = $2 and removed_at is null",
    )
    .bind(organization.to_string())
    .bind(email.to_lowercase())
    .fetch_optional(&mut *transaction)
    .await?;
    transaction.commit().await?;
    found
        .map(|(person,)| words::parse(&person, "a person"))
        .transpose()
}

async fn role_group(
    store: &Store,
    organization: OrganizationId,
    process: &str,
    role: &str,
) -> Result<Option<Assigned>, Error> {
    let row: Option<(String, Vec<String>)> =
        sqlx::query_as("select group_id, members from group_of_role($1, $2, $3)")
            .bind(organization.to_string())
            .bind(process)
            .bind(role)
            .fetch_optional(&store.readers)
            .await?;
    row.map(assigned).transpose()
}

async fn operators(store: &Store, organization: OrganizationId) -> Result<Assigned, Error> {
    let row: (String, Vec<String>) = sqlx::query_as("select group_id, members from group_of_operators($1)")
        .bind(organization.to_string())
        .fetch_one(&store.readers)
        .await?;
    assigned(row)
}

fn assigned((group, members): (String, Vec<String>)) -> Result<Assigned, Error> {
    let members = members.iter().map(|member| words::parse(member, "a group"));
    Ok(Assigned::Group {
        group: words::parse(&group, "a group")?,
        members: members.collect::<Result<_, _>>()?,
    })
}
