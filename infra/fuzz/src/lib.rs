//! How random bytes become input that gets past the first character of a reader. The targets are in `tests/targets`.
//!
//! A target first tries the inputs of its folder, `tests/targets/__fuzz__/…/corpus`, where every input is kept that once broke
//! something, then random ones for `BOLERO_RANDOM_TEST_TIME_MS` (one second when it is not set, ten in `infra/test`, ten minutes
//! in `infra/test --long`).

/// An input whose first byte is below this is taken as it is.
pub const RAW_BELOW: u8 = 0x80;

/// The byte that repeats the phrase before it, as often as the next byte says.
const REPEAT: u8 = 0xfe;

/// The byte that is followed by a byte to be taken as it is.
const LITERAL: u8 = 0xff;

/// A text that begins with an ASCII character is taken as it is. In any other input each byte after the first stands for a phrase.
pub fn spell(input: &[u8], phrases: &[&str]) -> Vec<u8> {
    match input.split_first() {
        Some((first, rest)) if *first >= RAW_BELOW && !input.starts_with("\u{feff}".as_bytes()) => {
            spell_phrases(rest, phrases)
        }
        _ => input.to_vec(),
    }
}

fn spell_phrases(input: &[u8], phrases: &[&str]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut last: &[u8] = &[];
    let mut bytes = input.iter();
    while let Some(byte) = bytes.next() {
        match *byte {
            REPEAT => text.extend(last.repeat(bytes.next().copied().unwrap_or_default().into())),
            LITERAL => text.extend(bytes.next()),
            byte => {
                last = phrases[usize::from(byte) % phrases.len()].as_bytes();
                text.extend_from_slice(last);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::spell;

    #[test]
    fn what_begins_with_ascii_or_a_byte_order_mark_is_taken_as_it_is() {
        for text in ["", "a: 1", "\u{feff}---\n"] {
            assert_eq!(spell(text.as_bytes(), &["x"]), text.as_bytes());
        }
    }

    #[test]
    fn other_bytes_stand_for_phrases() {
        assert_eq!(
            spell(&[0x80, 0, 4, 0xfe, 2, 0xff, b'!'], &["[", "]", "a"]),
            b"[]]]!"
        );
    }
}
