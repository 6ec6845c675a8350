//! Two admins on one thing, each at a server of its own: one wins and the other is told why, or both are done in some order. Both stand
//! before a gate when the race begins: a change of the directory that ends only when they wait for it.

use std::collections::BTreeMap;

use base::{
    AgentId, AgentRights, Digest, DraftId, GroupId, OrganizationId, PersonId, PersonRole, Scope, Secret,
    TokenId, Ulid,
};
use run_ports::{
    Agents as _, ChangeError, DraftText, Drafts as _, Groups as _, MemberChange, Members as _, NewAgent,
    NewGroup, NewMember, NewToken, Page, PortError, Processes as _, Published, VersionRow, Versions as _,
};
use sqlx::{AssertSqlSafe, PgConnection};
use store_pg::{Error, Store};

use crate::support::{Database, connect, now};
use crate::unknown_commit::waiting;

const ROUNDS: u128 = 5;
const PROCESS: &str = "errand";

/// Two servers on one database, with an organization.
struct Arena {
    database: Database,
    first: Store,
    second: Store,
    organization: OrganizationId,
}

impl Arena {
    async fn new() -> Self {
        let database = Database::migrated().await;
        let (first, second) = (database.store().await, database.store().await);
        let organization = OrganizationId::new(id(1));
        let created = first.create_organization(organization, "demo", now()).await;
        created.expect("the name is free");
        Self {
            database,
            first,
            second,
            organization,
        }
    }

    /// What both get that begin a change of the directory before either can make it.
    async fn race<A, B>(&self, first: impl Future<Output = A>, second: impl Future<Output = B>) -> (A, B) {
        let mut owner = connect(&self.database.owner()).await;
        let mut gate = connect(&self.database.app()).await;
        let organization = self.organization;
        let close = format!(
            "begin;
             set local baton.organizations = '{organization}';
             select begin_directory_change('{organization}')"
        );
        run(&mut gate, &close).await;
        let open = async {
            while waiting(&mut owner, "advisory").await < 2 {}
            run(&mut gate, "commit").await;
        };
        let (first, second, ()) = tokio::join!(first, second, open);
        (first, second)
    }

    async fn group(&self, n: u128) -> GroupId {
        let created = self
            .first
            .create_group(self.organization, group(n, &name("group", n)));
        created.await.expect("the name is free");
        GroupId::new(id(n))
    }

    async fn person(&self, n: u128, role: PersonRole) -> PersonId {
        let added = self
            .first
            .add_member(self.organization, member(n, &name("p", n), role));
        added.await.expect("the address is free");
        PersonId::new(id(n))
    }

    async fn agent(&self, n: u128) -> AgentId {
        let created = self
            .first
            .create_agent(self.organization, agent(n, &name("agent", n)));
        created.await.expect("the name is free");
        AgentId::new(id(n))
    }
}

async fn run(connection: &mut PgConnection, sql: &str) {
    let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await;
    done.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

fn id(n: u128) -> Ulid {
    Ulid::from_parts(1, n)
}

fn name(word: &str, n: u128) -> String {
    format!("{word}-{n}")
}

fn group(n: u128, name: &str) -> NewGroup {
    NewGroup {
        id: GroupId::new(id(n)),
        name: name.parse().expect("a name"),
        created_at: now(),
    }
}

fn member(n: u128, name: &str, role: PersonRole) -> NewMember {
    NewMember {
        id: PersonId::new(id(n)),
        email: format!("{name}@example.com").parse().expect("an address"),
        role,
        groups: Vec::new(),
        created_at: now(),
    }
}

fn agent(n: u128, name: &str) -> NewAgent {
    NewAgent {
        id: AgentId::new(id(n)),
        name: name.parse().expect("a name"),
        rights: AgentRights {
            start: Scope::All,
            work: Scope::All,
        },
        created_at: now(),
    }
}

fn version(source: &str) -> VersionRow {
    VersionRow {
        process: PROCESS.to_owned(),
        version: 0,
        format: "process".to_owned(),
        source: source.as_bytes().to_vec(),
        content_hash: Digest::new([1; 32]),
        description: "An errand.".to_owned(),
        published_at: now(),
        published_by: None,
    }
}

/// How a change went.
fn word(outcome: &Result<(), ChangeError>) -> &'static str {
    match outcome {
        Ok(()) => "done",
        Err(ChangeError::Taken { .. }) => "taken",
        Err(ChangeError::NotFound { .. }) => "not found",
        Err(ChangeError::LastAdmin) => "last admin",
        Err(ChangeError::InUse(_)) => "in use",
        Err(ChangeError::Store(PortError::Unavailable(_))) => "retry",
        Err(_) => "other",
    }
}

/// Both outcomes, in the order of the alphabet.
fn words(outcomes: &(Result<(), ChangeError>, Result<(), ChangeError>)) -> [&'static str; 2] {
    let mut words = [word(&outcomes.0), word(&outcomes.1)];
    words.sort_unstable();
    words
}

#[tokio::test]
async fn a_name_or_an_address_is_given_to_one_of_two_servers() {
    let arena = Arena::new().await;
    let (one, two, of) = (&arena.first, &arena.second, arena.organization);
    for round in 10..10 + ROUNDS {
        let (n, other) = (2 * round, 2 * round + 1);
        let name = name("same", round);
        let groups = (
            one.create_group(of, group(n, &name)),
            two.create_group(of, group(other, &name)),
        );
        assert_eq!(words(&arena.race(groups.0, groups.1).await), ["done", "taken"]);
        let agents = (
            one.create_agent(of, agent(n, &name)),
            two.create_agent(of, agent(other, &name)),
        );
        assert_eq!(words(&arena.race(agents.0, agents.1).await), ["done", "taken"]);
        let role = PersonRole::Member;
        let members = (
            one.add_member(of, member(n, &name, role)),
            two.add_member(of, member(other, &name, role)),
        );
        assert_eq!(words(&arena.race(members.0, members.1).await), ["done", "taken"]);
        // An organization is made without its directory.
        let ids = [n, other].map(|n| OrganizationId::new(id(n)));
        let made = tokio::join!(
            one.create_organization(ids[0], &name, now()),
            two.create_organization(ids[1], &name, now())
        );
        let made = [made.0, made.1];
        assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 1, "{made:?}");
        assert!(
            made.iter().any(|made| matches!(made, Err(Error::Taken { .. }))),
            "{made:?}"
        );
    }
}

#[tokio::test]
async fn a_name_is_given_by_renaming_or_by_creating_but_once() {
    let arena = Arena::new().await;
    let (one, two, of) = (&arena.first, &arena.second, arena.organization);
    for round in 10..10 + ROUNDS {
        let old = arena.group(2 * round).await;
        let wanted = name("same", round);
        let parsed = wanted.parse().expect("a name");
        let renamed = one.rename_group(of, old, &parsed);
        let created = two.create_group(of, group(2 * round + 1, &wanted));
        assert_eq!(words(&arena.race(renamed, created).await), ["done", "taken"]);
    }
}

#[tokio::test]
async fn of_two_admins_that_step_down_at_once_one_stays() {
    let arena = Arena::new().await;
    let (one, two, of) = (&arena.first, &arena.second, arena.organization);
    let mut stayed = arena.person(10, PersonRole::Admin).await;
    for round in 11..11 + ROUNDS {
        let other = arena.person(round, PersonRole::Admin).await;
        let step_down = MemberChange {
            role: Some(PersonRole::Member),
            groups: None,
        };
        let changed = one.change_member(of, stayed, step_down);
        let outcomes = arena.race(changed, two.remove_member(of, other, now())).await;
        assert_eq!(words(&outcomes), ["done", "last admin"]);
        if outcomes.0.is_ok() {
            stayed = other;
        }
    }
}

#[tokio::test]
async fn whatever_is_removed_twice_is_gone_for_the_second() {
    let arena = Arena::new().await;
    let (one, two, of) = (&arena.first, &arena.second, arena.organization);
    for n in 10..10 + ROUNDS {
        let group = arena.group(n).await;
        let groups = arena
            .race(one.delete_group(of, group), two.delete_group(of, group))
            .await;
        assert_eq!(words(&groups), ["done", "not found"]);
        let agent = arena.agent(n).await;
        let agents = (
            one.remove_agent(of, agent, now()),
            two.remove_agent(of, agent, now()),
        );
        assert_eq!(
            words(&arena.race(agents.0, agents.1).await),
            ["done", "not found"]
        );
        let person = arena.person(n, PersonRole::Operator).await;
        let people = (
            one.remove_member(of, person, now()),
            two.remove_member(of, person, now()),
        );
        assert_eq!(
            words(&arena.race(people.0, people.1).await),
            ["done", "not found"]
        );
    }
}

#[tokio::test]
async fn nobody_is_put_into_a_group_that_is_being_deleted() {
    let arena = Arena::new().await;
    let (one, two, of) = (&arena.first, &arena.second, arena.organization);
    let person = arena.person(9, PersonRole::Member).await;
    for n in 10..10 + ROUNDS {
        let group = arena.group(n).await;
        let put = one.put_into_group(of, group, person);
        let outcomes = arena.race(put, two.delete_group(of, group)).await;
        assert!(["done", "not found"].contains(&word(&outcomes.0)), "{outcomes:?}");
        assert_eq!(word(&outcomes.1), "done");
        let found = one.find_member(of, person).await.expect("the store works");
        assert_eq!(found.expect("a member").groups, Vec::<String>::new());
    }
}

/// Whoever maps a role to a group that is deleted just then may come again, and learns that there is no such group.
#[tokio::test]
async fn a_mapping_to_a_group_that_is_being_deleted_is_to_be_tried_again() {
    let arena = Arena::new().await;
    let (one, two, of) = (&arena.first, &arena.second, arena.organization);
    for n in 10..10 + 2 * ROUNDS {
        let group = arena.group(n).await;
        let role = [(name("role", n), group)];
        let outcomes = if n % 2 == 0 {
            let mapped = one.map_roles(of, PROCESS, &role);
            arena.race(mapped, two.delete_group(of, group)).await
        } else {
            let deleted = two.delete_group(of, group);
            let (deleted, mapped) = arena.race(deleted, one.map_roles(of, PROCESS, &role)).await;
            (mapped, deleted)
        };
        let outcomes = (word(&outcomes.0), word(&outcomes.1));
        assert!(
            [("done", "in use"), ("retry", "done")].contains(&outcomes),
            "{outcomes:?}"
        );
    }
}

#[tokio::test]
async fn of_two_mappings_of_the_same_roles_one_stands_as_a_whole() {
    let arena = Arena::new().await;
    let (one, two, of) = (&arena.first, &arena.second, arena.organization);
    let groups = [
        arena.group(10).await,
        arena.group(11).await,
        arena.group(12).await,
    ];
    let mapping = |to: [usize; 2]| -> [(String, GroupId); 2] {
        [
            ("clerk".to_owned(), groups[to[0]]),
            ("payer".to_owned(), groups[to[1]]),
        ]
    };
    let as_names = |to: [usize; 2]| -> BTreeMap<String, String> {
        [
            ("clerk".to_owned(), name("group", 10 + to[0] as u128)),
            ("payer".to_owned(), name("group", 10 + to[1] as u128)),
        ]
        .into()
    };
    for _ in 0..ROUNDS {
        // The first finds half of what it wants standing, which the second then maps otherwise.
        let before = one.map_roles(of, PROCESS, &mapping([1, 0])).await;
        before.expect("the store works");
        let (first, second) = (mapping([1, 1]), mapping([2, 2]));
        let outcomes = arena
            .race(
                two.map_roles(of, PROCESS, &second),
                one.map_roles(of, PROCESS, &first),
            )
            .await;
        assert_eq!(words(&outcomes), ["done", "done"]);
        let stands = one.role_groups(of, PROCESS).await.expect("the store works");
        assert!(
            [as_names([1, 1]), as_names([2, 2])].contains(&stands),
            "{stands:?}"
        );
    }
}

#[tokio::test]
async fn an_agent_that_is_removed_is_left_without_any_token() {
    let arena = Arena::new().await;
    let (one, two, of) = (&arena.first, &arena.second, arena.organization);
    for n in 10..10 + ROUNDS {
        let agent = arena.agent(n).await;
        let secret = Secret::new(name("token", n));
        let token = NewToken {
            id: TokenId::new(id(n)),
            secret: secret.clone(),
            created_at: now(),
            expires_at: None,
        };
        let issued = one.issue_token(of, agent, token);
        let outcomes = arena.race(issued, two.remove_agent(of, agent, now())).await;
        assert!(["done", "not found"].contains(&word(&outcomes.0)), "{outcomes:?}");
        assert_eq!(word(&outcomes.1), "done");
        let holder = two.principal_by_token("demo", &secret, now()).await;
        assert_eq!(holder.expect("the store works"), None);
    }
}

#[tokio::test]
async fn a_token_is_withdrawn_once() {
    let arena = Arena::new().await;
    let (one, two, of) = (&arena.first, &arena.second, arena.organization);
    let agent = arena.agent(9).await;
    for n in 10..10 + ROUNDS {
        let token = TokenId::new(id(n));
        let new = NewToken {
            id: token,
            secret: Secret::new(name("token", n)),
            created_at: now(),
            expires_at: None,
        };
        one.issue_token(of, agent, new).await.expect("it is new");
        let outcomes = tokio::join!(
            one.withdraw_token(of, agent, token),
            two.withdraw_token(of, agent, token)
        );
        assert_eq!(words(&outcomes), ["done", "not found"]);
    }
}

#[tokio::test]
async fn versions_that_are_published_at_once_are_numbered_one_behind_the_other() {
    let arena = Arena::new().await;
    let (one, two, of) = (&arena.first, &arena.second, arena.organization);
    for round in 0..ROUNDS {
        let (first, second) = (version(&format!("a{round}")), version(&format!("b{round}")));
        let (first, second) = tokio::join!(
            one.publish(of, first, Vec::new()),
            two.publish(of, second, Vec::new())
        );
        let mut numbers = [first, second].map(|published| match published.expect("the store works") {
            Published::New(number) => number,
            Published::Unchanged(number) => panic!("{number} has another text"),
        });
        numbers.sort_unstable();
        let before = u32::try_from(2 * round).expect("small");
        assert_eq!(numbers, [before + 1, before + 2]);
    }
    let same = || version("the same");
    let (first, second) = tokio::join!(
        one.publish(of, same(), Vec::new()),
        two.publish(of, same(), Vec::new())
    );
    let mut published = [first, second].map(|published| format!("{:?}", published.expect("the store works")));
    published.sort_unstable();
    assert_eq!(published, ["New(11)", "Unchanged(11)"]);
}

#[tokio::test]
async fn a_draft_is_deleted_once_and_has_one_whole_text_until_then() {
    let arena = Arena::new().await;
    let (one, two, of) = (&arena.first, &arena.second, arena.organization);
    let by = arena.person(9, PersonRole::Admin).await;
    let text = |source: &str| DraftText {
        source: source.as_bytes().to_vec(),
        name: Some(source.to_owned()),
        content_hash: None,
        at: now(),
        by,
    };
    for n in 10..10 + ROUNDS {
        let draft = DraftId::new(id(n));
        one.create_draft(of, draft, text("before"))
            .await
            .expect("there is room");
        let outcomes = tokio::join!(
            one.replace_draft(of, draft, text("a")),
            two.replace_draft(of, draft, text("b"))
        );
        assert_eq!(words(&outcomes), ["done", "done"]);
        let found = one
            .find_draft(of, draft)
            .await
            .expect("the store works")
            .expect("it is there");
        assert_eq!(found.head.name.map(String::into_bytes), Some(found.source));
        let outcomes = tokio::join!(
            one.replace_draft(of, draft, text("c")),
            two.delete_draft(of, draft)
        );
        assert!(["done", "not found"].contains(&word(&outcomes.0)), "{outcomes:?}");
        assert_eq!(word(&outcomes.1), "done");
        let again = two.delete_draft(of, draft).await;
        assert_eq!(word(&again), "not found");
    }
    let page = Page {
        after: None,
        limit: 10,
    };
    let left = one.list_drafts(of, &page).await.expect("the store works");
    assert!(left.entries.is_empty());
}
