use async_trait::async_trait;
use base::{GroupId, OrganizationId};
use run_ports::{PortError, Published, VersionRow, Versions};

use super::reassignments::Whose;
use super::{MemoryStore, lock};

#[async_trait]
impl Versions for MemoryStore {
    async fn version(
        &self,
        organization: OrganizationId,
        process: &str,
        version: Option<u32>,
    ) -> Result<Option<VersionRow>, PortError> {
        Ok(self.tenant(organization, |tenant| {
            let versions = tenant.versions.get(process)?;
            let found = match version {
                Some(number) => versions.iter().find(|row| row.version == number),
                None => versions.last(),
            };
            found.cloned()
        }))
    }

    async fn latest(&self, organization: OrganizationId, process: &str) -> Result<Option<u32>, PortError> {
        Ok(self.tenant(organization, |tenant| {
            let latest = tenant.versions.get(process)?.last()?;
            Some(latest.version)
        }))
    }

    async fn publish(
        &self,
        organization: OrganizationId,
        new: VersionRow,
        roles: Vec<(String, GroupId)>,
    ) -> Result<Published, PortError> {
        let mut tenants = lock(&self.tenants);
        let tenant = tenants.entry(organization).or_default();
        let roles: Vec<_> = roles
            .into_iter()
            .map(|(role, group)| ((new.process.clone(), role), group))
            .collect();
        if roles
            .iter()
            .any(|(role, group)| tenant.roles.get(role) != Some(group))
        {
            tenant.roles.extend(roles);
            tenant.change_directory(&Whose::Process(&new.process));
        }
        let versions = tenant.versions.entry(new.process.clone()).or_default();
        let latest = versions.last().map_or(0, |row| row.version);
        if versions.last().is_some_and(|row| row.source == new.source) {
            return Ok(Published::Unchanged(latest));
        }
        let version = latest + 1;
        versions.push(VersionRow { version, ..new });
        Ok(Published::New(version))
    }
}
