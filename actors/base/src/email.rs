//! E-mail addresses, the form of `person` values here.

use std::fmt;
use std::str::FromStr;

/// One `@` with something on both sides, no spaces, at most 254 characters. Whether somebody has the address is for the
/// organization to say. Addresses are compared without case (process.md §3), and kept as they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailAddress(String);

/// Why a text is not an e-mail address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an e-mail address: one @ with something on both sides, no spaces, at most 254 characters")]
pub struct EmailAddressError;

impl EmailAddress {
    const CHARACTERS_MAX: usize = 254;

    /// The address as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address as it is compared.
    pub fn to_lowercase(&self) -> String {
        self.0.to_lowercase()
    }

    /// Whether the text is an address.
    pub fn matches(text: &str) -> bool {
        let Some((local, domain)) = text.split_once('@') else {
            return false;
        };
        let label = |label: &str| {
            !label.is_empty()
                && label
                    .chars()
                    .all(|letter| letter.is_alphanumeric() || letter == '-')
        };
        text.chars().count() <= Self::CHARACTERS_MAX
            && !local.is_empty()
            && !local
                .chars()
                .any(|letter| letter.is_whitespace() || letter.is_control())
            && domain.split('.').all(label)
    }
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for EmailAddress {
    type Err = EmailAddressError;

    fn from_str(text: &str) -> Result<Self, EmailAddressError> {
        if Self::matches(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(EmailAddressError)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EmailAddress;

    #[test]
    fn person_is_an_email_address() {
        for text in [
            "mira@example.com",
            "Mira.O+x@Example.COM",
            "ü@bücher.example",
            "a@localhost",
        ] {
            assert!(EmailAddress::matches(text), "{text}");
        }
        for text in [
            "",
            "mira",
            "@example.com",
            "mira@",
            "a b@example.com",
            "a@b@example.com",
            "a@example..com",
            "a@ example.com",
        ] {
            assert!(!EmailAddress::matches(text), "{text}");
        }
        assert!(!EmailAddress::matches(&format!(
            "{}@example.com",
            "a".repeat(250)
        )));
    }
}
