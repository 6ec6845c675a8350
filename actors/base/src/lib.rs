//! What every crate names: ids, names, identities, instants, redacted secrets and bounded issues. No behaviour beyond parsing and printing.

mod digest;
mod email;
mod id;
mod identity;
mod issues;
mod name;
mod secret;
mod timestamp;

pub use digest::{Digest, DigestError};
pub use email::{EmailAddress, EmailAddressError};
pub use id::{
    AgentId, DraftId, FileId, GroupId, IdError, OrganizationId, PersonId, RequestId, RequestIdError, RunId,
    TokenId, WorkItemId,
};
pub use identity::{Admin, AgentRights, Caller, PersonRole, PersonRoleError, Principal, Scope};
pub use issues::{Issues, Quoted};
pub use name::{Name, NameError};
pub use secret::Secret;
pub use timestamp::Timestamp;
pub use ulid::Ulid;

#[cfg(test)]
mod tests;
