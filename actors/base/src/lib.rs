//! What every crate names: ids, identities, instants, redacted secrets and bounded issues. No behaviour beyond parsing and printing.

mod digest;
mod id;
mod identity;
mod issues;
mod secret;
mod timestamp;

pub use digest::{Digest, DigestError};
pub use id::{
    AgentId, FileId, GroupId, IdError, OrganizationId, PersonId, RequestId, RequestIdError, RunId, WorkItemId,
};
pub use identity::{AgentRights, Caller, PersonRole, Principal, Scope};
pub use issues::{Issues, Quoted};
pub use secret::Secret;
pub use timestamp::Timestamp;
pub use ulid::Ulid;

#[cfg(test)]
mod tests;
