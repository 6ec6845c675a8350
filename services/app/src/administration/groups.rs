//! Groups: roles of processes are mapped to them (process.md §5, "People").

use base::{GroupId, Name, PersonId};
use run_ports::{Group, NewGroup};

use super::{Admin, Administration, Error, Listed, Paging, found};

/// Groups in the order of their ids, the operators' aside.
pub async fn list_groups(
    administration: &Administration,
    admin: Admin,
    paging: &Paging,
) -> Result<Listed<Group>, Error> {
    let listing = administration.listing(admin, "groups");
    let page = listing.page(paging)?;
    let found = administration
        .store
        .list_groups(admin.organization(), &page)
        .await?;
    Ok(listing.listed(found, |group| group.id))
}

/// A group, which may be the operators'.
pub async fn find_group(
    administration: &Administration,
    admin: Admin,
    group: GroupId,
) -> Result<Group, Error> {
    let group = administration
        .store
        .find_group(admin.organization(), group)
        .await?;
    found(group, "group")
}

/// Creates a group without members.
pub async fn create_group(administration: &Administration, admin: Admin, name: Name) -> Result<Group, Error> {
    let now = administration.app.clock.now();
    let id = GroupId::new(administration.random.ulid(now));
    let new = NewGroup {
        id,
        name,
        created_at: now,
    };
    administration
        .store
        .create_group(admin.organization(), new)
        .await?;
    find_group(administration, admin, id).await
}

/// Gives a group another name. Roles stay mapped to it.
pub async fn rename_group(
    administration: &Administration,
    admin: Admin,
    group: GroupId,
    name: &Name,
) -> Result<Group, Error> {
    administration
        .store
        .rename_group(admin.organization(), group, name)
        .await?;
    find_group(administration, admin, group).await
}

/// Deletes a group that no role is mapped to.
pub async fn delete_group(
    administration: &Administration,
    admin: Admin,
    group: GroupId,
) -> Result<(), Error> {
    administration
        .store
        .delete_group(admin.organization(), group)
        .await?;
    Ok(())
}

/// Puts a member into a group.
pub async fn put_into_group(
    administration: &Administration,
    admin: Admin,
    group: GroupId,
    person: PersonId,
) -> Result<(), Error> {
    administration
        .store
        .put_into_group(admin.organization(), group, person)
        .await?;
    administration.move_items(admin).await;
    Ok(())
}

/// Takes a member out of a group.
pub async fn take_from_group(
    administration: &Administration,
    admin: Admin,
    group: GroupId,
    person: PersonId,
) -> Result<(), Error> {
    administration
        .store
        .take_from_group(admin.organization(), group, person)
        .await?;
    administration.move_items(admin).await;
    Ok(())
}
