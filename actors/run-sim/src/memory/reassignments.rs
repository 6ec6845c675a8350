use async_trait::async_trait;
use base::{GroupId, OrganizationId, RunId};
use run_core::event::Assigned;
use run_core::project::ItemRow;
use run_ports::{NotedRun, PortError, Reassignments};

use super::{MemoryStore, Run, Tenant, lock};

/// Whose items a change of the directory is about.
pub(super) enum Whose<'a> {
    /// Those of the roles of a process.
    Process(&'a str),
    Group(GroupId),
    Nobody,
}

impl Tenant {
    /// Counts a change that was made, and notes the runs whose open items it may move.
    pub(super) fn change_directory(&mut self, whose: &Whose<'_>) {
        self.directory_revision += 1;
        let is_meant = |run: &Run, item: &ItemRow| match (&item.item.assigned, whose) {
            (Assigned::Person { .. }, _) | (_, Whose::Nobody) => false,
            (Assigned::Group { .. }, Whose::Process(process)) => run.row.process == *process,
            (Assigned::Group { group, .. }, Whose::Group(changed)) => group == changed,
        };
        let meant = self
            .runs
            .iter()
            .filter(|(_, run)| run.items.values().any(|item| is_meant(run, item)));
        let noted = meant.map(|(id, _)| (*id, self.directory_revision));
        self.reassignments.extend(noted);
    }
}

#[async_trait]
impl Reassignments for MemoryStore {
    async fn noted(
        &self,
        organization: OrganizationId,
        after: Option<RunId>,
        limit: usize,
    ) -> Result<Vec<NotedRun>, PortError> {
        Ok(self.tenant(organization, |tenant| {
            let noted = tenant.reassignments.iter().filter(|(run, _)| Some(**run) > after);
            let noted = noted.map(|(run, revision)| NotedRun {
                run: *run,
                revision: *revision,
            });
            noted.take(limit).collect()
        }))
    }

    async fn organizations(
        &self,
        after: Option<OrganizationId>,
        limit: usize,
    ) -> Result<Vec<OrganizationId>, PortError> {
        let tenants = lock(&self.tenants);
        let noted = tenants
            .iter()
            .filter(|(_, tenant)| !tenant.reassignments.is_empty());
        let behind = noted
            .map(|(organization, _)| *organization)
            .filter(|id| Some(*id) > after);
        Ok(behind.take(limit).collect())
    }

    async fn forget(&self, organization: OrganizationId, seen: &[NotedRun]) -> Result<(), PortError> {
        if let Some(tenant) = lock(&self.tenants).get_mut(&organization) {
            for NotedRun { run, revision } in seen {
                if tenant.reassignments.get(run) == Some(revision) {
                    tenant.reassignments.remove(run);
                }
            }
        }
        Ok(())
    }
}
