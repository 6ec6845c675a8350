use async_trait::async_trait;
use base::{GroupId, OrganizationId, PersonId, PersonRole};
use run_core::event::Assigned;
use run_ports::{Directory, PortError};

use super::{MemoryStore, operators_group};

#[async_trait]
impl Directory for MemoryStore {
    async fn revision(&self, organization: OrganizationId) -> Result<u64, PortError> {
        Ok(self.tenant(organization, |tenant| tenant.directory_revision))
    }

    async fn member(&self, organization: OrganizationId, email: &str) -> Result<Option<PersonId>, PortError> {
        let wanted = email.to_lowercase();
        Ok(self.tenant(organization, |tenant| {
            let mut people = tenant.people.iter();
            people
                .find(|(_, (email, _))| email.to_lowercase() == wanted)
                .map(|(person, _)| *person)
        }))
    }

    async fn role(
        &self,
        organization: OrganizationId,
        process: &str,
        role: &str,
    ) -> Result<Option<Assigned>, PortError> {
        let key = (process.to_owned(), role.to_owned());
        Ok(self.tenant(organization, |tenant| {
            tenant.roles.get(&key).map(|group| Assigned::Group {
                group: *group,
                members: tenant.groups.get(group).into_iter().flatten().copied().collect(),
            })
        }))
    }

    async fn operators(&self, organization: OrganizationId) -> Result<Assigned, PortError> {
        Ok(self.tenant(organization, |tenant| Assigned::Group {
            group: operators_group(organization),
            members: tenant
                .people
                .iter()
                .filter(|(_, (_, role))| *role >= PersonRole::Operator)
                .map(|(person, _)| *person)
                .collect(),
        }))
    }

    /// Groups have no names here beside their ids.
    async fn group(&self, organization: OrganizationId, name: &str) -> Result<Option<GroupId>, PortError> {
        let named = name.parse().ok();
        Ok(self.tenant(organization, |tenant| {
            named.filter(|group| tenant.groups.contains_key(group))
        }))
    }

    async fn file(
        &self,
        _organization: OrganizationId,
        _reference: &str,
    ) -> Result<Option<String>, PortError> {
        Ok(None)
    }
}
