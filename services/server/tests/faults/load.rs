//! Callers that drive many runs at once, each sending a write again until it is known what came of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::call::{Caller, Outcome, pace};
use crate::dice::Dice;
use crate::drive::{Live, Next};

/// Runs that a caller has open at once.
const OPEN_RUNS: usize = 4;
/// Longer than any fault lasts.
const PATIENCE: Duration = Duration::from_mins(2);
/// Reads of a caller in a row that change nothing, before it waits for its turn.
const IDLE_READS: u32 = 4;

/// A write that was acknowledged.
#[derive(Debug, Clone)]
pub(crate) struct Write {
    pub(crate) who: &'static str,
    pub(crate) tool: &'static str,
    pub(crate) arguments: Value,
    /// The first answer.
    pub(crate) answer: Value,
}

/// What happened so far.
#[derive(Debug, Default, Clone)]
pub(crate) struct Counts {
    pub(crate) calls: usize,
    pub(crate) acknowledged: usize,
    pub(crate) refused: usize,
    pub(crate) retries: usize,
    pub(crate) broken: usize,
    resting: usize,
    ended: usize,
    failure: Option<String>,
}

/// What callers are to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Start runs and drive them.
    Going,
    /// Finish the call on the way, and wait.
    Resting,
    /// Drive every run to its end and start no more.
    Ending,
}

struct Shared {
    servers: watch::Receiver<Vec<String>>,
    mode: watch::Receiver<Mode>,
    counts: watch::Sender<Counts>,
    writes: Mutex<BTreeMap<String, Write>>,
    /// Every request id that was ever sent.
    sent: Mutex<BTreeSet<String>>,
}

/// The callers.
pub(crate) struct Load {
    servers: watch::Sender<Vec<String>>,
    mode: watch::Sender<Mode>,
    shared: Arc<Shared>,
    callers: usize,
}

impl Load {
    /// Starts callers at servers that are ready.
    pub(crate) fn start(runtime: &Runtime, readies: &[&Value], (callers, seed): (usize, u64)) -> Self {
        let (servers, servers_of) = watch::channel(addresses(readies));
        let (mode, mode_of) = watch::channel(Mode::Going);
        let shared = Arc::new(Shared {
            servers: servers_of,
            mode: mode_of,
            counts: watch::channel(Counts::default()).0,
            writes: Mutex::default(),
            sent: Mutex::default(),
        });
        for number in 0..callers {
            let seed = seed.wrapping_mul(1000) + u64::try_from(number).expect("few");
            let (shared, caller) = (Arc::clone(&shared), Caller::new(readies[0]));
            let name = format!("s{seed}");
            let driving = runtime.spawn(drive(Arc::clone(&shared), caller, (name, Dice::new(seed))));
            runtime.spawn(async move {
                let failure = driving.await.err().map(|error| error.to_string());
                shared.counts.send_modify(|counts| {
                    counts.ended += 1;
                    counts.failure = failure.or(counts.failure.take());
                });
            });
        }
        Self {
            servers,
            mode,
            shared,
            callers,
        }
    }

    /// Servers may have gone and come.
    pub(crate) fn move_to(&self, readies: &[&Value]) {
        self.servers.send_replace(addresses(readies));
    }

    pub(crate) fn counts(&self) -> Counts {
        self.shared.counts.borrow().clone()
    }

    /// Waits for so many more acknowledged writes.
    pub(crate) async fn more(&self, writes: usize) {
        let wanted = self.counts().acknowledged + writes;
        self.until(|counts| counts.acknowledged >= wanted).await;
    }

    /// Waits for so many more calls that came to nothing.
    pub(crate) async fn more_unknown(&self, calls: usize) {
        let unknown = |counts: &Counts| counts.retries + counts.broken;
        let wanted = unknown(&self.counts()) + calls;
        self.until(|counts| unknown(counts) >= wanted).await;
    }

    /// Waits for so many more calls whose caller was told to come again.
    pub(crate) async fn more_retries(&self, calls: usize) {
        let wanted = self.counts().retries + calls;
        self.until(|counts| counts.retries >= wanted).await;
    }

    /// Waits until nothing is on the way any more; until `go_on` nobody writes.
    pub(crate) async fn rest(&self) {
        self.mode.send_replace(Mode::Resting);
        self.until(|counts| counts.resting + counts.ended == self.callers)
            .await;
    }

    pub(crate) fn go_on(&self) {
        self.mode.send_replace(Mode::Going);
    }

    /// Drives every run to its end.
    pub(crate) async fn end(&self) {
        self.mode.send_replace(Mode::Ending);
        self.until(|counts| counts.ended == self.callers).await;
    }

    /// The acknowledged writes, by their request ids.
    pub(crate) fn writes(&self) -> BTreeMap<String, Write> {
        self.shared
            .writes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn sent(&self) -> BTreeSet<String> {
        self.shared
            .sent
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    async fn until(&self, condition: impl Fn(&Counts) -> bool) {
        let mut counts = self.shared.counts.subscribe();
        let waited = counts.wait_for(|counts| counts.failure.is_some() || condition(counts));
        let found = match tokio::time::timeout(PATIENCE, waited).await {
            Ok(found) => found.expect("it is shared").clone(),
            Err(late) => panic!("{late}: {:?}", self.counts()),
        };
        assert_eq!(found.failure, None);
    }
}

fn addresses(readies: &[&Value]) -> Vec<String> {
    let address = |ready: &&Value| ready["mcp"].as_str().expect("an address").to_owned();
    readies.iter().map(address).collect()
}

/// One caller, until every run has ended.
async fn drive(shared: Arc<Shared>, caller: Caller, (name, mut dice): (String, Dice)) {
    let mut runs: Vec<Live> = Vec::new();
    let mut mode = shared.mode.clone();
    let (mut started, mut reads) = (0, 0);
    let mut pace = pace();
    loop {
        let wanted = *mode.borrow_and_update();
        match wanted {
            Mode::Resting => {
                shared.counts.send_modify(|counts| counts.resting += 1);
                if mode.changed().await.is_err() {
                    return;
                }
                shared.counts.send_modify(|counts| counts.resting -= 1);
                continue;
            }
            Mode::Ending if runs.is_empty() => return,
            Mode::Going if runs.len() < OPEN_RUNS => {
                started += 1;
                runs.push(Live::new(format!("{name}-{started}")));
            }
            Mode::Going | Mode::Ending => {}
        }
        let chosen = dice.below(runs.len());
        let next = runs[chosen].next(&mut dice);
        reads = if next.tool == "get_run" { reads + 1 } else { 0 };
        if reads > IDLE_READS {
            pace.tick().await;
        }
        let data = insist(&shared, &caller, (&next, &mut dice)).await;
        runs[chosen].learn(&next, data);
        if runs[chosen].is_over() {
            runs.swap_remove(chosen);
        }
    }
}

/// Calls until it is known what came of it. No data when it was refused as foreseen.
async fn insist(shared: &Shared, caller: &Caller, (next, dice): (&Next, &mut Dice)) -> Option<Value> {
    let id = next.arguments["requestId"].as_str();
    let locked = || shared.sent.lock().unwrap_or_else(PoisonError::into_inner);
    locked().extend(id.map(str::to_owned));
    let mut pace = pace();
    loop {
        let servers = shared.servers.borrow().clone();
        let server = &servers[dice.below(servers.len())];
        let outcome = caller.call(server, next.who, (next.tool, &next.arguments)).await;
        count(shared, &outcome, id);
        match outcome {
            Outcome::Done(data) => {
                note(shared, next, &data);
                assert!(
                    next.refusals.is_empty() || next.tool == "decide",
                    "must be refused: {next:?}: {data}"
                );
                return Some(data);
            }
            Outcome::Refused(code, issues) => {
                assert!(
                    next.refusals.contains(&code.as_str()),
                    "{next:?}: {code} {issues:?}"
                );
                return None;
            }
            Outcome::Retry | Outcome::Broken => pace.tick().await,
        };
    }
}

fn note(shared: &Shared, next: &Next, data: &Value) {
    let Some(id) = next.arguments["requestId"].as_str() else {
        return;
    };
    let write = Write {
        who: next.who,
        tool: next.tool,
        arguments: next.arguments.clone(),
        answer: data.clone(),
    };
    let mut writes = shared.writes.lock().unwrap_or_else(PoisonError::into_inner);
    writes.insert(id.to_owned(), write);
}

fn count(shared: &Shared, outcome: &Outcome, written: Option<&str>) {
    shared.counts.send_modify(|counts| {
        counts.calls += 1;
        match outcome {
            Outcome::Done(_) => counts.acknowledged += usize::from(written.is_some()),
            Outcome::Refused(..) => counts.refused += 1,
            Outcome::Retry => counts.retries += 1,
            Outcome::Broken => counts.broken += 1,
        }
    });
}
