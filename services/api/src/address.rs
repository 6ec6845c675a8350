//! The ids in an address, after the organization's. What is no id of its kind names nothing, and so does what cannot be read.

use std::collections::BTreeMap;
use std::str::FromStr;

use app::administration::Error;
use axum::extract::{FromRequestParts, Path};
use base::{AgentId, DraftId, GroupId, Name, PersonId, TokenId};
use http::request::Parts;

use crate::refusal::Refusal;

/// The parts of an address that vary.
pub(crate) struct Address(BTreeMap<String, String>);

impl Address {
    pub(crate) fn person(&self) -> Result<PersonId, Refusal> {
        self.part("person", "member")
    }

    pub(crate) fn group(&self) -> Result<GroupId, Refusal> {
        self.part("group", "group")
    }

    pub(crate) fn agent(&self) -> Result<AgentId, Refusal> {
        self.part("agent", "agent")
    }

    pub(crate) fn token(&self) -> Result<TokenId, Refusal> {
        self.part("token", "token")
    }

    pub(crate) fn draft(&self) -> Result<DraftId, Refusal> {
        self.part("draft", "draft")
    }

    /// Where the address has no place for a name, it is that of the process called `publish`.
    pub(crate) fn process(&self) -> Result<String, Refusal> {
        if !self.0.contains_key("process") {
            return Ok("publish".to_owned());
        }
        let name: Name = self.part("process", "process")?;
        Ok(name.to_string())
    }

    pub(crate) fn version(&self) -> Result<u32, Refusal> {
        self.part("version", "version")
    }

    fn part<T: FromStr>(&self, name: &str, what: &'static str) -> Result<T, Refusal> {
        let parsed = self.0.get(name).and_then(|text| text.parse().ok());
        parsed.ok_or_else(|| Error::NotFound { what }.into())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Address {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(named)) => Ok(Self(named)),
            Err(_) => Err(Error::NotFound { what: "address" }.into()),
        }
    }
}
