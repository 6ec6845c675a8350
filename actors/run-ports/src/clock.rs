//! Time and dice. Nothing inside reads either from anywhere else.

use base::{Secret, Timestamp, Ulid};

/// The one clock: an estimate of the database's, shifted where time travel is on.
pub trait Clock: Send + Sync {
    /// Now. Two calls may see the same instant, and a later one an earlier instant; a run's own time never goes back.
    fn now(&self) -> Timestamp;
}

/// Fresh ids and secrets.
pub trait Random: Send + Sync {
    /// A ULID of this instant that nobody has seen before.
    fn ulid(&self, now: Timestamp) -> Ulid;

    /// Bytes that nobody can guess.
    fn secret(&self) -> Secret<[u8; 32]>;
}
