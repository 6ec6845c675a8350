//! Changing a role's group, a group's members or the operators moves open items by an event of each run (process.md §5), and no item
//! that is opened at the very moment is for those of yesterday.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use base::{Caller, Digest, GroupId, PersonRole, RunId, Ulid};
use run_actors::{Keeper, RunError};
use run_core::command::Verdict;
use run_core::event::{Assigned, EventKind};
use run_core::{Command, Refusal, Rendered, Unentitled};
use run_ports::{ItemReader, PageOf, Reassignments, WorkQueries};
use tokio::task::JoinHandle;

use crate::errand::Errand;
use crate::world::{
    Server, World, agent, approved, claim, decide, email, escalate, group, member, operator, pass, person,
    start_by, submit,
};

/// Persons 4 and 5.
fn treasury() -> GroupId {
    GroupId::new(Ulid::from_parts(0, 51))
}

/// An operator or no longer one, as it is let in.
fn somebody(n: u128, role: PersonRole) -> Caller {
    Caller::Person {
        id: person(n),
        email: email(n),
        role,
    }
}

impl World {
    /// With more members, whom nothing is for yet.
    async fn with_treasury() -> Self {
        let world = Self::new().await;
        for n in 4..=5 {
            let member = (&*email(n), PersonRole::Member);
            world.store.add_person(world.organization, person(n), member);
        }
        world
            .store
            .put_group(world.organization, treasury(), [person(4), person(5)]);
        world
    }

    async fn map_reviewers(&self, group: GroupId) {
        self.publish_with(1, vec![("reviewers".to_owned(), group)]).await;
    }

    fn put_reviewers(&self, members: impl IntoIterator<Item = u128>) {
        let members = members.into_iter().map(person);
        self.store.put_group(self.organization, group(), members);
    }

    fn let_in(&self, n: u128, role: PersonRole) {
        self.store
            .add_person(self.organization, person(n), (&email(n), role));
    }

    /// The runs in somebody's `get_work`, and the snapshots that their decisions carry.
    async fn work_of(&self, reader: ItemReader) -> Vec<(RunId, Digest)> {
        let page = PageOf {
            after: None,
            limit: 2_000,
            process: None,
        };
        let items = self.store.items(self.organization, reader, &page).await;
        let entries = items.expect("the store in memory answers").entries;
        entries.iter().map(|entry| (entry.run, entry.snapshot)).collect()
    }

    async fn runs_of(&self, n: u128) -> Vec<RunId> {
        let work = self.work_of(ItemReader::Member(person(n))).await;
        work.into_iter().map(|(run, _)| run).collect()
    }

    async fn noted(&self) -> usize {
        let noted = self.store.noted(self.organization, None, 2_000).await;
        noted.expect("the store in memory answers").len()
    }

    async fn times_moved(&self, run: RunId) -> usize {
        let journal = self.journal(run).await;
        let is_move = |kind: &EventKind| matches!(kind, EventKind::ItemReassigned { .. });
        journal.iter().filter(|event| is_move(&event.kind)).count()
    }
}

impl Server {
    /// A run whose check is open for the reviewers.
    async fn checked(&self, world: &World) -> RunId {
        let run = self.started(world).await;
        self.work(world, run, "draft").await;
        run
    }

    async fn apply(&self) {
        self.runs.apply_reassignments(self.organization).await;
    }
}

const NOT_ASSIGNED: Result<Rendered, RunError> =
    Err(RunError::Refused(Refusal::Forbidden(Unentitled::NotAssigned)));

#[tokio::test]
async fn changing_a_roles_group_moves_open_items() {
    let world = World::with_treasury().await;
    let server = world.server().await;
    let run = server.checked(&world).await;
    let state = world.stored(run).await;
    let before = world.work_of(ItemReader::Member(person(1))).await;
    world.map_reviewers(treasury()).await;
    server.apply().await;
    assert_eq!((world.times_moved(run).await, world.noted().await), (1, 0));
    assert_eq!(world.runs_of(1).await, []);
    assert_eq!(
        world.work_of(ItemReader::Member(person(4))).await,
        before,
        "run data has not changed, nor has the snapshot"
    );
    let old = decide(&state, &member(1), approved());
    assert_eq!(server.say(&world, run, old).await, NOT_ASSIGNED);
    let new = decide(&state, &member(4), approved());
    server
        .say(&world, run, new)
        .await
        .expect("it is for the treasury now");
}

#[tokio::test]
async fn changing_a_groups_members_moves_open_items() {
    let world = World::with_treasury().await;
    let server = world.server().await;
    let run = server.checked(&world).await;
    world.put_reviewers([2, 4]);
    server.apply().await;
    for (n, runs) in [(1, vec![]), (2, vec![run]), (3, vec![]), (4, vec![run])] {
        assert_eq!(world.runs_of(n).await, runs, "{n}");
    }
    let state = world.stored(run).await;
    let old = decide(&state, &member(1), approved());
    assert_eq!(server.say(&world, run, old).await, NOT_ASSIGNED);
    let new = decide(&state, &member(4), approved());
    server
        .say(&world, run, new)
        .await
        .expect("person 4 is in the group now");
}

#[tokio::test]
async fn changing_the_operators_moves_escalations() {
    let world = World::with_treasury().await;
    let server = world.server().await;
    let run = server.started(&world).await;
    server
        .say(&world, run, claim("draft", &agent(1)))
        .await
        .expect("it is ready");
    let state = world.stored(run).await;
    server
        .say(&world, run, escalate(&state, &agent(1)))
        .await
        .expect("the claim holds");
    let assigned = async || {
        let state = world.stored(run).await;
        match &state
            .step("draft")
            .and_then(|step| step.item())
            .expect("open")
            .assigned
        {
            Assigned::Group { members, .. } => members.clone(),
            Assigned::Person { .. } => panic!("operators are a group"),
        }
    };
    assert_eq!(assigned().await, [person(9)]);
    world.let_in(4, PersonRole::Operator);
    server.apply().await;
    assert_eq!(assigned().await, [person(4), person(9)]);
    world.let_in(4, PersonRole::Member);
    server.apply().await;
    assert_eq!(assigned().await, [person(9)]);
    let returned = || Verdict::Returned {
        note: "go on".to_owned(),
    };
    let state = world.stored(run).await;
    let demoted = decide(&state, &somebody(4, PersonRole::Member), returned());
    assert_eq!(server.say(&world, run, demoted).await, NOT_ASSIGNED);
    world.let_in(4, PersonRole::Admin);
    server.apply().await;
    let promoted = decide(&state, &somebody(4, PersonRole::Admin), returned());
    server
        .say(&world, run, promoted)
        .await
        .expect("admins decide escalations");
}

#[tokio::test]
async fn a_run_that_has_ended_is_left_alone() {
    let world = World::with_treasury().await;
    let server = world.server().await;
    let run = server.checked(&world).await;
    world.put_reviewers([4]);
    let cancel = crate::world::cancel(&operator());
    server.say(&world, run, cancel).await.expect("it runs");
    let seq = world.stored(run).await.seq;
    server.apply().await;
    assert_eq!((world.stored(run).await.seq, world.noted().await), (seq, 0));
}

#[tokio::test]
async fn moving_twice_is_moving_once() {
    let world = World::with_treasury().await;
    let (one, other) = (world.server().await, world.server().await);
    let run = one.checked(&world).await;
    world.put_reviewers([4]);
    tokio::join!(one.apply(), other.apply());
    one.apply().await;
    assert_eq!((world.times_moved(run).await, world.noted().await), (1, 0));
}

/// The item is newer than what the server that applies the change has in memory of the run.
#[tokio::test]
async fn an_item_that_another_server_opened_moves() {
    let world = World::with_treasury().await;
    let (one, other) = (world.server().await, world.server().await);
    let run = one.started(&world).await;
    other.work(&world, run, "draft").await;
    world.put_reviewers([4]);
    one.apply().await;
    assert_eq!(world.runs_of(4).await, [run]);
    let state = world.stored(run).await;
    let old = decide(&state, &member(1), approved());
    assert_eq!(
        other.say(&world, run, old).await,
        NOT_ASSIGNED,
        "whatever it has in memory"
    );
}

#[tokio::test]
async fn an_answer_of_before_the_change_stays_what_it_was() {
    let world = World::with_treasury().await;
    let server = world.server().await;
    let run = server.started(&world).await;
    server
        .say(&world, run, claim("draft", &agent(1)))
        .await
        .expect("it is ready");
    let (state, request) = (world.stored(run).await, world.request(&agent(1)));
    let submit = || submit(&state, &agent(1), None);
    let answer = server.execute(run, submit(), request.clone()).await;
    assert!(answer.is_ok());
    world.map_reviewers(treasury()).await;
    server.apply().await;
    assert_eq!(server.execute(run, submit(), request).await, answer);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_runs_move_in_one_call() {
    let world = World::with_treasury().await;
    let server = world.server().await;
    for _ in 0..1_000 {
        server.checked(&world).await;
    }
    world.map_reviewers(treasury()).await;
    server.apply().await;
    let moved = (world.runs_of(1).await.len(), world.runs_of(4).await.len());
    assert_eq!((moved, world.noted().await), ((0, 1_000), 0));
}

/// As when a server is killed after it has made a change.
#[tokio::test(start_paused = true)]
async fn a_sweep_moves_what_a_killed_server_has_left() {
    let world = World::with_treasury().await;
    let run = world.server().await.checked(&world).await;
    world.map_reviewers(treasury()).await;
    assert_eq!(world.times_moved(run).await, 0);
    let server = world.server().await;
    let _keeper = Keeper::start(&server.runs);
    pass(Duration::from_millis(1)).await;
    assert_eq!((world.times_moved(run).await, world.noted().await), (1, 0));
    pass(Duration::from_secs(5)).await;
    world.map_reviewers(group()).await;
    pass(Duration::from_secs(5)).await;
    assert_eq!(
        world.times_moved(run).await,
        1,
        "whoever made the change may be at it"
    );
    pass(Duration::from_secs(5)).await;
    assert_eq!((world.times_moved(run).await, world.noted().await), (2, 0));
}

#[tokio::test]
async fn a_run_that_cannot_be_moved_keeps_its_note_and_delays_no_other() {
    let world = World::with_treasury().await;
    let first = world.server().await;
    let mut runs = Vec::new();
    for _ in 0..300 {
        runs.push(first.checked(&world).await);
    }
    world.map_reviewers(treasury()).await;
    let server = world.server().await;
    let broken: BTreeSet<_> = runs[..280].iter().copied().collect();
    server.store.break_journals(broken.clone());
    server.apply().await;
    for run in &runs {
        assert_eq!(
            world.times_moved(*run).await,
            usize::from(!broken.contains(run)),
            "{run}"
        );
    }
    assert_eq!(world.noted().await, 280);
    server.store.break_journals(BTreeSet::new());
    server.apply().await;
    assert_eq!((world.runs_of(4).await.len(), world.noted().await), (300, 0));
}

/// A command whose facts are fetched, and whose commit waits.
async fn held(server: &Arc<Server>, world: &World, (run, command): (RunId, Command)) -> Held {
    server.store.hold_commits();
    server.store.take_calls();
    let request = world.request(&agent(1));
    let answer = tokio::spawn({
        let server = Arc::clone(server);
        async move { server.execute(run, command, request).await }
    });
    while !server.store.take_calls().contains(&"commit") {
        tokio::task::yield_now().await;
    }
    answer
}

type Held = JoinHandle<Result<Rendered, RunError>>;

/// Its facts were fetched before the change and its commit comes after it.
#[tokio::test]
async fn an_item_that_opens_at_the_moment_of_the_change_is_for_those_of_after_it() {
    let world = World::with_treasury().await;
    let server = Arc::new(world.server().await);
    let run = server.started(&world).await;
    server
        .say(&world, run, claim("draft", &agent(1)))
        .await
        .expect("it is ready");
    let command = submit(&world.stored(run).await, &agent(1), None);
    let answer = held(&server, &world, (run, command)).await;
    world.map_reviewers(treasury()).await;
    assert_eq!(world.noted().await, 0, "there is no item yet");
    server.store.release_commits(8);
    answer.await.expect("nothing panics").expect("the claim holds");
    assert_eq!(
        (world.runs_of(1).await, world.runs_of(4).await),
        (vec![], vec![run])
    );
    assert_eq!(world.times_moved(run).await, 0, "it opened where it belongs");
}

#[tokio::test]
async fn an_item_that_a_start_opens_at_the_moment_of_the_change_is_for_those_of_after_it() {
    let world = World::with_treasury().await;
    let server = Arc::new(world.server_of(Errand::checks_first()).await);
    server.store.hold_commits();
    let request = world.request(&operator());
    let answer: Held = tokio::spawn({
        let server = Arc::clone(&server);
        async move { server.start(start_by(&operator()), request).await }
    });
    while !server.store.take_calls().contains(&"commit") {
        tokio::task::yield_now().await;
    }
    world.put_reviewers([4]);
    server.store.release_commits(8);
    let answer = answer.await.expect("nothing panics");
    let run = crate::world::run_of(&answer.expect("anybody may start it"));
    assert_eq!(
        (world.runs_of(1).await, world.runs_of(4).await),
        (vec![], vec![run])
    );
}

/// The item is reassigned on facts of the first change, while the second one is made.
#[tokio::test]
async fn of_two_changes_in_a_row_the_last_one_holds() {
    let world = World::with_treasury().await;
    let server = Arc::new(world.server().await);
    let run = server.checked(&world).await;
    world.map_reviewers(treasury()).await;
    server.store.hold_commits();
    server.store.take_calls();
    let applying = tokio::spawn({
        let server = Arc::clone(&server);
        async move { server.apply().await }
    });
    while !server.store.take_calls().contains(&"commit") {
        tokio::task::yield_now().await;
    }
    world.map_reviewers(group()).await;
    world.put_reviewers([5]);
    server.store.release_commits(8);
    applying.await.expect("nothing panics");
    server.apply().await;
    assert_eq!((world.runs_of(5).await, world.noted().await), (vec![run], 0));
    assert_eq!((world.runs_of(4).await, world.runs_of(1).await), (vec![], vec![]));
}
