//! Facts from outside that a decision needs. They are asked for, fetched by the caller, and given with the next try.

use std::collections::BTreeMap;

use base::PersonId;

use crate::event::Assigned;

/// A fact that is needed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Query {
    /// Which member has this e-mail address, compared without case.
    Member {
        /// The address.
        email: String,
    },
    /// Which group a role of this version is mapped to, with its members.
    Role {
        /// The role.
        role: String,
    },
    /// The operators' group, with its members.
    Operators,
    /// Whether the file exists and what its stored bytes hash to.
    File {
        /// The id as it was submitted.
        reference: String,
    },
}

/// The facts fetched so far. A fact that was looked for and not found is known too.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    members: BTreeMap<String, Option<PersonId>>,
    roles: BTreeMap<String, Option<Assigned>>,
    operators: Option<Assigned>,
    files: BTreeMap<String, Option<String>>,
}

impl Known {
    /// Notes who has an e-mail address.
    pub fn note_member(&mut self, email: String, member: Option<PersonId>) {
        self.members.insert(email, member);
    }

    /// Notes what a role is mapped to.
    pub fn note_role(&mut self, role: String, assigned: Option<Assigned>) {
        self.roles.insert(role, assigned);
    }

    /// Notes who the operators are.
    pub fn note_operators(&mut self, assigned: Assigned) {
        self.operators = Some(assigned);
    }

    /// Notes the SHA-256 of a file, as 64 hexadecimal digits; `None` when there is no such file or its bytes have changed.
    pub fn note_file(&mut self, reference: String, sha256: Option<String>) {
        self.files.insert(reference, sha256);
    }

    pub(crate) fn member(&self, email: &str) -> Result<Option<PersonId>, Query> {
        self.members.get(email).copied().ok_or_else(|| Query::Member {
            email: email.to_owned(),
        })
    }

    pub(crate) fn role(&self, role: &str) -> Result<Option<&Assigned>, Query> {
        self.roles
            .get(role)
            .map(Option::as_ref)
            .ok_or_else(|| Query::Role {
                role: role.to_owned(),
            })
    }

    pub(crate) fn operators(&self) -> Result<&Assigned, Query> {
        self.operators.as_ref().ok_or(Query::Operators)
    }

    pub(crate) fn file(&self, reference: &str) -> Result<Option<&str>, Query> {
        self.files
            .get(reference)
            .map(Option::as_deref)
            .ok_or_else(|| Query::File {
                reference: reference.to_owned(),
            })
    }
}
