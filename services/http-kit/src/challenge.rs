//! The challenge of a 401 or 403 (RFC 6750 §3, RFC 9728 §5.1).

use axum::response::{IntoResponse, Response};
use http::header::WWW_AUTHENTICATE;
use http::{HeaderValue, StatusCode};

use crate::ErrorBody;

/// Where the metadata of a resource is found, followed by the resource's own path (RFC 9728 §3.1).
pub const RESOURCE_METADATA_PATH: &str = "/.well-known/oauth-protected-resource";

/// Says how to get a token for a resource.
#[derive(Debug, Clone, Copy)]
pub struct Challenge<'a> {
    /// The public address of this server, without a slash at its end.
    pub url: &'a str,
    /// The path of the resource, as it was asked for.
    pub resource: &'a str,
    /// The scopes to ask for, separated by blanks.
    pub scope: &'a str,
}

impl Challenge<'_> {
    /// 401 for a call without a token.
    pub fn token_missing(self) -> Response {
        let message = "A bearer token is required.";
        self.response(StatusCode::UNAUTHORIZED, None, ("unauthorized", message))
    }

    /// 401 for a token that is not valid here.
    pub fn token_invalid(self) -> Response {
        let message = "The bearer token is not valid here.";
        self.response(
            StatusCode::UNAUTHORIZED,
            Some("invalid_token"),
            ("unauthorized", message),
        )
    }

    /// 403 for a token that lacks a scope.
    pub fn scope_insufficient(self) -> Response {
        let message = "The bearer token lacks a scope.";
        self.response(
            StatusCode::FORBIDDEN,
            Some("insufficient_scope"),
            ("forbidden", message),
        )
    }

    fn response(
        self,
        status: StatusCode,
        error: Option<&str>,
        (code, message): (&'static str, &str),
    ) -> Response {
        let error = error
            .map(|error| format!("error=\"{error}\", "))
            .unwrap_or_default();
        let line = format!(
            "Bearer {error}resource_metadata=\"{}{RESOURCE_METADATA_PATH}{}\", scope=\"{}\"",
            self.url, self.resource, self.scope
        );
        let mut response = ErrorBody::new(status, code, message).into_response();
        // An address that no header can carry leaves the challenge without its parameters.
        let value = HeaderValue::try_from(line).unwrap_or_else(|_| HeaderValue::from_static("Bearer"));
        response.headers_mut().insert(WWW_AUTHENTICATE, value);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHALLENGE: Challenge<'_> = Challenge {
        url: "https://baton.example",
        resource: "/o/demo/mcp",
        scope: "mcp",
    };

    #[track_caller]
    fn check(response: &Response, status: u16, expected: &str) {
        assert_eq!(response.status(), status);
        assert_eq!(response.headers()[WWW_AUTHENTICATE], expected);
    }

    #[test]
    fn a_challenge_names_the_metadata_and_the_scope() {
        check(
            &CHALLENGE.token_missing(),
            401,
            "Bearer resource_metadata=\"https://baton.example/.well-known/oauth-protected-resource/o/demo/mcp\", \
             scope=\"mcp\"",
        );
    }

    #[test]
    fn a_challenge_says_what_is_wrong_with_a_token() {
        let rest = "resource_metadata=\"https://baton.example/.well-known/oauth-protected-resource/o/demo/mcp\", \
                    scope=\"mcp\"";
        check(
            &CHALLENGE.token_invalid(),
            401,
            &format!("Bearer error=\"invalid_token\", {rest}"),
        );
        check(
            &CHALLENGE.scope_insufficient(),
            403,
            &format!("Bearer error=\"insufficient_scope\", {rest}"),
        );
    }
}
