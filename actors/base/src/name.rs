//! Names of processes, of systems, and those that admins give to groups and agents.

use std::fmt;
use std::str::FromStr;

/// `^[a-z0-9]+(-[a-z0-9]+)*$`, at most 64 characters (process.md §1).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

/// Why a text is not a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a name: lower-case letters and digits, words joined by single hyphens, at most 64 characters")]
pub struct NameError;

impl Name {
    const BYTES_MAX: usize = 64;

    /// The name as a text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the text is a name.
    pub fn matches(text: &str) -> bool {
        let word = |word: &str| {
            !word.is_empty() && word.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'))
        };
        text.len() <= Self::BYTES_MAX && text.split('-').all(word)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Name {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        if Self::matches(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(NameError)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn names_are_words_joined_by_hyphens() {
        for name in ["a", "a1-b2", "0", &"a".repeat(64)] {
            assert!(Name::matches(name), "{name}");
        }
        for name in [
            "",
            "-a",
            "a-",
            "a--b",
            "A",
            "a_b",
            "a b",
            "ä",
            "a\n",
            &"a".repeat(65),
        ] {
            assert!(!Name::matches(name), "{name}");
        }
    }
}
