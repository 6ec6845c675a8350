//! Pages of lists.

/// What the entries of a page may come to.
const PAGE_BYTES_MAX: usize = 1 << 20;

/// One more than fits on the page, so that it is known whether there are more.
pub(crate) fn rows_wanted(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1)
}

/// Cuts a list to a page of at most `limit` rows and about 1 MiB, but of at least one row, and tells whether there are more.
pub(crate) fn cut<R>(rows: &mut Vec<R>, limit: usize, bytes: impl Fn(&R) -> usize) -> bool {
    let mut total = 0;
    let fitting = rows.iter().take(limit).take_while(|row| {
        let is_first = total == 0;
        total += bytes(row).max(1);
        is_first || total <= PAGE_BYTES_MAX
    });
    let fitting = fitting.count();
    let has_more = rows.len() > fitting;
    rows.truncate(fitting);
    has_more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_ends_at_its_limit_or_at_a_mebibyte() {
        let half = PAGE_BYTES_MAX / 2;
        for (sizes, limit, kept) in [
            (vec![], 3, 0),
            (vec![1, 1, 1], 3, 3),
            (vec![1, 1, 1, 1], 3, 3),
            (vec![half, half, 1], 3, 2),
            (vec![2 * PAGE_BYTES_MAX, 1], 3, 1),
        ] {
            let mut rows = sizes.clone();
            let has_more = cut(&mut rows, limit, |size| *size);
            assert_eq!((rows.len(), has_more), (kept, kept < sizes.len()), "{sizes:?}");
        }
    }
}
