//! Who did something, for people: records keep the id alone.

use std::collections::BTreeMap;

use base::PersonId;

use super::{Admin, Administration, Error};

/// Somebody who is or was a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// Its id.
    pub id: PersonId,
    /// Its address.
    pub email: String,
}

/// The authors of some things.
pub(super) struct Authors(BTreeMap<PersonId, String>);

impl Authors {
    /// Looks all of them up at once.
    pub(super) async fn find(
        administration: &Administration,
        admin: Admin,
        people: impl Iterator<Item = PersonId>,
    ) -> Result<Self, Error> {
        let people: Vec<PersonId> = people.collect();
        let found = administration
            .store
            .addresses(admin.organization(), &people)
            .await?;
        Ok(Self(found))
    }

    /// One of them.
    pub(super) fn of(&self, person: PersonId) -> Option<Author> {
        let email = self.0.get(&person)?.clone();
        Some(Author { id: person, email })
    }
}
