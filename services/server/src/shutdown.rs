//! SIGTERM and SIGINT: the first asks for a clean end, a further one cuts the drain short.

use std::io;

use tokio::signal::unix::{SignalKind, signal};
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
        let (sender, requests) = watch::channel(0);
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
                sender.send_modify(|count| *count += 1);
            }
        });
        Ok(Self { requests })
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
