//! Members and groups.

use std::collections::BTreeMap;

use async_trait::async_trait;
use base::{EmailAddress, GroupId, Name, OrganizationId, PersonId, PersonRole, Timestamp};

use super::{ChangeError, Entries, Page};
use crate::PortError;

/// The members of an organization.
#[async_trait]
pub trait Members: Send + Sync {
    /// Members in the order of their addresses, which never change.
    async fn list_members(
        &self,
        organization: OrganizationId,
        filter: &MemberFilter,
        page: &Page<String>,
    ) -> Result<Entries<Member>, PortError>;

    /// A member.
    async fn find_member(
        &self,
        organization: OrganizationId,
        person: PersonId,
    ) -> Result<Option<Member>, PortError>;

    /// The addresses of these people, of those that were removed too.
    async fn addresses(
        &self,
        organization: OrganizationId,
        people: &[PersonId],
    ) -> Result<BTreeMap<PersonId, String>, PortError>;

    /// Adds a member: its address is unique without case.
    async fn add_member(&self, organization: OrganizationId, new: NewMember) -> Result<(), ChangeError>;

    /// Changes what a member may do, its groups, or both.
    async fn change_member(
        &self,
        organization: OrganizationId,
        person: PersonId,
        change: MemberChange,
    ) -> Result<(), ChangeError>;

    /// Removes a member: it leaves its groups, its tokens are none any more, and its address is free.
    async fn remove_member(
        &self,
        organization: OrganizationId,
        person: PersonId,
        now: Timestamp,
    ) -> Result<(), ChangeError>;
}

/// Which members.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemberFilter {
    /// The one with this address.
    pub email: Option<EmailAddress>,
    /// Those of this group, which may be the operators'.
    pub group: Option<GroupId>,
}

/// A member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its id.
    pub id: PersonId,
    /// Its address, as it was written.
    pub email: String,
    /// What it may do.
    pub role: PersonRole,
    /// The names of its groups, in their order; the operators' is none of them.
    pub groups: Vec<String>,
    /// When it was added.
    pub created_at: Timestamp,
}

/// A member to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMember {
    /// Its id.
    pub id: PersonId,
    /// Its address.
    pub email: EmailAddress,
    /// What it may do.
    pub role: PersonRole,
    /// Its groups.
    pub groups: Vec<Name>,
    /// When it is added.
    pub created_at: Timestamp,
}

/// What becomes different about a member.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemberChange {
    /// What it may do now.
    pub role: Option<PersonRole>,
    /// All of its groups now.
    pub groups: Option<Vec<Name>>,
}

/// What the operators' group is called, and no other.
pub const OPERATORS_NAME: &str = "operators";

/// The groups of an organization.
#[async_trait]
pub trait Groups: Send + Sync {
    /// Groups in the order of their ids, the operators' aside.
    async fn list_groups(
        &self,
        organization: OrganizationId,
        page: &Page<GroupId>,
    ) -> Result<Entries<Group>, PortError>;

    /// A group, which may be the operators'.
    async fn find_group(
        &self,
        organization: OrganizationId,
        group: GroupId,
    ) -> Result<Option<Group>, PortError>;

    /// Creates a group without members. No other one has its name, the operators' included.
    async fn create_group(&self, organization: OrganizationId, new: NewGroup) -> Result<(), ChangeError>;

    /// Gives a group another name.
    async fn rename_group(
        &self,
        organization: OrganizationId,
        group: GroupId,
        name: &Name,
    ) -> Result<(), ChangeError>;

    /// Deletes a group that no role is mapped to.
    async fn delete_group(&self, organization: OrganizationId, group: GroupId) -> Result<(), ChangeError>;

    /// Puts a member into a group; nothing happens when it is in it.
    async fn put_into_group(
        &self,
        organization: OrganizationId,
        group: GroupId,
        person: PersonId,
    ) -> Result<(), ChangeError>;

    /// Takes a member out of a group; nothing happens when it is not in it.
    async fn take_from_group(
        &self,
        organization: OrganizationId,
        group: GroupId,
        person: PersonId,
    ) -> Result<(), ChangeError>;
}

/// A group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its id.
    pub id: GroupId,
    /// Its name.
    pub name: String,
    /// How many members it has.
    pub members: u32,
    /// When it was created.
    pub created_at: Timestamp,
}

/// A group to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGroup {
    /// Its id.
    pub id: GroupId,
    /// Its name.
    pub name: Name,
    /// When it is created.
    pub created_at: Timestamp,
}
