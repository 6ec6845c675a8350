//! Where a format's code runs, a panic is that call's error and nobody's death.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the core or a Plan makes of something; `None` when it panicked. What it was given is read only, so nothing is left half done.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}
