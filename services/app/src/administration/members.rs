//! Members: who belongs to the organization, and what each may do.

use base::{EmailAddress, Name, PersonId, PersonRole};
use run_ports::{Member, MemberChange, MemberFilter, NewMember};

use super::{Admin, Administration, Error, Listed, Paging, found};

/// What an admin says of a new member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMemberFacts {
    /// Its address.
    pub email: EmailAddress,
    /// What it may do.
    pub role: PersonRole,
    /// Its groups.
    pub groups: Vec<Name>,
}

/// Members in the order of their addresses.
pub async fn list_members(
    administration: &Administration,
    admin: Admin,
    filter: &MemberFilter,
    paging: &Paging,
) -> Result<Listed<Member>, Error> {
    let listing = administration.listing_of(admin, "members", format!("{filter:?}"));
    let page = listing.page(paging)?;
    let found = administration
        .store
        .list_members(admin.organization(), filter, &page)
        .await?;
    Ok(listing.listed(found, |member| member.email.to_lowercase()))
}

/// A member.
pub async fn find_member(
    administration: &Administration,
    admin: Admin,
    person: PersonId,
) -> Result<Member, Error> {
    let member = administration
        .store
        .find_member(admin.organization(), person)
        .await?;
    found(member, "member")
}

/// Adds a member.
pub async fn add_member(
    administration: &Administration,
    admin: Admin,
    facts: NewMemberFacts,
) -> Result<Member, Error> {
    let now = administration.app.clock.now();
    let id = PersonId::new(administration.random.ulid(now));
    let new = NewMember {
        id,
        email: facts.email,
        role: facts.role,
        groups: facts.groups,
        created_at: now,
    };
    administration.store.add_member(admin.organization(), new).await?;
    administration.move_items(admin).await;
    find_member(administration, admin, id).await
}

/// Changes what a member may do, its groups, or both.
pub async fn change_member(
    administration: &Administration,
    admin: Admin,
    person: PersonId,
    change: MemberChange,
) -> Result<Member, Error> {
    administration
        .store
        .change_member(admin.organization(), person, change)
        .await?;
    administration.move_items(admin).await;
    find_member(administration, admin, person).await
}

/// Removes a member: it leaves its groups, and its tokens are none any more. What it did stays under its id.
pub async fn remove_member(
    administration: &Administration,
    admin: Admin,
    person: PersonId,
) -> Result<(), Error> {
    let now = administration.app.clock.now();
    administration
        .store
        .remove_member(admin.organization(), person, now)
        .await?;
    administration.move_items(admin).await;
    Ok(())
}
