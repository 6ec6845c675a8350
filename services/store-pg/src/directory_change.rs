//! Changes of who is who, and the open items that move with them (process.md §5). Whoever makes one calls [`begin`] first in its
//! transaction and notes in it what changed; once that is committed `run_actors::Runs::apply_reassignments` moves the items.

use base::{GroupId, OrganizationId};
use sqlx::PgConnection;

/// Keeps out other changes of this organization's directory, and every command that was decided on what it was, until the transaction
/// ends. Comes before the transaction locks any row.
pub(crate) async fn begin(
    connection: &mut PgConnection,
    organization: OrganizationId,
) -> Result<(), sqlx::Error> {
    sqlx::query("select begin_directory_change($1)")
        .bind(organization.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

/// A role of the process is mapped to another group.
pub(crate) async fn note_role(
    connection: &mut PgConnection,
    organization: OrganizationId,
    process: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query("select note_role_change($1, $2)")
        .bind(organization.to_string())
        .bind(process)
        .execute(connection)
        .await?;
    Ok(())
}

/// The group has other members.
pub(crate) async fn note_group(
    connection: &mut PgConnection,
    organization: OrganizationId,
    group: GroupId,
) -> Result<(), sqlx::Error> {
    sqlx::query("select note_group_change($1, $2)")
        .bind(organization.to_string())
        .bind(group.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

/// Other people are operators or admins.
pub(crate) async fn note_operators(
    connection: &mut PgConnection,
    organization: OrganizationId,
) -> Result<(), sqlx::Error> {
    sqlx::query("select note_operators_change($1)")
        .bind(organization.to_string())
        .execute(connection)
        .await?;
    Ok(())
}
