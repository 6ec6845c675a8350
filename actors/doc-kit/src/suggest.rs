//! "Did you mean …?"

/// The candidate nearest to `given`, when it is near enough to be a likely slip of the pen.
///
/// Each call looks at every candidate: whoever asks for names out of a document bounds how often.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const GIVEN_BYTES_MAX: usize = 100;
    if given.len() > GIVEN_BYTES_MAX {
        return None;
    }
    let folded = fold(given);
    let count = folded.chars().count();
    let allowed = (count / 3).clamp(1, 3);
    candidates
        .into_iter()
        .filter(|candidate| letters(candidate).count().abs_diff(count) <= allowed)
        .map(|candidate| (strsim::osa_distance(&folded, &fold(candidate)), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `onReject`, `on-reject` and `on_reject` are the same but for their joints and their case.
fn fold(text: &str) -> String {
    letters(text).flat_map(char::to_lowercase).collect()
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .filter(|character| !matches!(character, '_' | '-' | ' '))
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
