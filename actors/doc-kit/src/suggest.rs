//! "Did you mean …?"

/// The candidate nearest to `given`, when it is near enough to be a likely slip of the pen.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const GIVEN_CHARS_MAX: usize = 100;
    if given.len() > GIVEN_CHARS_MAX {
        return None;
    }
    let allowed = (given.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= 2 * GIVEN_CHARS_MAX)
        .map(|candidate| (strsim::osa_distance(&fold(given), &fold(candidate)), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `onReject`, `on-reject` and `on_reject` are one slip apart from nothing.
fn fold(text: &str) -> String {
    text.chars()
        .filter(|character| !matches!(character, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_named_and_a_stranger_is_not() {
        let keys = ["next", "on_reject", "output"];
        assert_eq!(nearest("nxet", keys), Some("next"));
        assert_eq!(nearest("onReject", keys), Some("on_reject"));
        assert_eq!(nearest("outputs", keys), Some("output"));
        assert_eq!(nearest("banana", keys), None);
    }
}
