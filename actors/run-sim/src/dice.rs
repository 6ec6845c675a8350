//! Choices from a seed.

use crate::SeededRandom;

/// Dice for tests: the same seed, the same choices.
#[derive(Debug)]
pub struct Dice(SeededRandom);

impl Dice {
    /// Dice of this seed.
    pub fn new(seed: u64) -> Self {
        Self(SeededRandom::new(seed))
    }

    /// A number below `end`; 0 when there is none.
    pub fn below(&self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.0.next() % end).unwrap_or(0)
    }

    /// A number from `first` to `last`.
    pub fn between(&self, first: usize, last: usize) -> usize {
        first + self.below(last.saturating_sub(first) + 1)
    }

    /// True so many times out of a hundred.
    pub fn chance(&self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several.
    pub fn pick<'a, T>(&self, several: &'a [T]) -> Option<&'a T> {
        several.get(self.below(several.len()))
    }
}
