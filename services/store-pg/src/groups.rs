//! Groups and who is in them.

use async_trait::async_trait;
use base::{GroupId, Name, OrganizationId, PersonId, Timestamp};
use run_ports::limits::{GROUP_MEMBERS_MAX, GROUPS_MAX, MEMBER_GROUPS_MAX};
use run_ports::{ChangeError, Entries, Group, Groups, NewGroup, OPERATORS_NAME, Page, PortError, RoleUse};
use sqlx::{FromRow, PgConnection};

use crate::change::{self, Failure, change};
use crate::connect::ask;
use crate::members::{self, GroupIds};
use crate::{Error, Store, directory_change, page, words};

const WHAT: &str = "a group";
/// More roles than these are not told when a group cannot be deleted.
const USES_TOLD: i64 = 100;

#[derive(FromRow)]
struct Row {
    group_id: String,
    name: String,
    created_at: i64,
    members: i64,
}

#[async_trait]
impl Groups for Store {
    async fn list_groups(
        &self,
        organization: OrganizationId,
        page: &Page<GroupId>,
    ) -> Result<Entries<Group>, PortError> {
        Ok(ask(|| list(self, organization, page)).await?)
    }

    async fn find_group(
        &self,
        organization: OrganizationId,
        group: GroupId,
    ) -> Result<Option<Group>, PortError> {
        Ok(ask(|| find(self, organization, group)).await?)
    }

    async fn create_group(&self, organization: OrganizationId, new: NewGroup) -> Result<(), ChangeError> {
        change(create(self, organization, new)).await
    }

    async fn rename_group(
        &self,
        organization: OrganizationId,
        group: GroupId,
        name: &Name,
    ) -> Result<(), ChangeError> {
        change(rename(self, organization, group, name)).await
    }

    async fn delete_group(&self, organization: OrganizationId, group: GroupId) -> Result<(), ChangeError> {
        change(delete(self, organization, group)).await
    }

    async fn put_into_group(
        &self,
        organization: OrganizationId,
        group: GroupId,
        person: PersonId,
    ) -> Result<(), ChangeError> {
        change(put(self, organization, group, person)).await
    }

    async fn take_from_group(
        &self,
        organization: OrganizationId,
        group: GroupId,
        person: PersonId,
    ) -> Result<(), ChangeError> {
        change(take(self, organization, group, person)).await
    }
}

async fn list(
    store: &Store,
    organization: OrganizationId,
    page: &Page<GroupId>,
) -> Result<Entries<Group>, Error> {
    let mut transaction = store.read(organization).await?;
    let rows: Vec<Row> = sqlx::query_as(
        "select g.group_id, g.name, g.created_at,
             (select count(*) from group_members m where m.organization = $1 and m.group_id = g.group_id) as members
         from groups g
         where g.organization = $1 and g.group_id > $2
         order by g.group_id
         limit $3 + 1",
    )
    .bind(organization.to_string())
    .bind(page.after.map(|group| group.to_string()).unwrap_or_default())
    .bind(page::rows(page.limit))
    .fetch_all(&mut *transaction)
    .await?;
    transaction.commit().await?;
    change::entries(rows, page.limit)
}

async fn find(store: &Store, organization: OrganizationId, group: GroupId) -> Result<Option<Group>, Error> {
    let mut transaction = store.read(organization).await?;
    let row: Option<Row> = sqlx::query_as(include_str!("../sql/find_group.sql"))
        .bind(organization.to_string())
        .bind(group.to_string())
        .bind(OPERATORS_NAME)
        .fetch_optional(&mut *transaction)
        .await?;
    transaction.commit().await?;
    row.map(Group::try_from).transpose()
}

async fn create(store: &Store, organization: OrganizationId, new: NewGroup) -> Result<(), Failure> {
    const COUNT: &str = "select count(*) from groups where organization = $1";
    let mut transaction = change::begin(store, organization).await?;
    change::refuse_more(&mut transaction, organization, COUNT, (GROUPS_MAX, "groups")).await?;
    refuse_the_operators_name(&new.name)?;
    sqlx::query("insert into groups (organization, group_id, name, created_at) values ($1, $2, $3, $4)")
        .bind(organization.to_string())
        .bind(new.id.to_string())
        .bind(new.name.as_str())
        .bind(new.created_at.as_millis())
        .execute(&mut *transaction)
        .await
        .map_err(Error::or_taken("group"))?;
    Ok(transaction.commit().await?)
}

async fn rename(
    store: &Store,
    organization: OrganizationId,
    group: GroupId,
    name: &Name,
) -> Result<(), Failure> {
    let mut transaction = change::begin(store, organization).await?;
    check(&mut transaction, organization, group).await?;
    refuse_the_operators_name(name)?;
    sqlx::query("update groups set name = $3 where organization = $1 and group_id = $2")
        .bind(organization.to_string())
        .bind(group.to_string())
        .bind(name.as_str())
        .execute(&mut *transaction)
        .await
        .map_err(Error::or_taken("group"))?;
    Ok(transaction.commit().await?)
}

async fn delete(store: &Store, organization: OrganizationId, group: GroupId) -> Result<(), Failure> {
    let mut transaction = change::begin(store, organization).await?;
    check(&mut transaction, organization, group).await?;
    let uses: Vec<(String, String)> = sqlx::query_as(
        "select process, role from role_mappings where organization = $1 and group_id = $2
         order by process, role limit $3",
    )
    .bind(organization.to_string())
    .bind(group.to_string())
    .bind(USES_TOLD)
    .fetch_all(&mut *transaction)
    .await?;
    if !uses.is_empty() {
        let uses = uses.into_iter().map(|(process, role)| RoleUse { process, role });
        return Err(ChangeError::InUse(uses.collect()).into());
    }
    for sql in [
        "delete from group_members where organization = $1 and group_id = $2",
        "delete from groups where organization = $1 and group_id = $2",
    ] {
        sqlx::query(sql)
            .bind(organization.to_string())
            .bind(group.to_string())
            .execute(&mut *transaction)
            .await?;
    }
    Ok(transaction.commit().await?)
}

async fn put(
    store: &Store,
    organization: OrganizationId,
    group: GroupId,
    person: PersonId,
) -> Result<(), Failure> {
    let mut transaction = change::begin(store, organization).await?;
    check(&mut transaction, organization, group).await?;
    members::role(&mut transaction, organization, person).await?;
    let before = of_member(&mut transaction, organization, person).await?;
    if before.contains(&group) {
        return Ok(());
    }
    if before.len() >= MEMBER_GROUPS_MAX {
        let (what, most) = ("groups of this member", MEMBER_GROUPS_MAX);
        return Err(ChangeError::Full { what, most }.into());
    }
    put_in(&mut transaction, organization, group, person).await?;
    Ok(transaction.commit().await?)
}

async fn take(
    store: &Store,
    organization: OrganizationId,
    group: GroupId,
    person: PersonId,
) -> Result<(), Failure> {
    let mut transaction = change::begin(store, organization).await?;
    check(&mut transaction, organization, group).await?;
    members::role(&mut transaction, organization, person).await?;
    take_out(&mut transaction, organization, group, person).await?;
    Ok(transaction.commit().await?)
}

/// Refused when there is no such group, or when it is the operators'.
async fn check(
    connection: &mut PgConnection,
    organization: OrganizationId,
    group: GroupId,
) -> Result<(), Failure> {
    let (is_there, is_operators): (bool, bool) = sqlx::query_as(
        "select exists (select from groups where organization = $1 and group_id = $2),
             exists (select from organizations where organization = $1 and operators_group = $2)",
    )
    .bind(organization.to_string())
    .bind(group.to_string())
    .fetch_one(connection)
    .await?;
    match (is_there, is_operators) {
        (_, true) => Err(ChangeError::OperatorsGroup.into()),
        (false, false) => Err(ChangeError::NotFound { what: "group" }.into()),
        (true, false) => Ok(()),
    }
}

fn refuse_the_operators_name(name: &Name) -> Result<(), ChangeError> {
    if name.as_str() == OPERATORS_NAME {
        Err(ChangeError::Taken { what: "group" })
    } else {
        Ok(())
    }
}

/// The groups with these names; refused when some do not exist.
pub(crate) async fn ids(
    connection: &mut PgConnection,
    organization: OrganizationId,
    names: &[Name],
) -> Result<GroupIds, Failure> {
    let found: Vec<(String, String)> =
        sqlx::query_as("select name, group_id from groups where organization = $1 and name = any ($2)")
            .bind(organization.to_string())
            .bind(change::texts(names))
            .fetch_all(connection)
            .await?;
    let is_missing = |name: &&Name| found.iter().all(|(found, _)| found != name.as_str());
    let missing: Vec<Name> = names.iter().filter(is_missing).cloned().collect();
    if !missing.is_empty() {
        return Err(ChangeError::NoSuchGroups(missing).into());
    }
    let ids = found.iter().map(|(_, id)| words::parse(id, WHAT));
    Ok(ids.collect::<Result<_, Error>>()?)
}

/// The groups that a member is in.
pub(crate) async fn of_member(
    connection: &mut PgConnection,
    organization: OrganizationId,
    person: PersonId,
) -> Result<GroupIds, Failure> {
    let found: Vec<(String,)> =
        sqlx::query_as("select group_id from group_members where organization = $1 and person = $2")
            .bind(organization.to_string())
            .bind(person.to_string())
            .fetch_all(connection)
            .await?;
    let ids = found.iter().map(|(id,)| words::parse(id, WHAT));
    Ok(ids.collect::<Result<_, Error>>()?)
}

/// Adds somebody who is a member and not in the group.
pub(crate) async fn put_in(
    connection: &mut PgConnection,
    organization: OrganizationId,
    group: GroupId,
    person: PersonId,
) -> Result<(), Failure> {
    let (found,): (i64,) =
        sqlx::query_as("select count(*) from group_members where organization = $1 and group_id = $2")
            .bind(organization.to_string())
            .bind(group.to_string())
            .fetch_one(&mut *connection)
            .await?;
    if usize::try_from(found).is_ok_and(|found| found >= GROUP_MEMBERS_MAX) {
        let (what, most) = ("members of this group", GROUP_MEMBERS_MAX);
        return Err(ChangeError::Full { what, most }.into());
    }
    sqlx::query("insert into group_members (organization, group_id, person) values ($1, $2, $3)")
        .bind(organization.to_string())
        .bind(group.to_string())
        .bind(person.to_string())
        .execute(&mut *connection)
        .await?;
    Ok(directory_change::note_group(connection, organization, group).await?)
}

/// Takes somebody out who may be in the group.
pub(crate) async fn take_out(
    connection: &mut PgConnection,
    organization: OrganizationId,
    group: GroupId,
    person: PersonId,
) -> Result<(), Failure> {
    sqlx::query("delete from group_members where organization = $1 and group_id = $2 and person = $3")
        .bind(organization.to_string())
        .bind(group.to_string())
        .bind(person.to_string())
        .execute(&mut *connection)
        .await?;
    Ok(directory_change::note_group(connection, organization, group).await?)
}

/// The group with this name.
pub(crate) async fn by_name(
    store: &Store,
    organization: OrganizationId,
    name: &str,
) -> Result<Option<GroupId>, Error> {
    let mut transaction = store.read(organization).await?;
    let found: Option<(String,)> =
        sqlx::query_as("select group_id from groups where organization = $1 and name = $2")
            .bind(organization.to_string())
            .bind(name)
            .fetch_optional(&mut *transaction)
            .await?;
    transaction.commit().await?;
    found.map(|(id,)| words::parse(&id, WHAT)).transpose()
}

impl TryFrom<Row> for Group {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: words::parse(&row.group_id, WHAT)?,
            name: row.name,
            members: words::unsigned(row.members, WHAT)?,
            created_at: Timestamp::from_millis(row.created_at),
        })
    }
}
