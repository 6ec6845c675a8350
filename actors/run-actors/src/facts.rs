//! Fetching what a decision needs.

use base::OrganizationId;
use run_core::{Known, Query};
use run_ports::{Directory, PortError};

/// What has been fetched for a command.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    pub(crate) known: Known,
    /// The revision that the directory had before the first fact about people was asked for.
    pub(crate) directory_revision: Option<u64>,
}

impl Facts {
    /// Asks the directory each query and notes the answers.
    pub(crate) async fn fetch(
        &mut self,
        directory: &dyn Directory,
        organization: OrganizationId,
        (process, queries): (&str, Vec<Query>),
    ) -> Result<(), PortError> {
        let is_of_people = |query: &Query| !matches!(query, Query::File { .. });
        if self.directory_revision.is_none() && queries.iter().any(is_of_people) {
            self.directory_revision = Some(directory.revision(organization).await?);
        }
        let known = &mut self.known;
        for query in queries {
            match query {
                Query::Member { email } => {
                    let member = directory.member(organization, &email).await?;
                    known.note_member(email, member);
                }
                Query::Role { role } => {
                    let assigned = directory.role(organization, process, &role).await?;
                    known.note_role(role, assigned);
                }
                Query::Operators => known.note_operators(directory.operators(organization).await?),
                Query::File { reference } => {
                    let sha256 = directory.file(organization, &reference).await?;
                    known.note_file(reference, sha256);
                }
            }
        }
        Ok(())
    }
}
