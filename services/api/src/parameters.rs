//! The parameters after the question mark: each known and at most once.

use std::str::FromStr;

use app::administration::{PAGE_DEFAULT, PAGE_MAX, Paging};
use axum::extract::{FromRequestParts, Query};
use base::{Issues, Quoted};
use http::request::Parts;

use crate::refusal::Refusal;

/// What was asked for beyond the address. Whatever is not taken is refused in the end.
pub(crate) struct Parameters {
    given: Vec<(String, String)>,
    issues: Issues,
}

impl Parameters {
    /// A parameter, if it was given. `expected` says what it must be.
    pub(crate) fn optional<T: FromStr>(&mut self, name: &str, expected: &str) -> Option<T> {
        let place = self.given.iter().position(|(given, _)| given == name)?;
        let (_, text) = self.given.swap_remove(place);
        let parsed = text.parse().ok();
        if parsed.is_none() {
            self.issues.push(format_args!("{name}: must be {expected}"));
        }
        parsed
    }

    /// Which page of a list is asked for. Nothing else may be left.
    pub(crate) fn paging(mut self) -> Result<Paging, Refusal> {
        let expected = format!("a whole number from 1 to {PAGE_MAX}");
        let limit = self.optional::<usize>("limit", &expected);
        if limit.is_some_and(|limit| !(1..=PAGE_MAX).contains(&limit)) {
            self.issues.push(format_args!("limit: must be {expected}"));
        }
        let cursor = self.optional("cursor", "the nextCursor of the page before");
        for (name, _) in &self.given {
            self.issues
                .push(format_args!("{}: not known here, or given twice", Quoted(name)));
        }
        if self.issues.is_empty() {
            let limit = limit.unwrap_or(PAGE_DEFAULT);
            Ok(Paging { limit, cursor })
        } else {
            Err(Refusal::invalid("The parameters are not valid.", self.issues))
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Parameters {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(given)) => Ok(Self {
                given,
                issues: Issues::default(),
            }),
            Err(_) => Err(Refusal::invalid(
                "The parameters are not valid.",
                Issues::one("the part after the question mark cannot be read"),
            )),
        }
    }
}
