//! People, agents and their tokens.

use std::time::Duration;

use base::{
    AgentId, AgentRights, Caller, GroupId, OrganizationId, PersonId, PersonRole, Principal, Scope, Secret,
    TokenId, Ulid,
};
use run_ports::{Agents as _, ChangeError, Directory as _, Groups as _, Members as _};
use run_ports::{NewAgent, NewGroup, NewMember, NewToken};
use store_pg::{Error, Store, TokenHolder};

use crate::support::{Database, now};

fn id(n: u128) -> Ulid {
    Ulid::from_parts(1, n)
}

fn secret(text: &str) -> Secret<String> {
    Secret::new(text.to_owned())
}

fn rights() -> AgentRights {
    AgentRights {
        start: Scope::All,
        work: Scope::Processes(["errand".to_owned()].into()),
    }
}

fn member(id: PersonId, email: &str, role: PersonRole) -> NewMember {
    NewMember {
        id,
        email: email.parse().expect("an address"),
        role,
        groups: Vec::new(),
        created_at: now(),
    }
}

fn group(id: GroupId, name: &str) -> NewGroup {
    NewGroup {
        id,
        name: name.parse().expect("a name"),
        created_at: now(),
    }
}

fn agent_called(id: AgentId, name: &str) -> NewAgent {
    NewAgent {
        id,
        name: name.parse().expect("a name"),
        rights: rights(),
        created_at: now(),
    }
}

async fn arrange(store: &Store) -> (OrganizationId, AgentId, PersonId) {
    let (organization, agent, person) = (
        OrganizationId::new(id(1)),
        AgentId::new(id(2)),
        PersonId::new(id(3)),
    );
    let done = store.create_organization(organization, "demo", now()).await;
    done.expect("the name is free");
    let olga = member(person, "Olga@example.com", PersonRole::Operator);
    let done = store.add_member(organization, olga).await;
    done.expect("the address is free");
    let done = store
        .create_agent(organization, agent_called(agent, "alpha"))
        .await;
    done.expect("the name is free");
    (organization, agent, person)
}

#[tokio::test]
async fn a_token_is_its_holder_at_its_organization_until_it_expires() {
    let database = Database::migrated().await;
    let store = database.store().await;
    let (organization, agent, person) = arrange(&store).await;
    let other = OrganizationId::new(id(9));
    store
        .create_organization(other, "demo2", now())
        .await
        .expect("the name is free");
    let end = now().after(Duration::from_mins(1));
    for (n, token, holder, expires_at) in [
        (1, "agent", TokenHolder::Agent(agent), None),
        (2, "client", TokenHolder::AgentFor(agent, person), None),
        (3, "human", TokenHolder::Person(person), Some(end)),
    ] {
        let token = NewToken {
            id: TokenId::new(id(n)),
            secret: secret(token),
            created_at: now(),
            expires_at,
        };
        let added = store.add_token(organization, holder, &token).await;
        added.expect("the token is new");
    }
    let agent_for = |acting_for| Caller::Agent {
        id: agent,
        acting_for,
        rights: rights(),
    };
    let human = Caller::Person {
        id: person,
        email: "Olga@example.com".to_owned(),
        role: PersonRole::Operator,
    };
    let id_text = organization.to_string();
    let just_before = base::Timestamp::from_millis(end.as_millis() - 1);
    for (name, token, at, caller) in [
        ("demo", "agent", end, Some(agent_for(None))),
        (id_text.as_str(), "agent", end, Some(agent_for(None))),
        ("demo", "client", end, Some(agent_for(Some(person)))),
        ("demo", "human", just_before, Some(human)),
        ("demo", "human", end, None),
        ("demo", "unknown", end, None),
        ("demo2", "agent", end, None),
        ("nobody", "agent", end, None),
    ] {
        let found = store.principal_by_token(name, &secret(token), at).await;
        let wanted = caller.map(|caller| Principal { organization, caller });
        assert_eq!(found.expect("the store works"), wanted, "{name} {token} {at}");
    }
    store
        .revoke_token(organization, &secret("agent"))
        .await
        .expect("the store works");
    let found = store.principal_by_token("demo", &secret("agent"), now()).await;
    assert_eq!(found.expect("the store works"), None);
}

#[tokio::test]
async fn names_and_addresses_are_used_once() {
    let database = Database::migrated().await;
    let store = database.store().await;
    let (organization, ..) = arrange(&store).await;
    let finance = GroupId::new(id(4));
    let done = store.create_group(organization, group(finance, "finance")).await;
    done.expect("the name is free");
    let done = store
        .create_organization(OrganizationId::new(id(5)), "demo", now())
        .await;
    assert!(matches!(done, Err(Error::Taken { .. })), "{done:?}");
    let olga = member(PersonId::new(id(6)), "OLGA@EXAMPLE.COM", PersonRole::Member);
    let taken = [
        store.add_member(organization, olga).await,
        store
            .create_group(organization, group(GroupId::new(id(7)), "finance"))
            .await,
        store
            .create_group(organization, group(GroupId::new(id(7)), "operators"))
            .await,
        store
            .create_agent(organization, agent_called(AgentId::new(id(8)), "alpha"))
            .await,
    ];
    for result in taken {
        assert!(matches!(result, Err(ChangeError::Taken { .. })), "{result:?}");
    }
    let only = store.only_organization().await.expect("the store works");
    assert_eq!(only.as_deref(), Some("demo"));
    let found = store.organization_by_name("demo").await.expect("the store works");
    assert_eq!(found, Some(organization));
    assert_eq!(
        store
            .organization_by_name("nobody")
            .await
            .expect("the store works"),
        None
    );
    let found = store
        .group(organization, "finance")
        .await
        .expect("the store works");
    assert_eq!(found, Some(finance));
}
