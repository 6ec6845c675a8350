//! Members.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use base::{EmailAddress, GroupId, Name, OrganizationId, PersonId, PersonRole, Timestamp};
use run_ports::limits::{MEMBER_GROUPS_MAX, MEMBERS_MAX};
use run_ports::{
    ChangeError, Entries, Member, MemberChange, MemberFilter, Members, NewMember, Page, PortError,
};
use sqlx::{FromRow, PgConnection};

use crate::change::{self, Failure, change};
use crate::connect::ask;
use crate::{Error, Store, directory_change, groups, page, words};

const WHAT: &str = "a person";

#[derive(FromRow)]
struct Row {
    person: String,
    email: String,
    role: String,
    created_at: i64,
    groups: Vec<String>,
}

#[async_trait]
impl Members for Store {
    async fn list_members(
        &self,
        organization: OrganizationId,
        filter: &MemberFilter,
        page: &Page<String>,
    ) -> Result<Entries<Member>, PortError> {
        Ok(ask(|| list(self, organization, filter, page)).await?)
    }

    async fn find_member(
        &self,
        organization: OrganizationId,
        person: PersonId,
    ) -> Result<Option<Member>, PortError> {
        Ok(ask(|| find(self, organization, person)).await?)
    }

    async fn addresses(
        &self,
        organization: OrganizationId,
        people: &[PersonId],
    ) -> Result<BTreeMap<PersonId, String>, PortError> {
        Ok(ask(|| addresses(self, organization, people)).await?)
    }

    async fn add_member(&self, organization: OrganizationId, new: NewMember) -> Result<(), ChangeError> {
        change(add(self, organization, new)).await
    }

    async fn change_member(
        &self,
        organization: OrganizationId,
        person: PersonId,
        changes: MemberChange,
    ) -> Result<(), ChangeError> {
        change(alter(self, organization, person, changes)).await
    }

    async fn remove_member(
        &self,
        organization: OrganizationId,
        person: PersonId,
        now: Timestamp,
    ) -> Result<(), ChangeError> {
        change(remove(self, organization, person, now)).await
    }
}

async fn list(
    store: &Store,
    organization: OrganizationId,
    filter: &MemberFilter,
    page: &Page<String>,
) -> Result<Entries<Member>, Error> {
    let mut transaction = store.read(organization).await?;
    let rows: Vec<Row> = sqlx::query_as(include_str!("../sql/list_members.sql"))
        .bind(organization.to_string())
        .bind(page.after.as_deref().unwrap_or_default())
        .bind(filter.email.as_ref().map(EmailAddress::to_lowercase))
        .bind(filter.group.map(|group| group.to_string()))
        .bind(page::rows(page.limit))
        .fetch_all(&mut *transaction)
        .await?;
    transaction.commit().await?;
    change::entries(rows, page.limit)
}

async fn find(
    store: &Store,
    organization: OrganizationId,
    person: PersonId,
) -> Result<Option<Member>, Error> {
    let mut transaction = store.read(organization).await?;
    let row: Option<Row> = sqlx::query_as(include_str!("../sql/find_member.sql"))
        .bind(organization.to_string())
        .bind(person.to_string())
        .fetch_optional(&mut *transaction)
        .await?;
    transaction.commit().await?;
    row.map(Member::try_from).transpose()
}

async fn addresses(
    store: &Store,
    organization: OrganizationId,
    people: &[PersonId],
) -> Result<BTreeMap<PersonId, String>, Error> {
    let ids: Vec<String> = people.iter().map(ToString::to_string).collect();
    let mut transaction = store.read(organization).await?;
    let rows: Vec<(String, String)> =
        sqlx::query_as("select person, email from people where organization = $1 and person = any ($2)")
            .bind(organization.to_string())
            .bind(ids)
            .fetch_all(&mut *transaction)
            .await?;
    transaction.commit().await?;
    let addresses = rows
        .into_iter()
        .map(|(person, email)| Ok((words::parse(&person, WHAT)?, email)));
    addresses.collect()
}

async fn add(store: &Store, organization: OrganizationId, new: NewMember) -> Result<(), Failure> {
    const COUNT: &str = "select count(*) from people where organization = $1 and removed_at is null";
    let mut transaction = change::begin(store, organization).await?;
    change::refuse_more(&mut transaction, organization, COUNT, (MEMBERS_MAX, "members")).await?;
    sqlx::query(
        "insert into people (organization, person, email, email_lower, role, created_at)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(organization.to_string())
    .bind(new.id.to_string())
    .bind(new.email.as_str())
    .bind(new.email.to_lowercase())
    .bind(new.role.as_str())
    .bind(new.created_at.as_millis())
    .execute(&mut *transaction)
    .await
    .map_err(Error::or_taken("member"))?;
    if new.role.is_operator() {
        directory_change::note_operators(&mut transaction, organization).await?;
    }
    regroup(&mut transaction, organization, new.id, &new.groups).await?;
    Ok(transaction.commit().await?)
}

async fn alter(
    store: &Store,
    organization: OrganizationId,
    person: PersonId,
    changes: MemberChange,
) -> Result<(), Failure> {
    let mut transaction = change::begin(store, organization).await?;
    let before = role(&mut transaction, organization, person).await?;
    if let Some(after) = changes.role.filter(|after| *after != before) {
        if before == PersonRole::Admin {
            keep_an_admin(&mut transaction, organization, person).await?;
        }
        sqlx::query("update people set role = $3 where organization = $1 and person = $2")
            .bind(organization.to_string())
            .bind(person.to_string())
            .bind(after.as_str())
            .execute(&mut *transaction)
            .await?;
        if before.is_operator() != after.is_operator() {
            directory_change::note_operators(&mut transaction, organization).await?;
        }
    }
    if let Some(names) = changes.groups {
        regroup(&mut transaction, organization, person, &names).await?;
    }
    Ok(transaction.commit().await?)
}

async fn remove(
    store: &Store,
    organization: OrganizationId,
    person: PersonId,
    now: Timestamp,
) -> Result<(), Failure> {
    let mut transaction = change::begin(store, organization).await?;
    let before = role(&mut transaction, organization, person).await?;
    if before == PersonRole::Admin {
        keep_an_admin(&mut transaction, organization, person).await?;
    }
    regroup(&mut transaction, organization, person, &[]).await?;
    sqlx::query("delete from credentials where organization = $1 and person = $2")
        .bind(organization.to_string())
        .bind(person.to_string())
        .execute(&mut *transaction)
        .await?;
    sqlx::query("update people set removed_at = $3 where organization = $1 and person = $2")
        .bind(organization.to_string())
        .bind(person.to_string())
        .bind(now.as_millis())
        .execute(&mut *transaction)
        .await?;
    if before.is_operator() {
        directory_change::note_operators(&mut transaction, organization).await?;
    }
    Ok(transaction.commit().await?)
}

/// What a member may do now; refused when there is no such member.
pub(crate) async fn role(
    connection: &mut PgConnection,
    organization: OrganizationId,
    person: PersonId,
) -> Result<PersonRole, Failure> {
    let found: Option<(String,)> = sqlx::query_as(
        "select role from people where organization = $1 and person = $2 and removed_at is null",
    )
    .bind(organization.to_string())
    .bind(person.to_string())
    .fetch_optional(connection)
    .await?;
    let (word,) = found.ok_or(ChangeError::NotFound { what: "member" })?;
    Ok(words::parse(&word, WHAT)?)
}

/// Refused when the organization has no other admin.
async fn keep_an_admin(
    connection: &mut PgConnection,
    organization: OrganizationId,
    person: PersonId,
) -> Result<(), Failure> {
    let (is_another,): (bool,) = sqlx::query_as(
        "select exists (
             select from people
             where organization = $1 and person <> $2 and role = 'admin' and removed_at is null
         )",
    )
    .bind(organization.to_string())
    .bind(person.to_string())
    .fetch_one(connection)
    .await?;
    if is_another {
        Ok(())
    } else {
        Err(ChangeError::LastAdmin.into())
    }
}

/// Puts a member into the groups with these names and takes it out of all others.
async fn regroup(
    connection: &mut PgConnection,
    organization: OrganizationId,
    person: PersonId,
    names: &[Name],
) -> Result<(), Failure> {
    if names.len() > MEMBER_GROUPS_MAX {
        let (what, most) = ("groups of this member", MEMBER_GROUPS_MAX);
        return Err(ChangeError::Full { what, most }.into());
    }
    let after = groups::ids(connection, organization, names).await?;
    let before = groups::of_member(connection, organization, person).await?;
    for group in before.difference(&after) {
        groups::take_out(connection, organization, *group, person).await?;
    }
    for group in after.difference(&before) {
        groups::put_in(connection, organization, *group, person).await?;
    }
    Ok(())
}

impl TryFrom<Row> for Member {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: words::parse(&row.person, WHAT)?,
            email: row.email,
            role: words::parse(&row.role, WHAT)?,
            groups: row.groups,
            created_at: Timestamp::from_millis(row.created_at),
        })
    }
}

/// Groups of a member, by id.
pub(crate) type GroupIds = BTreeSet<GroupId>;
