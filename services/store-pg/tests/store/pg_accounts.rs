//! How people get into a database.

use async_trait::async_trait;
use base::{GroupId, OrganizationId, PersonId, PersonRole, Timestamp};
use run_ports::{Groups as _, Members as _, NewGroup, NewMember};
use run_sim::contract::Accounts;
use store_pg::Store;

/// When accounts are made: 2023-11-14T22:13:20Z.
fn now() -> Timestamp {
    Timestamp::from_millis(1_700_000_000_000)
}

/// Accounts of a store.
pub(crate) struct PgAccounts(pub(crate) Store);

#[async_trait]
impl Accounts for PgAccounts {
    async fn add_organization(&self, organization: OrganizationId) {
        let name = organization.ulid().to_string().to_lowercase();
        let added = self.0.create_organization(organization, &name, now()).await;
        added.expect("its name is free");
    }

    async fn add_person(
        &self,
        organization: OrganizationId,
        person: PersonId,
        email: &str,
        role: PersonRole,
    ) {
        let added = self.0.add_member(
            organization,
            NewMember {
                id: person,
                email: email.parse().expect("an address"),
                role,
                groups: Vec::new(),
                created_at: now(),
            },
        );
        added.await.expect("the address is free");
    }

    async fn add_group(&self, organization: OrganizationId, group: GroupId, members: &[PersonId]) {
        let name = group.ulid().to_string().to_lowercase();
        let added = self.0.create_group(
            organization,
            NewGroup {
                id: group,
                name: name.parse().expect("a name"),
                created_at: now(),
            },
        );
        added.await.expect("its name is free");
        for member in members {
            Accounts::put_into_group(self, organization, group, *member).await;
        }
    }

    async fn put_into_group(&self, organization: OrganizationId, group: GroupId, person: PersonId) {
        let added = self.0.put_into_group(organization, group, person).await;
        added.expect("it is a member");
    }
}
