//! The one registry of ids: a prefix that says what it names, then a ULID. Ids are made outside (the `Random` port) and
//! come into the pure crates as values.

use std::fmt;
use std::str::FromStr;

use ulid::Ulid;

/// Why a text is not an id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not {expected}: it must be `{prefix}` and 26 letters and digits")]
pub struct IdError {
    /// What was expected, with its article ("a run id").
    pub expected: &'static str,
    /// The prefix of that kind of id.
    pub prefix: &'static str,
}

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident, $prefix:literal, $expected:literal;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Ulid);

        impl $name {
            /// What the text of such an id begins with.
            pub const PREFIX: &'static str = $prefix;

            /// The id around a ULID that the `Random` port made.
            pub const fn new(ulid: Ulid) -> Self {
                Self(ulid)
            }

            /// The ULID inside.
            pub const fn ulid(self) -> Ulid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                text.strip_prefix($prefix)
                    .and_then(parse_ulid)
                    .map(Self)
                    .ok_or(IdError { expected: $expected, prefix: $prefix })
            }
        }
    )+};
}

ids! {
    /// A tenant.
    OrganizationId, "o_", "an organization id";
    /// A run of a published version.
    RunId, "r_", "a run id";
    /// A program that works steps.
    AgentId, "a_", "an agent id";
    /// A human member.
    PersonId, "u_", "a person id";
    /// A group of members that roles are mapped to.
    GroupId, "g_", "a group id";
    /// An uploaded file.
    FileId, "f_", "a file id";
    /// A token, for whoever lists or revokes it; nothing can be done with it at a door.
    TokenId, "t_", "a token id";
    /// A process that is being prepared for publication.
    DraftId, "d_", "a draft id";
}

/// Exactly the canonical spelling: 26 upper-case characters, so that one id has one text.
fn parse_ulid(text: &str) -> Option<Ulid> {
    let ulid = Ulid::from_string(text).ok()?;
    (ulid.to_string() == text).then_some(ulid)
}

/// The n-th work item of a run, counted from 0. Its text is `w_<ulid of the run>_<n>`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkItemId {
    /// The run it belongs to.
    pub run: RunId,
    /// Its place among the items ever opened in the run.
    pub number: u32,
}

impl fmt::Display for WorkItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "w_{}_{}", self.run.0, self.number)
    }
}

impl fmt::Debug for WorkItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for WorkItemId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let parse = || {
            let (run, number) = text.strip_prefix("w_")?.split_once('_')?;
            let item = Self {
                run: RunId(parse_ulid(run)?),
                number: number.parse().ok()?,
            };
            (item.to_string() == text).then_some(item)
        };
        parse().ok_or(IdError {
            expected: "a work item id",
            prefix: "w_",
        })
    }
}

/// What a client calls one write, unique in the organization (core-2 §4): 1 to 128 characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RequestId(String);

/// Why a text is not a request id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("requestId has {found_characters} characters; it needs 1 to 128")]
pub struct RequestIdError {
    /// How many it has.
    pub found_characters: usize,
}

impl RequestId {
    /// The id as the client wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for RequestId {
    type Err = RequestIdError;

    fn from_str(text: &str) -> Result<Self, RequestIdError> {
        let found_characters = text.chars().count();
        if (1..=128).contains(&found_characters) {
            Ok(Self(text.to_owned()))
        } else {
            Err(RequestIdError { found_characters })
        }
    }
}
