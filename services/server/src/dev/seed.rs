//! Puts the demo organizations into the database. Ids follow from the database's mark, so doing it again, or two servers
//! doing it at once, adds nothing twice.

use std::time::Duration;

use app::{Publication, PublishError};
use base::{
    AgentId, AgentRights, Caller, GroupId, OrganizationId, PersonId, PersonRole, Principal, Scope, Timestamp,
    Ulid,
};
use futures::{TryStreamExt, stream};
use run_ports::Clock;
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
    app::publish(&parts.app, &directory.admin(), publication).await?;
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
    fn admin(&self) -> Principal {
        Principal {
            organization: self.organization,
            caller: Caller::Person {
                id: self.ids.person(demo::ADMIN),
                email: demo::ADMIN.to_owned(),
                role: PersonRole::Admin,
            },
        }
    }

    async fn add_organization(&self) -> Result<(), Error> {
        let added = self
            .store
            .create_organization(self.organization, self.ids.organization, self.now)
            .await;
        unless_there(added)
    }

    async fn add_people(&self) -> Result<(), Error> {
        for person in demo::PEOPLE {
            let id = self.ids.person(person.email);
            let entry = (person.email, person.role);
            unless_there(
                self.store
                    .add_person(self.organization, id, entry, self.now)
                    .await,
            )?;
            if let Some(name) = person.group {
                let group = GroupId::new(self.ids.id("group", name));
                unless_there(
                    self.store
                        .add_group(self.organization, group, name, self.now)
                        .await,
                )?;
                self.store.add_to_group(self.organization, group, id).await?;
            }
        }
        Ok(())
    }

    async fn add_agents(&self) -> Result<(), Error> {
        let rights = AgentRights {
            start: Scope::All,
            work: Scope::All,
        };
        for name in demo::AGENTS {
            let id = self.ids.agent(name);
            unless_there(
                self.store
                    .add_agent(self.organization, id, (name, &rights), self.now)
                    .await,
            )?;
        }
        Ok(())
    }

    async fn add_tokens(&self, tokens: &Tokens, seed: Seed<'_>) -> Result<(), Error> {
        let agents = tokens
            .agents
            .iter()
            .map(|(name, token)| (TokenHolder::Agent(self.ids.agent(name)), token));
        let people = tokens
            .people
            .iter()
            .map(|(email, token)| (TokenHolder::Person(self.ids.person(email)), token));
        let expires_at = seed.token_lifetime.map(|lifetime| self.now.after(lifetime));
        for (holder, token) in agents.chain(people) {
            let token = token.secret();
            if seed.company == Company::Alone {
                self.store.revoke_token(self.organization, token).await?;
            }
            let validity = (self.now, expires_at);
            unless_there(
                self.store
                    .add_token(self.organization, holder, token, validity)
                    .await,
            )?;
        }
        Ok(())
    }
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
fn unless_there(added: Result<(), store_pg::Error>) -> Result<(), Error> {
    match added {
        Err(store_pg::Error::Taken { .. }) => Ok(()),
        other => Ok(other?),
    }
}
