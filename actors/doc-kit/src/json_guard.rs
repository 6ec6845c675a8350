//! The guard in front of every JSON entry point: a byte-level check before any JSON library sees the text.
//!
//! With exact numbers on, `serde_json` reads an object under one of its private keys as a number or as raw JSON, keeps the
//! last of two equal keys silently, and accepts what the database cannot store. Nothing built on serde can tell
//! afterwards, so this looks at the bytes: one pass, an explicit stack, no recursion.

mod lexer;
#[cfg(test)]
mod tests;

use std::fmt;

/// Keys with this beginning are how `serde_json` smuggles exact numbers and raw text through serde.
pub const RESERVED_PREFIX: &str = "$serde_json::private::";

/// What a JSON text may cost.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_field_names,
    reason = "the house puts the unit and `max` last in every limit"
)]
pub struct Limits {
    /// Bytes of the whole text.
    pub bytes_max: usize,
    /// Objects and arrays inside each other, the outermost counted.
    pub depth_max: usize,
    /// Characters of one number.
    pub number_chars_max: usize,
    /// The largest power of ten, in either direction, that a number may spell.
    pub exponent_max: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes_max: 4 * 1024 * 1024,
            depth_max: 64,
            number_chars_max: 256,
            exponent_max: 1000,
        }
    }
}

/// Why a text is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GuardKind {
    /// More bytes than the limit.
    TooLarge,
    /// Not UTF-8.
    NotUtf8,
    /// Not JSON, or something after it.
    Syntax,
    /// Nested deeper than the limit.
    TooDeep,
    /// The outermost value is an array: a JSON-RPC batch.
    Batch,
    /// The same key twice in one object, perhaps spelled differently.
    DuplicateKey,
    /// A key that belongs to the JSON library.
    ReservedKey,
    /// U+0000 in a string or key.
    NulCharacter,
    /// Half of a surrogate pair in a string or key.
    LoneSurrogate,
    /// A number of too many characters.
    NumberTooLong,
    /// A number with too large an exponent.
    ExponentTooLarge,
}

impl GuardKind {
    /// One plain sentence part, such as `the character U+0000 is not allowed`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooLarge => "the text is too large",
            Self::NotUtf8 => "the text is not UTF-8",
            Self::Syntax => "the text is not JSON",
            Self::TooDeep => "objects and arrays are nested too deep",
            Self::Batch => "batches are not supported",
            Self::DuplicateKey => "the key stands twice in one object",
            Self::ReservedKey => "the key is reserved",
            Self::NulCharacter => "the character U+0000 is not allowed",
            Self::LoneSurrogate => "half of a surrogate pair is not allowed",
            Self::NumberTooLong => "the number has too many characters",
            Self::ExponentTooLarge => "the exponent of the number is too large",
        }
    }

    /// True when the text is well-formed JSON, so that an answer can name the path and the request it belongs to.
    pub const fn is_about_content(self) -> bool {
        match self {
            Self::TooLarge | Self::NotUtf8 | Self::Syntax | Self::TooDeep => false,
            Self::Batch
            | Self::DuplicateKey
            | Self::ReservedKey
            | Self::NulCharacter
            | Self::LoneSurrogate
            | Self::NumberTooLong
            | Self::ExponentTooLarge => true,
        }
    }
}

/// Why a text is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardProblem {
    /// The reason.
    pub kind: GuardKind,
    /// The byte offset of the offence.
    pub offset: usize,
    /// The JSON path of the offence, such as `params.arguments.note`, when the kind is about content.
    pub path: Option<String>,
}

impl fmt::Display for GuardProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) if !path.is_empty() => write!(formatter, "{path}: {}", self.kind.as_str()),
            _ => write!(formatter, "{} (at byte {})", self.kind.as_str(), self.offset),
        }
    }
}

impl std::error::Error for GuardProblem {}

/// Checks a JSON text. A text that is not JSON at all is reported as such, whatever else is wrong with it; of several
/// problems of content the first met is reported.
pub fn check(bytes: &[u8], limits: &Limits) -> Result<(), GuardProblem> {
    let problem = |kind, offset| {
        Err(GuardProblem {
            kind,
            offset,
            path: None,
        })
    };
    if bytes.len() > limits.bytes_max {
        return problem(GuardKind::TooLarge, limits.bytes_max);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => lexer::check(text, limits),
        Err(error) => problem(GuardKind::NotUtf8, error.valid_up_to()),
    }
}
