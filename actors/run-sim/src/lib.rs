//! For tests: the ports in memory, a clock that the test moves, dice with a seed, random processes, and the suites that hold every
//! implementation of a port to its contract.

mod clock;
#[expect(clippy::missing_panics_doc, reason = "a test panics when its rule is broken")]
pub mod contract;
mod dice;
pub mod handing;
#[expect(clippy::missing_panics_doc, reason = "a run that breaks an invariant panics")]
pub mod invariants;
mod memory;
pub mod model;
pub mod processes;
mod random;

pub use clock::ManualClock;
pub use dice::Dice;
pub use memory::{Fault, Kept, MemoryStore};
pub use random::SeededRandom;
