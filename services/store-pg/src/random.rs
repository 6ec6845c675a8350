//! Dice of the operating system.

use base::{Secret, Timestamp, Ulid};
use run_ports::Random;

/// Fresh ids and secrets that nobody can guess.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn ulid(&self, now: Timestamp) -> Ulid {
        let millis = u64::try_from(now.as_millis()).unwrap_or(0);
        Ulid::from_parts(millis, u128::from_le_bytes(bytes()))
    }

    fn secret(&self) -> Secret<[u8; 32]> {
        Secret::new(bytes())
    }
}

/// A number that no other session uses.
pub(crate) fn number() -> i64 {
    i64::from_le_bytes(bytes())
}

fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)
        .expect("the operating systems that servers run on have random numbers from their start");
    bytes
}
