//! Fetching what a decision needs.

use base::OrganizationId;
use run_core::{Known, Query};
use run_ports::{Directory, PortError};

/// Asks the directory each query and notes the answers.
pub(crate) async fn fetch(
    directory: &dyn Directory,
    organization: OrganizationId,
    (process, queries): (&str, Vec<Query>),
    known: &mut Known,
) -> Result<(), PortError> {
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
