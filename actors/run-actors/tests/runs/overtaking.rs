//! A commit is under way from a server that is gone: no refusal of another server overtakes it.

use std::sync::Arc;
use std::time::Duration;

use base::RunId;
use run_actors::{Limits, RunError};
use run_core::{Outdated, Refusal, Rendered};
use run_ports::RequestKey;
use run_sim::Fault;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::errand::Errand;
use crate::watched::Watched;
use crate::world::{LEASE, Server, World, agent, claim, submit};

/// A submission that was decided in time and whose commit hangs while the lease ends, and another server.
struct Hanging {
    world: World,
    run: RunId,
    first: Arc<Server>,
    second: Server,
    request: RequestKey,
    answer: JoinHandle<Result<Rendered, RunError>>,
}

impl Hanging {
    async fn new() -> Self {
        let world = World::new().await;
        let first = Arc::new(world.server().await);
        let second = Watched::beside(&first.store);
        let second = world.server_on(second, Errand::new(), Limits::default()).await;
        let run = first.started(&world).await;
        first
            .say(&world, run, claim("draft", &agent(1)))
            .await
            .expect("the draft is ready");
        let (state, request) = (world.stored(run).await, world.request(&agent(1)));
        first.store.hold_commits();
        first.store.take_calls();
        let answer = tokio::spawn({
            let (server, request) = (Arc::clone(&first), request.clone());
            async move {
                server
                    .execute(run, submit(&state, &agent(1), None), request)
                    .await
            }
        });
        while !first.store.take_calls().contains(&"commit") {
            tokio::task::yield_now().await;
        }
        world.clock.advance(LEASE.duration);
        Self {
            world,
            run,
            first,
            second,
            request,
            answer,
        }
    }

    /// The same call again, at the other server.
    async fn again(&self) -> Result<Rendered, RunError> {
        let state = self.world.stored(self.run).await;
        let again = submit(&state, &agent(1), None);
        self.second.execute(self.run, again, self.request.clone()).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_waits_for_a_commit_that_is_under_way() {
    let hanging = Hanging::new().await;
    let mut again = Box::pin(hanging.again());
    assert!(timeout(Duration::from_secs(5), &mut again).await.is_err());
    hanging.first.store.release_commits(1);
    let again = again.await;
    assert!(again.is_ok(), "{again:?}");
    assert_eq!(hanging.answer.await.expect("no caller panics"), again);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_sent_when_the_commit_under_way_did_not_happen() {
    let hanging = Hanging::new().await;
    let mut again = Box::pin(hanging.again());
    assert!(timeout(Duration::from_secs(5), &mut again).await.is_err());
    hanging.world.store.inject(Fault::WriteLost);
    hanging.first.store.release_commits(1);
    let expired = Refusal::Stale(Outdated::LeaseEnded);
    assert_eq!(again.await, Err(RunError::Refused(expired)));
}

/// Neither while the store still waits, nor when it gives up.
#[tokio::test(start_paused = true)]
async fn a_commit_that_is_not_settled_in_time_is_unavailable_and_never_a_refusal() {
    let hanging = Hanging::new().await;
    assert_eq!(hanging.again().await, Err(RunError::Unavailable));
    let hanging = Hanging::new().await;
    hanging.second.store.fail_settled(2);
    assert_eq!(hanging.again().await, Err(RunError::Unavailable));
    assert_eq!(hanging.again().await, Err(RunError::Unavailable));
    hanging.first.store.release_commits(1);
    assert!(hanging.again().await.is_ok());
}
