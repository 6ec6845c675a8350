//! Dice that fall the same way every time.

use std::sync::atomic::{AtomicU64, Ordering};

use base::{Secret, Timestamp, Ulid};
use run_ports::Random;

/// The increment of `SplitMix64` (Steele, Lea and Flood, 2014).
const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Ids from a seed.
#[derive(Debug)]
pub struct SeededRandom(AtomicU64);

impl SeededRandom {
    /// Two of the same seed give the same ids.
    pub fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }

    /// The next number.
    pub fn next(&self) -> u64 {
        let mut z = self
            .0
            .fetch_add(GOLDEN_GAMMA, Ordering::SeqCst)
            .wrapping_add(GOLDEN_GAMMA);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl Random for SeededRandom {
    fn ulid(&self, now: Timestamp) -> Ulid {
        let millis = u64::try_from(now.as_millis()).unwrap_or(0);
        Ulid::from_parts(millis, u128::from(self.next()) << 64 | u128::from(self.next()))
    }

    fn secret(&self) -> Secret<[u8; 32]> {
        let mut bytes = [0; 32];
        for part in bytes.chunks_exact_mut(8) {
            part.copy_from_slice(&self.next().to_le_bytes());
        }
        Secret::new(bytes)
    }
}
