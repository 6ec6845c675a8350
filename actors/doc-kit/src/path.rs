//! Where a value sits in a document: `steps[2].next`.

use std::fmt;

/// A path such as `steps[2].next`. Keys that would be ambiguous are quoted: `inputs["a.b"]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path(String);

impl Path {
    /// The path of the whole document, shown as the empty text.
    pub fn root() -> Self {
        Self::default()
    }

    /// This path, one key deeper.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        let mut text = self.0.clone();
        push_key(&mut text, key);
        Self(text)
    }

    /// This path, one list index deeper.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{}[{index}]", self.0))
    }

    /// The text of the path.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The most characters of one key that a path shows.
const KEY_CHARS_MAX: usize = 80;

/// Appends `.key`, or `["key"]` for a key that is not made of letters, digits, `_`, `-` and `$`.
pub(crate) fn push_key(text: &mut String, key: &str) {
    let shortened = key
        .char_indices()
        .nth(KEY_CHARS_MAX)
        .map(|(end, _)| format!("{}…", &key[..end]));
    let key = shortened.as_deref().unwrap_or(key);
    let plain = !key.is_empty()
        && key
            .chars()
            .all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | '$'));
    if plain {
        if !text.is_empty() {
            text.push('.');
        }
        text.push_str(key);
    } else {
        text.push('[');
        crate::canonical::push_string(text, key);
        text.push(']');
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn ambiguous_keys_are_quoted() {
        let steps = Path::root().key("steps").index(2);
        assert_eq!(steps.key("next").as_str(), "steps[2].next");
        assert_eq!(Path::root().key("inputs").key("a.b").as_str(), "inputs[\"a.b\"]");
        assert_eq!(Path::root().key("").as_str(), "[\"\"]");
        assert_eq!(Path::root().key("größe").as_str(), "größe");
    }

    #[test]
    fn long_keys_are_shortened() {
        assert_eq!(Path::root().key(&"ä".repeat(80)).as_str(), "ä".repeat(80));
        assert_eq!(
            Path::root().key(&"ä".repeat(1000)).as_str(),
            format!("[\"{}…\"]", "ä".repeat(80))
        );
    }
}
