//! Evidence as a caller gives it.

use serde::{Deserialize, Serialize};

use crate::{Choice, Reader};

/// What an evidence item points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceKind {
    /// A file kept by this server; its bytes are checked at every acceptance.
    File,
    /// A reference recorded as it was stated.
    Link,
}

impl Choice for EvidenceKind {
    const ALL: &'static [(&'static str, Self)] = &[("file", Self::File), ("link", Self::Link)];
}

/// One item of evidence in a submission or a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvidenceItem {
    /// File or link.
    pub kind: EvidenceKind,
    /// The file's id, or the link; never empty.
    #[serde(rename = "ref")]
    pub reference: String,
}

impl EvidenceItem {
    pub(crate) fn read(reader: &mut Reader) -> Option<Self> {
        let kind = reader.choice("kind");
        let reference = reader.text_of("ref", 1..=usize::MAX);
        Some(Self {
            kind: kind?,
            reference: reference?,
        })
    }
}
