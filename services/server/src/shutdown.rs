//! SIGTERM, SIGINT and SIGHUP (the terminal is gone): the first asks for a clean end, a further one cuts the drain short.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

/// How often the end has been asked for.
#[derive(Debug, Clone)]
pub(crate) struct Shutdown {
    requests: watch::Receiver<u32>,
}

impl Shutdown {
    /// Catches the signals from now on, so that whatever is started after this can be stopped in order.
    pub(crate) fn listen() -> io::Result<Self> {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut hangup = if is_hangup_ignored() {
            None
        } else {
            Some(signal(SignalKind::hangup())?)
        };
        let (sender, requests) = watch::channel(0);
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                    () = received(hangup.as_mut()) => {}
                }
                sender.send_modify(|count| *count += 1);
            }
        });
        Ok(Self { requests })
    }

    /// One that is asked for by hand.
    #[cfg(test)]
    pub(crate) fn manual() -> (watch::Sender<u32>, Self) {
        let (sender, requests) = watch::channel(0);
        (sender, Self { requests })
    }

    /// Waits for the first request.
    pub(crate) async fn requested(&self) {
        self.at_least(1).await;
    }

    /// Waits for a second one: somebody is impatient.
    pub(crate) async fn insisted(&self) {
        self.at_least(2).await;
    }

    async fn at_least(&self, count: u32) {
        // The sender lives as long as the runtime; an error here means that the process is ending anyway.
        let _ = self.requests.clone().wait_for(|seen| *seen >= count).await;
    }
}

async fn received(signal: Option<&mut Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}

/// Whether we were started to outlive the terminal, as `nohup` does. Where the system does not tell, we were not.
fn is_hangup_ignored() -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| ignores_hangup(&status))
}

/// Signal n is bit n - 1 of the mask; SIGHUP is signal 1.
fn ignores_hangup(status: &str) -> bool {
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nohup_started_ignores_the_hangup() {
        let cases = [
            ("SigBlk:\t0000000000000001\nSigIgn:\t0000000000000000\n", false),
            ("SigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n", true),
            ("SigIgn:\t0000000000001000\n", false),
            ("Name:\tbaton\n", false),
        ];
        for (status, expected) in cases {
            assert_eq!(ignores_hangup(status), expected, "{status}");
        }
    }
}
