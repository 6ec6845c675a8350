//! The one clock: an estimate of the database's.

use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use base::Timestamp;
use run_ports::Clock;
use sqlx::postgres::PgListener;
use tokio::time::MissedTickBehavior;

use crate::error::Causes;
use crate::instance::{self, CLOCK_MOVED};
use crate::{Error, Store};

/// How often the database's clock is looked at.
const EVERY: Duration = Duration::from_secs(10);
/// Looks at a time; the one with the shortest round trip counts.
const LOOKS: usize = 5;
/// A look that took longer says little, and counts only where there is no better one for long.
const ROUND_TRIP_MAX: Duration = Duration::from_millis(50);
/// So many times in a row nothing but slow looks are passed over: for about a minute.
const PASSED_OVER_MAX: u32 = 5;

/// The time of the database, without asking it: what it was at the last look, and how long ago that was by our monotonic clock. Both
/// together with the offset of time travel.
#[derive(Debug)]
pub struct PgClock {
    store: Store,
    anchor: Instant,
    estimate: Estimate,
}

/// What looks have taught.
#[derive(Debug)]
struct Estimate {
    /// The database's time at the anchor, in microseconds.
    at_anchor_micros: AtomicI64,
    offset_millis: AtomicI64,
    /// How many times nothing but slow looks were passed over.
    passed_over: AtomicU32,
}

/// A look at the database's clock.
#[derive(Debug, Clone, Copy)]
struct Look {
    round_trip: Duration,
    at_anchor_micros: i64,
    offset_millis: i64,
}

impl Estimate {
    /// Before the first look, which counts however long it takes.
    const fn new() -> Self {
        Self {
            at_anchor_micros: AtomicI64::new(0),
            offset_millis: AtomicI64::new(0),
            passed_over: AtomicU32::new(PASSED_OVER_MAX),
        }
    }

    /// The offset of any look counts, unless another has seen a later one: it only grows. The time is that of the quickest look.
    fn learn(&self, looks: &[Look]) {
        for look in looks {
            self.offset_millis
                .fetch_max(look.offset_millis, Ordering::Relaxed);
        }
        let Some(quickest) = looks.iter().min_by_key(|look| look.round_trip) else {
            return;
        };
        if quickest.round_trip > ROUND_TRIP_MAX
            && self.passed_over.fetch_add(1, Ordering::Relaxed) < PASSED_OVER_MAX
        {
            return;
        }
        self.passed_over.store(0, Ordering::Relaxed);
        self.at_anchor_micros
            .store(quickest.at_anchor_micros, Ordering::Relaxed);
    }

    fn at(&self, since_anchor: Duration) -> Timestamp {
        let micros = self.at_anchor_micros.load(Ordering::Relaxed) + micros(since_anchor);
        Timestamp::from_millis(micros.div_euclid(1000) + self.offset_millis.load(Ordering::Relaxed))
    }
}

impl PgClock {
    /// Looks at the database's clock, and goes on doing so for as long as the clock is used.
    pub async fn start(store: &Store) -> Result<Arc<Self>, Error> {
        let clock = Arc::new(Self {
            store: store.clone(),
            anchor: Instant::now(),
            estimate: Estimate::new(),
        });
        clock.refresh().await?;
        tokio::spawn(keep(Arc::downgrade(&clock), store.clone()));
        Ok(clock)
    }

    /// Looks again now.
    pub async fn refresh(&self) -> Result<(), Error> {
        let mut looks = Vec::with_capacity(LOOKS);
        for _ in 0..LOOKS {
            let before = self.anchor.elapsed();
            let sample = instance::sample(&self.store).await?;
            let round_trip = self.anchor.elapsed().saturating_sub(before);
            looks.push(Look {
                round_trip,
                at_anchor_micros: sample.micros - micros(before + round_trip / 2),
                offset_millis: sample.offset_millis,
            });
        }
        self.estimate.learn(&looks);
        Ok(())
    }
}

impl Clock for PgClock {
    fn now(&self) -> Timestamp {
        self.estimate.at(self.anchor.elapsed())
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
                let mut listener = PgListener::connect_with(&store.listeners).await?;
                listener.listen(CLOCK_MOVED).await?;
                moves = Some(listener);
            }
            clock.refresh().await
        };
        if let Err(error) = looked.await {
            tracing::warn!("the database's clock could not be read: {}", Causes(&error));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn look(round_trip_millis: u64, at_anchor_millis: i64, offset_millis: i64) -> Look {
        Look {
            round_trip: Duration::from_millis(round_trip_millis),
            at_anchor_micros: at_anchor_millis * 1000,
            offset_millis,
        }
    }

    fn shown(estimate: &Estimate) -> i64 {
        estimate.at(Duration::ZERO).as_millis()
    }

    #[test]
    fn a_look_from_before_a_journey_does_not_undo_it() {
        let estimate = Estimate::new();
        estimate.learn(&[look(1, 100, 5000)]);
        estimate.learn(&[look(1, 100, 0)]);
        assert_eq!(shown(&estimate), 5100);
    }

    #[test]
    fn the_quickest_look_counts() {
        let estimate = Estimate::new();
        estimate.learn(&[look(9, 100, 0), look(2, 200, 0), look(60, 300, 0)]);
        assert_eq!(shown(&estimate), 200);
    }

    /// Between looks at the first, the seventh and the thirteenth, all of them slow, five are passed over.
    #[test]
    fn slow_looks_count_where_there_are_no_others() {
        let estimate = Estimate::new();
        for (at, wanted) in (1..=13).zip([1, 1, 1, 1, 1, 1, 7, 7, 7, 7, 7, 7, 13]) {
            estimate.learn(&[look(60, at, 0)]);
            assert_eq!(shown(&estimate), wanted, "{at}");
        }
        estimate.learn(&[look(50, 14, 0)]);
        assert_eq!(shown(&estimate), 14);
    }
}
