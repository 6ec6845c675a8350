//! Puts the demo organizations into the database. Ids follow from the database's mark, so doing it again, or two servers
//! doing it at once, adds nothing twice.

use std::time::Duration;

use app::{Publication, PublishError};
use base::{
    Admin, AgentId, AgentRights, Caller, GroupId, Name, OrganizationId, PersonId, PersonRole, Principal,
    Scope, Timestamp, TokenId, Ulid,
};
use futures::{TryStreamExt, stream};
use run_ports::{Agents as _, ChangeError, Clock, Groups as _, Members as _};
use run_ports::{NewAgent, NewGroup, NewMember, NewToken};
use sha2::{Digest, Sha256};
use store_pg::{Store, TokenHolder};

use super::credentials::{Credentials, Tokens};
use super::demo;
use super::error::Error;
use super::folder::Company;
use crate::wiring::Parts;

/// The demo process and the groups of its roles.
const PROCESS_NAME: &str = "expense-report";
const PROCESS: &str = include_str!("../../demo/expense-report/PROCESS.md");
const PROCESS_ROLES: [(&str, &str); 1] = [("finance", "finance")];
/// Organizations that are seeded at once: as many as the store has connections for reads.
const ORGANIZATIONS_AT_ONCE: usize = 8;

/// What to put where.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seed<'a> {
    /// The tokens.
    pub(super) credentials: &'a Credentials,
    /// The database's mark.
    pub(super) mark: &'a str,
    /// How many organizations.
    pub(super) organization_count: u16,
    /// How long tokens last; for ever when there is none.
    pub(super) token_lifetime: Option<Duration>,
    /// Whether other servers use the tokens already: then they last as they did.
    pub(super) company: Company,
}

/// Adds what is missing.
pub(super) async fn seed(parts: &Parts, seed: Seed<'_>) -> Result<(), Error> {
    stream::iter(demo::organizations(seed.organization_count).map(Ok))
        .try_for_each_concurrent(ORGANIZATIONS_AT_ONCE, |name| async move {
            seed_organization(parts, seed, &name).await
        })
        .await
}

async fn seed_organization(parts: &Parts, seed: Seed<'_>, name: &str) -> Result<(), Error> {
    let ids = Ids {
        mark: seed.mark,
        organization: name,
    };
    let directory = Directory {
        store: &parts.store,
        ids,
        organization: OrganizationId::new(ids.id("organization", "")),
        now: parts.clock.now(),
    };
    directory.add_organization().await?;
    directory.add_people().await?;
    directory.add_agents().await?;
    if let Some(tokens) = seed.credentials.organizations.get(name) {
        directory.add_tokens(tokens, seed).await?;
    }
    publish_once(parts, &directory).await.map_err(Error::DemoProcess)
}

/// Publishes the demo process where there is none: whatever an admin has published or mapped since is left alone.
async fn publish_once(parts: &Parts, directory: &Directory<'_>) -> Result<(), PublishError> {
    let versions = &parts.app.versions;
    if versions
        .latest(directory.organization, PROCESS_NAME)
        .await?
        .is_some()
    {
        return Ok(());
    }
    let publication = Publication {
        source: PROCESS.as_bytes().to_vec(),
        roles: PROCESS_ROLES
            .map(|(role, group)| (role.to_owned(), group.to_owned()))
            .into(),
    };
    app::publish(&parts.app, directory.admin(), publication).await?;
    Ok(())
}

/// The directory of one demo organization.
struct Directory<'a> {
    store: &'a Store,
    ids: Ids<'a>,
    organization: OrganizationId,
    now: Timestamp,
}

impl Directory<'_> {
    /// Whoever publishes the demo process.
    fn admin(&self) -> Admin {
        let principal = Principal {
            organization: self.organization,
            caller: Caller::Person {
                id: self.ids.person(demo::ADMIN),
                email: demo::ADMIN.to_owned(),
                role: PersonRole::Admin,
            },
        };
        principal.admin().expect("its role is that of an admin")
    }

    async fn add_organization(&self) -> Result<(), Error> {
        let added = self
            .store
            .create_organization(self.organization, self.ids.organization, self.now)
            .await;
        match added {
            Err(store_pg::Error::Taken { .. }) => Ok(()),
            added => Ok(added?),
        }
    }

    async fn add_people(&self) -> Result<(), Error> {
        for person in demo::PEOPLE {
            match self.add_person(person).await {
                Err(ChangeError::NoSuchGroups(names)) => {
                    for name in names {
                        self.add_group(name).await?;
                    }
                    unless_there(self.add_person(person).await)?;
                }
                added => unless_there(added)?,
            }
        }
        Ok(())
    }

    /// Who is there already keeps what admins have changed about it since, and so do its groups.
    async fn add_person(&self, person: demo::DemoPerson) -> Result<(), ChangeError> {
        let new = NewMember {
            id: self.ids.person(person.email),
            email: person.email.parse().expect("the demo's addresses are addresses"),
            role: person.role,
            groups: person.group.map(demo_name).into_iter().collect(),
            created_at: self.now,
        };
        self.store.add_member(self.organization, new).await
    }

    async fn add_group(&self, name: Name) -> Result<(), Error> {
        let new = NewGroup {
            id: GroupId::new(self.ids.id("group", name.as_str())),
            name,
            created_at: self.now,
        };
        unless_there(self.store.create_group(self.organization, new).await)
    }

    async fn add_agents(&self) -> Result<(), Error> {
        for name in demo::AGENTS {
            let new = NewAgent {
                id: self.ids.agent(name),
                name: demo_name(name),
                rights: AgentRights {
                    start: Scope::All,
                    work: Scope::All,
                },
                created_at: self.now,
            };
            unless_there(self.store.create_agent(self.organization, new).await)?;
        }
        Ok(())
    }

    async fn add_tokens(&self, tokens: &Tokens, seed: Seed<'_>) -> Result<(), Error> {
        let agents = tokens.agents.iter().map(|(name, token)| {
            let id = self.ids.id("agent's token", name);
            (id, TokenHolder::Agent(self.ids.agent(name)), token)
        });
        let people = tokens.people.iter().map(|(email, token)| {
            let id = self.ids.id("person's token", email);
            (id, TokenHolder::Person(self.ids.person(email)), token)
        });
        let expires_at = seed.token_lifetime.map(|lifetime| self.now.after(lifetime));
        for (id, holder, token) in agents.chain(people) {
            let new = NewToken {
                id: TokenId::new(id),
                secret: token.secret().clone(),
                created_at: self.now,
                expires_at,
            };
            if seed.company == Company::Alone {
                self.store.revoke_token(self.organization, &new.secret).await?;
            }
            match self.store.add_token(self.organization, holder, &new).await {
                Err(store_pg::Error::Taken { .. }) => {}
                added => added?,
            }
        }
        Ok(())
    }
}

fn demo_name(text: &str) -> Name {
    text.parse().expect("the demo's names are names")
}

/// Ids that follow from names.
#[derive(Debug, Clone, Copy)]
struct Ids<'a> {
    mark: &'a str,
    organization: &'a str,
}

impl Ids<'_> {
    fn person(self, email: &str) -> PersonId {
        PersonId::new(self.id("person", email))
    }

    fn agent(self, name: &str) -> AgentId {
        AgentId::new(self.id("agent", name))
    }

    fn id(self, kind: &str, name: &str) -> Ulid {
        let mut digest = Sha256::new();
        for part in [self.mark, self.organization, kind, name] {
            digest.update(part.as_bytes());
            digest.update([0]);
        }
        let digest: [u8; 32] = digest.finalize().into();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        Ulid::from_bytes(bytes)
    }
}

/// What is there already need not be added.
fn unless_there(added: Result<(), ChangeError>) -> Result<(), Error> {
    match added {
        Err(ChangeError::Taken { .. }) => Ok(()),
        other => Ok(other?),
    }
}
