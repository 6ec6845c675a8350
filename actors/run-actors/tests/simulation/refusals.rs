//! A refusal was true at some moment between the call and its answer.

use base::{RunId, Timestamp};
use formats::{Format, compile};
use run_core::state::Phase;
use run_core::{Command, Decision, Known, Plan, Query, Refusal, RunState, decide};
use run_ports::{Directory, RunStore};

use crate::world::{PROCESS, SKEW_MILLIS, World};

/// Moments between call and answer that are tried, besides those at which something changes by itself.
const MOMENTS: i64 = 16;
/// How often facts are asked for.
const ROUNDS_MAX: usize = 8;

/// When a call was made.
#[derive(Clone, Copy)]
pub(crate) struct Since {
    /// The number of the run's last event.
    pub(crate) seq: u64,
    /// Virtual time.
    pub(crate) millis: i64,
    /// The revision of the directory.
    pub(crate) revision: u64,
}

impl World {
    /// Now, for a call that is about to be made.
    pub(crate) async fn since(&self, organization: usize, run: RunId) -> Since {
        let id = self.organizations[organization].id;
        let revision = self.database.store.revision(id).await;
        let look = self.database.store.look(id, None, Some(run)).await;
        let head = look.expect("the store in memory answers").head;
        Since {
            seq: head.map_or(0, |head| head.seq),
            millis: self.now_millis(),
            revision: revision.expect("the store in memory answers"),
        }
    }
}

/// Decides the command on every state that the run had since the call, as of several moments: one of them refuses with these words.
pub(crate) async fn check_refusal(
    world: &World,
    organization: usize,
    (run, command, refusal): (RunId, &Command, &Refusal),
    since: Since,
) {
    let home = &world.organizations[organization];
    let plan = compile(Format::Process, home.process_of(run).text().as_bytes());
    let plan = plan.expect("a drawn process is valid");
    let present = world.since(organization, run).await;
    let journal = world.journal(organization, run).await;
    let until = present.millis + i64::try_from(SKEW_MILLIS).expect("it is short");
    let known_before = usize::try_from(since.seq).unwrap_or(usize::MAX);
    for seq in known_before..=journal.len() {
        let state = RunState::fold(&journal[..seq]).expect("a journal begins with a start");
        for now in moments(&state, since.millis, until) {
            match judge(world, organization, (&*plan, &state, command), now).await {
                Some(found) if found == *refusal => return,
                // Who is who has changed meanwhile: what was known then is not known any more.
                None if present.revision != since.revision => return,
                _ => {}
            }
        }
    }
    let seen: Vec<_> = journal[known_before.saturating_sub(1)..].iter().collect();
    panic!("{run}: {refusal:?} was never true for {command:?} since event {known_before}: {seen:#?}");
}

fn moments(state: &RunState, from: i64, to: i64) -> impl Iterator<Item = Timestamp> {
    let ends = state.steps.values().filter_map(|step| match &step.phase {
        Phase::Claimed(claim) => Some(claim.expires_at.as_millis()),
        _ => None,
    });
    let between = (0..=MOMENTS).map(move |part| from + (to - from) * part / MOMENTS);
    let ends: Vec<i64> = ends.filter(|at| (from..=to).contains(at)).collect();
    between.chain(ends).map(Timestamp::from_millis)
}

/// What the command is refused with; `None` when facts decide, and the facts of now say that it is accepted.
async fn judge(
    world: &World,
    organization: usize,
    (plan, state, command): (&dyn Plan, &RunState, &Command),
    now: Timestamp,
) -> Option<Refusal> {
    let mut known = Known::default();
    for _ in 0..ROUNDS_MAX {
        match decide(plan, state, command, now, &known) {
            Decision::Accepted(_) => return None,
            Decision::Refused { refusal, .. } => return Some(refusal),
            Decision::Needs(queries) => {
                for query in queries {
                    note(world, organization, query, &mut known).await;
                }
            }
        }
    }
    None
}

async fn note(world: &World, organization: usize, query: Query, known: &mut Known) {
    let (store, id) = (&world.database.store, world.organizations[organization].id);
    let answers = "the store in memory answers";
    match query {
        Query::Member { email } => {
            let member = store.member(id, &email).await.expect(answers);
            known.note_member(email, member);
        }
        Query::Role { role } => {
            let assigned = store.role(id, PROCESS, &role).await.expect(answers);
            known.note_role(role, assigned);
        }
        Query::Operators => known.note_operators(store.operators(id).await.expect(answers)),
        Query::File { reference } => {
            let sha256 = store.file(id, &reference).await.expect(answers);
            known.note_file(reference, sha256);
        }
    }
}
