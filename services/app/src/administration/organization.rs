//! The organization itself.

use run_ports::Organization;

use super::{Admin, Administration, Error};

/// What the organization is called and what it has.
pub async fn organization(administration: &Administration, admin: Admin) -> Result<Organization, Error> {
    Ok(administration.store.organization(admin.organization()).await?)
}
