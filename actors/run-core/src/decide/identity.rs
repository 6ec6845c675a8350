//! Which identity a command needs. The order in which identity is judged among other reasons is each tool's own (tools.md).

use base::{AgentId, AgentRights, Caller, PersonId, PersonRole};

use crate::refusal::Unentitled;
use crate::words::Actor;

/// An agent.
pub(super) struct Agent<'a> {
    pub(super) id: AgentId,
    pub(super) rights: &'a AgentRights,
}

/// A person.
#[derive(Clone, Copy)]
pub(super) struct Person {
    pub(super) id: PersonId,
    pub(super) role: PersonRole,
}

pub(super) fn agent(caller: &Caller) -> Result<Agent<'_>, Unentitled> {
    match caller {
        Caller::Agent { id, rights, .. } => Ok(Agent { id: *id, rights }),
        Caller::Person { .. } => Err(Unentitled::NotAnAgent),
    }
}

pub(super) fn person(caller: &Caller) -> Result<Person, Unentitled> {
    match caller {
        Caller::Person { id, role, .. } => Ok(Person { id: *id, role: *role }),
        Caller::Agent { .. } => Err(Unentitled::NotAPerson),
    }
}

pub(super) fn operator(caller: &Caller) -> Result<Person, Unentitled> {
    match caller {
        Caller::Person { id, role, .. } if *role >= PersonRole::Operator => {
            Ok(Person { id: *id, role: *role })
        }
        Caller::Person { .. } | Caller::Agent { .. } => Err(Unentitled::NotAnOperator),
    }
}

/// Who is named in the record.
pub(super) fn actor(caller: &Caller) -> Actor {
    match caller {
        Caller::Agent { id, .. } => Actor::Agent(*id),
        Caller::Person { id, .. } => Actor::Person(*id),
    }
}
