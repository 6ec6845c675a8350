//! One run from its start to its end, with every kind of write in it.

use base::RunId;
use run_actors::RunError;
use run_core::command::Verdict;
use run_core::state::RunState;
use run_core::{Command, Rendered};
use run_ports::RequestKey;

use crate::errand::PAUSE;
use crate::world::{
    Server, World, agent, approved, caller, cancel, claim, decide, escalate, member, operator, rejected,
    renew, run_of, send_event, start_by, submit,
};

/// What somebody does next.
pub(crate) enum Act {
    /// A command, made of what its caller sees.
    Say(fn(&RunState) -> Command),
    /// An hour passes, and somebody reads.
    Elapse,
}

/// What follows the start. Each writes once, the last but one ends the run, and the last is refused.
pub(crate) const ACTS: [Act; 17] = [
    Act::Say(|_| claim("draft", &agent(1))),
    Act::Say(|seen| renew(seen, &agent(1))),
    Act::Say(|seen| submit(seen, &agent(1), Some(("wrong", "field")))),
    Act::Say(|seen| submit(seen, &agent(1), None)),
    Act::Say(|seen| decide(seen, &member(1), rejected())),
    Act::Say(|_| claim("draft", &agent(2))),
    Act::Say(|seen| escalate(seen, &agent(2))),
    Act::Say(|seen| {
        let note = "try again".to_owned();
        decide(seen, &operator(), Verdict::Returned { note })
    }),
    Act::Say(|_| claim("draft", &agent(2))),
    Act::Say(|seen| submit(seen, &agent(2), None)),
    Act::Say(|_| send_event(&agent(3), "news")),
    Act::Say(|seen| decide(seen, &member(2), approved())),
    Act::Elapse,
    Act::Say(|_| claim("send", &agent(1))),
    Act::Say(|seen| renew(seen, &agent(1))),
    Act::Say(|seen| submit(seen, &agent(1), None)),
    Act::Say(|_| cancel(&operator())),
];

/// A request and what it was told.
pub(crate) struct Told {
    pub(crate) request: RequestKey,
    /// `None`: it was the start.
    pub(crate) command: Option<Command>,
    pub(crate) answer: Result<Rendered, RunError>,
}

/// Plays the script. Every act goes to the next server, and is tried again under its request id while nobody knows. `before` is told
/// which write comes next: 0 is the start.
pub(crate) async fn play(world: &World, servers: &[Server], before: impl Fn(usize)) -> (RunId, Vec<Told>) {
    let mut next = servers.iter().cycle();
    let mut told = Vec::new();
    before(0);
    let request = world.request(&operator());
    let answer = known(|| {
        let (server, request) = (next.next(), request.clone());
        async move {
            server
                .expect("there is a server")
                .start(start_by(&operator()), request)
                .await
        }
    })
    .await;
    let run = run_of(answer.as_ref().expect("the errand starts"));
    told.push(Told {
        request,
        command: None,
        answer,
    });
    for (n, act) in ACTS.iter().enumerate() {
        before(n + 1);
        match act {
            Act::Elapse => {
                world.clock.advance(PAUSE);
                let seen = known(|| {
                    let server = next.next();
                    async move { server.expect("there is a server").see(run).await }
                });
                assert!(seen.await.is_ok(), "a run can be read");
            }
            Act::Say(command) => {
                let command = command(&world.stored(run).await);
                let request = world.request(caller(&command));
                let answer = known(|| {
                    let (server, command, request) = (next.next(), command.clone(), request.clone());
                    async move {
                        server
                            .expect("there is a server")
                            .execute(run, command, request)
                            .await
                    }
                })
                .await;
                told.push(Told {
                    request,
                    command: Some(command),
                    answer,
                });
            }
        }
    }
    (run, told)
}

/// Asks again until there is an answer.
async fn known<T, W>(mut ask: impl FnMut() -> W) -> Result<T, RunError>
where
    W: Future<Output = Result<T, RunError>>,
{
    for _ in 0..8 {
        match ask().await {
            Err(RunError::Unavailable) => {}
            answer => return answer,
        }
    }
    Err(RunError::Unavailable)
}
