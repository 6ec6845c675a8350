//! Organizations do not see each other, whatever SQL somebody writes, and nobody changes what was written.

use base::{AgentId, AgentRights, DraftId, OrganizationId, PersonId, Scope, Secret, TokenId, Ulid};
use run_core::Map;
use run_ports::{Agents as _, DraftText, Drafts as _, NewAgent, NewToken};
use run_sim::contract::Scene;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};
use store_pg::Store;

use crate::support::{Database, connect, execute, now, server, subject_of, url};

/// Tables with rows of two organizations in the first ones.
const FILLED: &[&str] = &[
    "organizations",
    "people",
    "groups",
    "group_members",
    "agents",
    "credentials",
    "drafts",
    "runs",
    "run_inputs",
    "run_events",
    "requests",
    "offers",
];

/// An agent with a token, and a draft.
async fn keep_what_admins_keep(store: &Store, organization: OrganizationId) {
    let (id, by) = (Ulid::from_parts(1, 2), PersonId::new(Ulid::from_parts(1, 3)));
    let agent = NewAgent {
        id: AgentId::new(id),
        name: "alpha".parse().expect("a name"),
        rights: AgentRights {
            start: Scope::All,
            work: Scope::All,
        },
        created_at: now(),
    };
    let done = store.create_agent(organization, agent).await;
    done.expect("the name is free");
    let token = NewToken {
        id: TokenId::new(id),
        secret: Secret::new("a token".to_owned()),
        created_at: now(),
        expires_at: None,
    };
    let done = store.issue_token(organization, AgentId::new(id), token).await;
    done.expect("it is the first");
    let text = DraftText {
        source: Vec::new(),
        name: None,
        content_hash: None,
        at: now(),
        by,
    };
    let done = store.create_draft(organization, DraftId::new(id), text).await;
    done.expect("it is the first");
}

async fn fill(store: &Store) -> [OrganizationId; 2] {
    let subject = subject_of(store);
    let mut organizations = Vec::new();
    for seed in [1, 2] {
        let scene = Scene::new(&subject, seed).await;
        let (mut start, _) = scene.start(Map::from_iter([("for".to_owned(), "nobody".into())]));
        start.request = Some(scene.request("start", &start));
        scene.commit(start).await;
        keep_what_admins_keep(store, scene.organization).await;
        organizations.push(scene.organization);
    }
    organizations.try_into().expect("two")
}

async fn count(connection: &mut PgConnection, table: &str) -> i64 {
    let row = sqlx::query(AssertSqlSafe(format!("select count(*) from {table}")))
        .fetch_one(connection)
        .await;
    row.and_then(|row| row.try_get(0))
        .unwrap_or_else(|error| panic!("{table}: {error}"))
}

async fn tables(connection: &mut PgConnection) -> Vec<String> {
    let rows: Vec<(String,)> = sqlx::query_as(
        "select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization'
         where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1",
    )
    .fetch_all(connection)
    .await
    .expect("the catalog is there");
    rows.into_iter().map(|(name,)| name).collect()
}

#[tokio::test]
async fn without_the_setting_nothing_is_seen() {
    let database = Database::migrated().await;
    let [first, _] = fill(&database.store().await).await;
    let mut app = connect(&database.app()).await;
    let mut owner = connect(&database.owner()).await;
    for table in tables(&mut owner).await {
        if table == "outbox" {
            continue;
        }
        assert_eq!(count(&mut app, &table).await, 0, "{table}");
        if FILLED.contains(&table.as_str()) {
            assert!(count(&mut owner, &table).await >= 2, "{table}");
            let mut transaction = app.begin().await.expect("the connection works");
            let setting = format!("set local baton.organizations = '{first}'");
            sqlx::raw_sql(AssertSqlSafe(setting))
                .execute(&mut *transaction)
                .await
                .expect("anybody may set it");
            let sql = format!("select bool_and(organization = '{first}') from {table}");
            let row = sqlx::query(AssertSqlSafe(sql))
                .fetch_one(&mut *transaction)
                .await
                .expect("it may be read");
            assert_eq!(row.get::<Option<bool>, _>(0), Some(true), "{table}");
        }
    }
}

#[tokio::test]
async fn every_table_of_organizations_is_forced_and_keyed_by_them() {
    let database = Database::migrated().await;
    let mut owner = connect(&database.owner()).await;
    for table in tables(&mut owner).await {
        let sql = format!(
            "select c.relrowsecurity and c.relforcerowsecurity, (
                 select bool_and(a.attname = 'organization') from pg_index i
                 join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
                 where i.indrelid = c.oid and i.indisunique and (i.indisprimary or c.relname <> 'organizations')
             ) from pg_class c where c.oid = 'public.{table}'::regclass"
        );
        let row = sqlx::query(AssertSqlSafe(sql))
            .fetch_one(&mut owner)
            .await
            .expect("the catalog is there");
        assert_eq!((row.get(0), row.get(1)), (Some(true), Some(true)), "{table}");
    }
    let row = sqlx::query(
        "select bool_or(rolsuper or rolbypassrls or rolcreaterole or rolcreatedb) from pg_roles
         where rolname in ('baton_owner', 'baton_app', 'baton_keeper', 'baton_test_app', 'baton_test_keeper')",
    );
    let row = row.fetch_one(&mut owner).await.expect("the catalog is there");
    assert!(!row.get::<bool, _>(0));
}

/// SQLSTATEs: 42501 no such right or outside the policy, 23001 append-only.
#[tokio::test]
async fn nobody_writes_past_the_functions() {
    let database = Database::migrated().await;
    let [first, second] = fill(&database.store().await).await;
    let mut app = connect(&database.app()).await;
    let mut owner = connect(&database.owner()).await;
    let setting = format!("set baton.organizations = '{first}'");
    sqlx::raw_sql(AssertSqlSafe(setting))
        .execute(&mut app)
        .await
        .expect("anybody may set it");
    let foreign = format!(
        "insert into people (organization, person, email, email_lower, role, created_at)
         values ('{second}', 'u_x', 'x', 'x', 'member', 0)"
    );
    for sql in [
        "update runs set state = 'ended'",
        "delete from run_events",
        "insert into requests select * from requests",
        "delete from offers",
        "select * from outbox",
        "set role baton_owner",
        foreign.as_str(),
    ] {
        assert_eq!(code(&mut app, sql).await.as_deref(), Some("42501"), "{sql}");
    }
    for sql in [
        "update run_events set body = '{}'",
        "delete from run_events",
        "truncate run_events, versions",
    ] {
        assert_eq!(code(&mut owner, sql).await.as_deref(), Some("23001"), "{sql}");
    }
}

async fn code(connection: &mut PgConnection, sql: &str) -> Option<String> {
    let refused = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()))
        .execute(connection)
        .await
        .err()?;
    refused
        .as_database_error()?
        .code()
        .map(std::borrow::Cow::into_owned)
}

/// What a company does that gives nobody a superuser: a login that owns its database and may create roles.
#[tokio::test]
async fn migrating_needs_no_superuser_and_changes_nothing_the_second_time() {
    let database = Database::empty().await;
    let mut name = database.owner().get_database().expect("it has a name").to_owned();
    name.push_str("_owner");
    execute(&server(), &format!("create role {name} login createrole")).await;
    let sql = format!(
        "alter database {} owner to {name}",
        database.owner().get_database().expect("it has a name")
    );
    execute(&server(), &sql).await;
    // Since PostgreSQL 16 whoever did not make the roles must be given them. Here other tests have made them.
    if connect(&server()).await.server_version_num() >= Some(160_000) {
        drop(Database::migrated().await);
        execute(&server(), &format!("grant baton_owner to {name}")).await;
    }
    let login: Secret<String> = url(&database.owner().username(&name));
    let migrated = [Store::migrate(&login).await, Store::migrate(&login).await];
    drop(database);
    execute(&server(), &format!("drop role {name}")).await;
    assert!(matches!(migrated, [Ok(()), Ok(())]), "{migrated:?}");
}
