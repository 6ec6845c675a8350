//! Organizations, people, groups and agents.

use base::{AgentId, AgentRights, GroupId, OrganizationId, PersonId, PersonRole, Scope, Timestamp};

use crate::connect::ask;
use crate::{Error, Store, directory_change, words};

impl Store {
    /// Creates an organization; `name` stands in its addresses.
    pub async fn create_organization(
        &self,
        organization: OrganizationId,
        name: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.write(organization).await?;
        sqlx::query(
            "insert into organizations (organization, name, operators_group, created_at) values ($1, $2, $3, $4)",
        )
        .bind(organization.to_string())
        .bind(name)
        .bind(GroupId::new(organization.ulid()).to_string())
        .bind(now.as_millis())
        .execute(&mut *transaction)
        .await
        .map_err(Error::or_taken("organization"))?;
        Ok(transaction.commit().await?)
    }

    /// The organization with this name.
    pub async fn organization_by_name(&self, name: &str) -> Result<Option<OrganizationId>, Error> {
        let (found,): (Option<String>,) = sqlx::query_as("select find_organization($1)")
            .bind(name)
            .fetch_one(&self.readers)
            .await?;
        found.map(|id| words::parse(&id, "an organization")).transpose()
    }

    /// The name of the only organization, if there is exactly one.
    pub async fn only_organization(&self) -> Result<Option<String>, Error> {
        let (name,): (Option<String>,) = ask(async || {
            let found = sqlx::query_as("select only_organization()")
                .fetch_one(&self.readers)
                .await?;
            Ok(found)
        })
        .await?;
        Ok(name)
    }

    /// Adds a member.
    pub async fn add_person(
        &self,
        organization: OrganizationId,
        person: PersonId,
        (email, role): (&str, PersonRole),
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.write(organization).await?;
        directory_change::begin(&mut transaction, organization).await?;
        sqlx::query(
            "insert into people (organization, person, email, email_lower, role, created_at)
             values ($1, $2, $3, $4, $5, $6)",
        )
        .bind(organization.to_string())
        .bind(person.to_string())
        .bind(email)
        .bind(email.to_lowercase())
        .bind(words::role_word(role))
        .bind(now.as_millis())
        .execute(&mut *transaction)
        .await
        .map_err(Error::or_taken("person"))?;
        if role >= PersonRole::Operator {
            directory_change::note_operators(&mut transaction, organization).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Adds a group without members.
    pub async fn add_group(
        &self,
        organization: OrganizationId,
        group: GroupId,
        name: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.write(organization).await?;
        sqlx::query("insert into groups (organization, group_id, name, created_at) values ($1, $2, $3, $4)")
            .bind(organization.to_string())
            .bind(group.to_string())
            .bind(name)
            .bind(now.as_millis())
            .execute(&mut *transaction)
            .await
            .map_err(Error::or_taken("group"))?;
        Ok(transaction.commit().await?)
    }

    /// The group with this name.
    pub async fn group_by_name(
        &self,
        organization: OrganizationId,
        name: &str,
    ) -> Result<Option<GroupId>, Error> {
        let mut transaction = self.read(organization).await?;
        let found: Option<(String,)> =
            sqlx::query_as("select group_id from groups where organization = $1 and name = $2")
                .bind(organization.to_string())
                .bind(name)
                .fetch_optional(&mut *transaction)
                .await?;
        transaction.commit().await?;
        found.map(|(id,)| words::parse(&id, "a group")).transpose()
    }

    /// Puts a member into a group; nothing happens when it is in it.
    pub async fn add_to_group(
        &self,
        organization: OrganizationId,
        group: GroupId,
        person: PersonId,
    ) -> Result<(), Error> {
        let mut transaction = self.write(organization).await?;
        directory_change::begin(&mut transaction, organization).await?;
        sqlx::query(
            "insert into group_members (organization, group_id, person) values ($1, $2, $3) on conflict do nothing",
        )
        .bind(organization.to_string())
        .bind(group.to_string())
        .bind(person.to_string())
        .execute(&mut *transaction)
        .await?;
        directory_change::note_group(&mut transaction, organization, group).await?;
        Ok(transaction.commit().await?)
    }

    /// Takes a member out of a group.
    pub async fn remove_from_group(
        &self,
        organization: OrganizationId,
        group: GroupId,
        person: PersonId,
    ) -> Result<(), Error> {
        let mut transaction = self.write(organization).await?;
        directory_change::begin(&mut transaction, organization).await?;
        sqlx::query("delete from group_members where organization = $1 and group_id = $2 and person = $3")
            .bind(organization.to_string())
            .bind(group.to_string())
            .bind(person.to_string())
            .execute(&mut *transaction)
            .await?;
        directory_change::note_group(&mut transaction, organization, group).await?;
        Ok(transaction.commit().await?)
    }

    /// Adds an agent.
    pub async fn add_agent(
        &self,
        organization: OrganizationId,
        agent: AgentId,
        (name, rights): (&str, &AgentRights),
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.write(organization).await?;
        sqlx::query(
            "insert into agents (organization, agent, name, start_processes, work_processes, created_at)
             values ($1, $2, $3, $4, $5, $6)",
        )
        .bind(organization.to_string())
        .bind(agent.to_string())
        .bind(name)
        .bind(processes(&rights.start))
        .bind(processes(&rights.work))
        .bind(now.as_millis())
        .execute(&mut *transaction)
        .await
        .map_err(Error::or_taken("agent"))?;
        Ok(transaction.commit().await?)
    }
}

/// Null stands for all of them.
fn processes(scope: &Scope) -> Option<Vec<&str>> {
    match scope {
        Scope::All => None,
        Scope::Processes(names) => Some(names.iter().map(String::as_str).collect()),
    }
}
