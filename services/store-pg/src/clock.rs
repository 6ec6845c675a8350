//! The one clock: an estimate of the database's.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use base::Timestamp;
use run_ports::Clock;
use sqlx::postgres::PgListener;
use tokio::time::MissedTickBehavior;

use crate::instance::{self, CLOCK_MOVED};
use crate::{Error, Store};

/// How often the database's clock is looked at.
const EVERY: Duration = Duration::from_secs(10);
/// Looks at a time; the one with the shortest round trip counts.
const LOOKS: usize = 5;
/// A look that took longer says too little.
const ROUND_TRIP_MAX: Duration = Duration::from_millis(50);

/// The time of the database, without asking it: what it was at the last look, and how long ago that was by our monotonic clock. Both
/// together with the offset of time travel.
#[derive(Debug)]
pub struct PgClock {
    store: Store,
    anchor: Instant,
    /// The database's time at the anchor, in microseconds.
    at_anchor_micros: AtomicI64,
    offset_millis: AtomicI64,
}

impl PgClock {
    /// Looks at the database's clock, and goes on doing so for as long as the clock is used.
    pub async fn start(store: &Store) -> Result<Arc<Self>, Error> {
        let clock = Arc::new(Self {
            store: store.clone(),
            anchor: Instant::now(),
            at_anchor_micros: AtomicI64::new(0),
            offset_millis: AtomicI64::new(0),
        });
        clock.estimate(Duration::MAX).await?;
        tokio::spawn(keep(Arc::downgrade(&clock), store.clone()));
        Ok(clock)
    }

    /// Looks again now.
    pub async fn refresh(&self) -> Result<(), Error> {
        self.estimate(ROUND_TRIP_MAX).await
    }

    /// The offset of time travel counts in any case; the time only of a look that was quick enough.
    async fn estimate(&self, round_trip_max: Duration) -> Result<(), Error> {
        let mut best: Option<(Duration, i64)> = None;
        for _ in 0..LOOKS {
            let before = self.anchor.elapsed();
            let sample = instance::sample(&self.store).await?;
            let round_trip = self.anchor.elapsed().saturating_sub(before);
            let middle = before + round_trip / 2;
            self.offset_millis.store(sample.offset_millis, Ordering::Relaxed);
            if best.is_none_or(|(shortest, _)| round_trip < shortest) {
                best = Some((round_trip, sample.micros - micros(middle)));
            }
        }
        if let Some((round_trip, at_anchor)) = best
            && round_trip <= round_trip_max
        {
            self.at_anchor_micros.store(at_anchor, Ordering::Relaxed);
        }
        Ok(())
    }
}

impl Clock for PgClock {
    fn now(&self) -> Timestamp {
        let micros = self.at_anchor_micros.load(Ordering::Relaxed) + micros(self.anchor.elapsed());
        Timestamp::from_millis(micros.div_euclid(1000) + self.offset_millis.load(Ordering::Relaxed))
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// Looks at the clock now and then, and at once when it was moved. What is not heard, the next look finds.
async fn keep(clock: Weak<PgClock>, store: Store) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut moves = None;
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = heard(&mut moves) => {}
        }
        let Some(clock) = clock.upgrade() else { return };
        if store.readers.is_closed() {
            return;
        }
        let looked = async {
            if moves.is_none() {
                let mut listener = PgListener::connect_with(&store.readers).await?;
                listener.listen(CLOCK_MOVED).await?;
                moves = Some(listener);
            }
            clock.refresh().await
        };
        if let Err(error) = looked.await {
            tracing::warn!("the database's clock could not be read: {error}");
        }
    }
}

/// Ends when the clock was moved, and with the connection.
async fn heard(moves: &mut Option<PgListener>) {
    match moves {
        None => std::future::pending().await,
        Some(listener) => {
            if listener.recv().await.is_err() {
                *moves = None;
            }
        }
    }
}
