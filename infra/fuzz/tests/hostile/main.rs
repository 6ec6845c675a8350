//! Input that is made to cost much, each with a bound on the memory that it may cost: how much is held at once, and how much is
//! asked for in all, which grows with the work. Wall time says nothing here: this machine may be busy.

mod json;
mod process;
mod yaml;

use allocation_counter::{AllocationInfo, measure};

/// As large as a document may be.
const LARGEST: usize = 1024 * 1024;

/// The text again and again, up to so many bytes.
fn filled(text: &str, bytes: usize) -> String {
    text.repeat(bytes / text.len())
}

/// The texts of these numbers, behind each other.
fn each(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect::<Vec<_>>().concat()
}

/// What was returned, which cost at most so many bytes for every byte of the input: held at once, and in all.
#[track_caller]
fn within<T>(input: usize, held: u64, in_all: u64, work: impl FnOnce() -> T) -> T {
    const BASE: u64 = 256 * 1024;
    let mut returned = None;
    let AllocationInfo {
        bytes_max,
        bytes_total,
        ..
    } = measure(|| returned = Some(work()));
    let input = u64::try_from(input).expect("input is small");
    assert!(
        bytes_max <= BASE + held * input,
        "{bytes_max} bytes held at once, {input} given"
    );
    assert!(
        bytes_total <= BASE + in_all * input,
        "{bytes_total} bytes in all, {input} given"
    );
    returned.expect("the work was done")
}
