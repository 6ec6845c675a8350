//! Secrets that stand in clear in files of ours, which only their owner reads. Nothing else shows them.

use base::Secret;
use serde::{Deserialize, Serialize, Serializer};

/// A secret that may be written to a file of mode 0600.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub(super) struct WrittenSecret(Secret<String>);

impl WrittenSecret {
    /// The secret, for everything but a file.
    pub(super) fn secret(&self) -> &Secret<String> {
        &self.0
    }

    /// The value, for the one place that needs it.
    pub(super) fn expose(&self) -> &str {
        self.0.expose()
    }
}

impl From<String> for WrittenSecret {
    fn from(value: String) -> Self {
        Self(Secret::new(value))
    }
}

impl From<Secret<String>> for WrittenSecret {
    fn from(secret: Secret<String>) -> Self {
        Self(secret)
    }
}

impl Serialize for WrittenSecret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.expose())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_it_and_debug_has_not() {
        let secret = WrittenSecret::from("hush".to_owned());
        let text = serde_json::to_string(&secret).expect("it is JSON");
        assert_eq!(text, "\"hush\"");
        assert_eq!(
            serde_json::from_str::<WrittenSecret>(&text).expect("a text"),
            secret
        );
        assert!(!format!("{secret:?}").contains("hush"));
    }
}
