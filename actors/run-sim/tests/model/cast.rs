//! Who acts.

use std::collections::BTreeMap;

use base::{AgentId, AgentRights, Caller, GroupId, PersonId, PersonRole, Scope, Ulid};
use run_core::event::Assigned;
use run_core::{Actor, Known, Query};
use run_sim::model::People;

/// Agents by number.
pub(crate) fn agent(number: usize) -> Caller {
    let rights = AgentRights {
        start: Scope::All,
        work: Scope::All,
    };
    Caller::Agent {
        id: AgentId::new(Ulid(1 + number as u128)),
        acting_for: None,
        rights,
    }
}

const NAMES: [(&str, PersonRole); 5] = [
    ("mira", PersonRole::Member),
    ("omar", PersonRole::Member),
    ("lena", PersonRole::Member),
    ("olga", PersonRole::Operator),
    ("adam", PersonRole::Admin),
];

/// Members by number: mira and omar are `finance`, lena is `legal` at first, olga and adam are operators.
pub(crate) fn person(number: usize) -> Caller {
    let (name, role) = NAMES[number % NAMES.len()];
    Caller::Person {
        id: person_id(number),
        email: format!("{name}@example.com"),
        role,
    }
}

fn person_id(number: usize) -> PersonId {
    PersonId::new(Ulid(100 + (number % NAMES.len()) as u128))
}

/// What stands in records.
pub(crate) fn by(caller: &Caller) -> String {
    match caller {
        Caller::Agent { id, .. } => Actor::Agent(*id).to_string(),
        Caller::Person { id, .. } => Actor::Person(*id).to_string(),
    }
}

/// The address, when the caller is a person.
pub(crate) fn address(caller: &Caller) -> Option<&str> {
    match caller {
        Caller::Agent { .. } => None,
        Caller::Person { email, .. } => Some(email),
    }
}

/// Members of the groups behind roles, by number. They change.
#[derive(Debug)]
pub(crate) struct Groups(BTreeMap<&'static str, Vec<usize>>);

const OPERATORS: [usize; 2] = [3, 4];

impl Groups {
    pub(crate) fn at_first() -> Self {
        Self(BTreeMap::from([("finance", vec![0, 1]), ("legal", vec![2])]))
    }

    /// Puts members into the group of a role in place of those before; there may be none.
    pub(crate) fn change(&mut self, role: &'static str, members: Vec<usize>) {
        self.0.insert(role, members);
    }

    fn group(&self, role: &str) -> Assigned {
        assigned(role, &self.0[role])
    }

    /// The same for the model.
    pub(crate) fn people(&self) -> People {
        let set = |members: &[usize]| members.iter().map(|number| by(&person(*number))).collect();
        People {
            roles: self
                .0
                .iter()
                .map(|(role, members)| ((*role).to_owned(), set(members)))
                .collect(),
            operators: set(&OPERATORS),
            members: (0..NAMES.len())
                .map(|number| (format!("{}@example.com", NAMES[number].0), by(&person(number))))
                .collect(),
        }
    }
}

fn assigned(role: &str, members: &[usize]) -> Assigned {
    Assigned::Group {
        group: GroupId::new(Ulid(1_000 + role.len() as u128)),
        members: members.iter().map(|number| person_id(*number)).collect(),
    }
}

/// What the directory answers.
pub(crate) fn answer(known: &mut Known, query: Query, groups: &Groups) {
    match query {
        Query::Member { email } => {
            let at = NAMES
                .iter()
                .position(|(name, _)| email.to_lowercase() == format!("{name}@example.com"));
            known.note_member(email, at.map(person_id));
        }
        Query::Role { role } => {
            let group = groups.group(&role);
            known.note_role(role, Some(group));
        }
        Query::Operators => known.note_operators(assigned("operators", &OPERATORS)),
        Query::File { reference } => known.note_file(reference, None),
    }
}
