//! Instants. The server's time has milliseconds, so that what is stored, compared and shown is one value.

use std::fmt;
use std::time::Duration;

/// An instant in UTC, in milliseconds since 1970-01-01. Its text is RFC 3339 with three decimals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The first instant that can be shown: year -9999.
    pub const MIN: Self = Self(-377_705_023_201_000);
    /// The last instant that can be shown: year 9999.
    pub const MAX: Self = Self(253_402_207_200_000);

    /// The instant so many milliseconds after 1970-01-01T00:00:00Z, brought within `MIN..=MAX`.
    pub fn from_millis(millis: i64) -> Self {
        Self(millis).clamp(Self::MIN, Self::MAX)
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// This instant plus a duration, at most `MAX`.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self::from_millis(self.0.saturating_add(millis))
    }

    /// How much later this is than `earlier`; zero when it is not.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(instant) => write!(f, "{instant:.3}"),
            Err(_) => write!(f, "{}ms", self.0),
        }
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
