//! Pages of lists.
//!
//! The database ends a page: at its limit of rows, or before a row with which the texts of all would come to more than 1 MiB, unless it
//! is the first. It measures texts without reading them, and what is not on the page never leaves it.

/// What the texts of a page may come to.
pub(crate) const BYTES_MAX: i64 = 1 << 20;

/// A number of rows in the type of the database.
pub(crate) fn rows(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX - 1)
}

/// Whether there are more than are shown; every row of a page tells how many were found, of which there may be one more than its limit.
pub(crate) fn has_more(shown: usize, found: Option<i64>) -> bool {
    found.is_some_and(|found| found > rows(shown))
}
