//! Words and numbers of rows, both ways.

use std::str::FromStr;

use base::{AgentId, Digest, PersonId, Timestamp};
use run_core::{Actor, Map, Mode, RunWord};

use crate::Error;

/// A sequence number in the type of the database. No journal comes near the end of it.
pub(crate) fn number(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

/// A number of the core, which are unsigned.
pub(crate) fn unsigned<T: TryFrom<i64>>(number: i64, what: &'static str) -> Result<T, Error>
where
    T::Error: std::error::Error + Send + Sync + 'static,
{
    T::try_from(number).map_err(|source| Error::corrupt(what, source))
}

/// An id or a similar small text.
pub(crate) fn parse<T: FromStr>(text: &str, what: &'static str) -> Result<T, Error>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    text.parse().map_err(|source| Error::corrupt(what, source))
}

/// An instant, if there is one.
pub(crate) fn instant(millis: Option<i64>) -> Option<Timestamp> {
    millis.map(Timestamp::from_millis)
}

/// 32 bytes.
pub(crate) fn digest(bytes: &[u8], what: &'static str) -> Result<Digest, Error> {
    let bytes = bytes
        .try_into()
        .map_err(|source: std::array::TryFromSliceError| Error::corrupt(what, source))?;
    Ok(Digest::new(bytes))
}

/// Who did something, as it is written in rows.
pub(crate) fn actor(text: &str) -> Result<Actor, Error> {
    if text == "server" {
        return Ok(Actor::Server);
    }
    if text.starts_with(AgentId::PREFIX) {
        return parse(text, "an agent").map(Actor::Agent);
    }
    parse::<PersonId>(text, "a person").map(Actor::Person)
}

/// The mode of a run.
pub(crate) fn mode(word: &str) -> Result<Mode, Error> {
    [Mode::Live, Mode::Test]
        .into_iter()
        .find(|mode| mode.as_str() == word)
        .ok_or_else(|| {
            Error::corrupt(
                "a run",
                UnknownWord {
                    word: word.to_owned(),
                },
            )
        })
}

/// Where a run stands.
pub(crate) fn run_state(word: &str) -> Result<RunWord, Error> {
    RunWord::ALL
        .into_iter()
        .find(|state| state.as_str() == word)
        .ok_or_else(|| {
            Error::corrupt(
                "a run",
                UnknownWord {
                    word: word.to_owned(),
                },
            )
        })
}

/// Compact JSON with every digit as it is.
pub(crate) fn object_text(object: &Map) -> String {
    serde_json::to_string(object).expect("an object has only text keys and writes to memory")
}

/// A word that this release does not know.
#[derive(Debug, thiserror::Error)]
#[error("the word {word:?} is not known")]
struct UnknownWord {
    word: String,
}
