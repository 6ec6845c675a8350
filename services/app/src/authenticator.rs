//! Who holds a token. Decided once, at the door.

use async_trait::async_trait;
use base::{Principal, Secret};

/// Turns a bearer token into the identity it was issued for.
#[async_trait]
pub trait Authenticator: Send + Sync {
    /// The identity behind a token that was issued for this organization's endpoint. `organization` is the name in the
    /// address; a token of another organization is refused like an unknown one, so that nobody learns which it is.
    async fn authenticate(
        &self,
        organization: &str,
        token: &Secret<String>,
    ) -> Result<Principal, AuthenticationError>;

    /// The name of the only organization, if there is exactly one.
    async fn only_organization(&self) -> Result<Option<String>, AuthenticationError>;
}

/// Why no identity was established.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuthenticationError {
    /// Unknown, expired, revoked, or of another organization: ask for another token.
    #[error("the token is not valid here")]
    Refused,
    /// It could not be looked up: try again.
    #[error("tokens cannot be checked at the moment")]
    Unavailable,
}
