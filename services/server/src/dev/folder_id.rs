//! The name of a data folder. It stands in paths and in the name of a database, so nothing else than what we give out is taken.

use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

const BYTES: usize = 10;
const DIGITS: usize = 2 * BYTES;

/// Names a data folder: hexadecimal digits in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct FolderId(String);

/// A text is no [`FolderId`].
#[derive(Debug, thiserror::Error)]
#[error("the id must have {DIGITS} hexadecimal digits")]
pub(super) struct NoFolderId;

impl FolderId {
    /// The name of a new folder.
    pub(super) fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)?;
        let digits = |text, byte: &u8| format!("{text}{byte:02x}");
        Ok(Self(bytes.iter().fold(String::new(), digits)))
    }

    /// The digits.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for FolderId {
    type Error = NoFolderId;

    fn try_from(text: String) -> Result<Self, NoFolderId> {
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == DIGITS && text.bytes().all(is_digit) {
            Ok(Self(text))
        } else {
            Err(NoFolderId)
        }
    }
}

impl Display for FolderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_we_gave_out_is_taken() {
        let id = FolderId::random().expect("random bytes");
        assert_eq!(FolderId::try_from(id.to_string()).expect("ours"), id);
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "0123456789abcdef012",
            "0123456789abcdef01234",
            "0123456789ABCDEF0123",
            "../../../../../../ab",
            "0123456789abcdef\"; -",
        ] {
            assert!(FolderId::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
