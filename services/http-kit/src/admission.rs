//! Which requests a door takes at all: those addressed to this server by a name of its own, from a program or from a page
//! that may call. A page of another site can send requests to this machine, and a name of its own can lead here (DNS
//! rebinding); then `Host` or `Origin` says so.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{HOST, ORIGIN, RETRY_AFTER, WWW_AUTHENTICATE};
use http::uri::Authority;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

use crate::ErrorBody;

/// How long a browser may remember what a preflight allowed.
const PREFLIGHT_AGE_MAX: Duration = Duration::from_hours(1);

/// Names of the machine that a server runs on, for programs on it.
const THIS_MACHINE: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The names of this server and the origins of pages that may call it.
#[derive(Debug, Clone)]
pub struct Admission {
    hosts: Arc<[String]>,
    origins: Arc<[String]>,
}

impl Admission {
    /// A host comes with a port, or without one for any port. An origin is spelled as browsers do, `https://baton.example`
    /// with a port unless it is the scheme's own, or ends with `:*` for any port.
    pub fn new(hosts: impl IntoIterator<Item = String>, origins: impl IntoIterator<Item = String>) -> Self {
        Self {
            hosts: hosts.into_iter().collect(),
            origins: origins.into_iter().collect(),
        }
    }

    /// This machine by its names for itself, and pages that come from it.
    pub fn of_this_machine() -> Self {
        Self::new(
            THIS_MACHINE.map(str::to_owned),
            THIS_MACHINE.map(|host| format!("http://{host}:*")),
        )
    }

    /// The same, and a public address (`https://baton.example`) with pages that come from it.
    #[must_use]
    pub fn and_address(self, url: &str) -> Self {
        let authority = url.split_once("://").map(|(_, authority)| authority.to_owned());
        Self::new(
            self.hosts.iter().cloned().chain(authority),
            self.origins.iter().cloned().chain([url.to_owned()]),
        )
    }

    /// Answers preflights, which carry no token, and lets pages of the allowed origins read answers with their challenges.
    pub fn cors(&self, exposed: &[HeaderName]) -> CorsLayer {
        let admission = self.clone();
        let mut exposed = exposed.to_vec();
        exposed.extend([WWW_AUTHENTICATE, RETRY_AFTER]);
        CorsLayer::new()
            .allow_origin(AllowOrigin::predicate(move |origin, _| {
                admission.takes_origin(origin)
            }))
            .allow_methods([Method::GET, Method::POST])
            .allow_headers(AllowHeaders::mirror_request())
            .expose_headers(exposed)
            .max_age(PREFLIGHT_AGE_MAX)
    }

    /// The header for which a request is turned away. Programs send no origin.
    fn foreign_header(&self, headers: &HeaderMap) -> Option<HeaderName> {
        let mut hosts = headers.get_all(HOST).iter();
        let is_host_ours = hosts.next().is_some_and(|host| self.takes_host(host)) && hosts.next().is_none();
        if !is_host_ours {
            return Some(HOST);
        }
        let mut origins = headers.get_all(ORIGIN).iter();
        (!origins.all(|origin| self.takes_origin(origin))).then_some(ORIGIN)
    }

    fn takes_host(&self, host: &HeaderValue) -> bool {
        let Some(asked) = host.to_str().ok().and_then(authority) else {
            return false;
        };
        self.takes_authority(&asked)
    }

    fn takes_authority(&self, asked: &Authority) -> bool {
        self.hosts.iter().filter_map(|ours| authority(ours)).any(|ours| {
            let same_port = ours.port_u16().is_none() || ours.port_u16() == asked.port_u16();
            same_port && ours.host().eq_ignore_ascii_case(asked.host())
        })
    }

    fn takes_origin(&self, origin: &HeaderValue) -> bool {
        let Ok(origin) = origin.to_str() else {
            return false;
        };
        self.origins.iter().any(|ours| match ours.strip_suffix(":*") {
            None => ours == origin,
            Some(base) => origin.strip_prefix(base).is_some_and(is_port_or_nothing),
        })
    }
}

/// A host with or without a port, and nothing else.
fn authority(text: &str) -> Option<Authority> {
    let authority: Authority = text.parse().ok()?;
    (!authority.as_str().contains('@')).then_some(authority)
}

fn is_port_or_nothing(text: &str) -> bool {
    text.is_empty()
        || text
            .strip_prefix(':')
            .is_some_and(|port| port.parse::<u16>().is_ok())
}

/// Middleware: 403 for what is addressed to somebody else or comes from a page that may not call.
pub async fn admit(State(admission): State<Admission>, request: Request, next: Next) -> Response {
    // A target with a host of its own counts before the header (RFC 9112 §3.2.2): both must be ours.
    let is_target_ours = request
        .uri()
        .authority()
        .is_none_or(|asked| admission.takes_authority(asked));
    let foreign = admission.foreign_header(request.headers());
    match foreign.or((!is_target_ours).then_some(HOST)) {
        None => next.run(request).await,
        Some(header) => {
            let message = if header == HOST {
                "The header Host does not name this server."
            } else {
                "Pages of this Origin may not call this server."
            };
            ErrorBody::new(StatusCode::FORBIDDEN, "forbidden", message).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &[(HeaderName, &'static str)], expected: Option<&HeaderName>) {
        let admission = Admission::of_this_machine()
            .and_address("https://baton.example")
            .and_address("https://api.example:8443");
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name, HeaderValue::from_static(value));
        }
        assert_eq!(admission.foreign_header(&headers).as_ref(), expected, "{lines:?}");
    }

    #[test]
    fn a_request_names_this_server_exactly_once() {
        for host in [
            "localhost",
            "localhost:1",
            "LOCALHOST:8080",
            "[::1]:9",
            "baton.example",
            "api.example:8443",
        ] {
            check(&[(HOST, host)], None);
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "api.example",
            "api.example:8080",
            "evil@localhost",
            "localhost:80:80",
            "localhost/",
            "",
        ] {
            check(&[(HOST, host)], Some(&HOST));
        }
        check(&[], Some(&HOST));
        check(&[(HOST, "localhost"), (HOST, "evil.example")], Some(&HOST));
    }

    #[test]
    fn an_origin_is_allowed_or_absent() {
        for origin in [
            "https://baton.example",
            "https://api.example:8443",
            "http://127.0.0.1:1",
            "http://localhost",
            "http://localhost:6274",
        ] {
            check(&[(HOST, "localhost"), (ORIGIN, origin)], None);
        }
        for origin in [
            "http://baton.example",
            "https://baton.example:8443",
            "https://baton.example.evil.example",
            "http://localhost.evil.example",
            "http://localhost:6274.evil.example",
            "http://localhost:",
            "null",
            "",
        ] {
            check(&[(HOST, "localhost"), (ORIGIN, origin)], Some(&ORIGIN));
        }
        let twice = [
            (HOST, "localhost"),
            (ORIGIN, "http://localhost"),
            (ORIGIN, "null"),
        ];
        check(&twice, Some(&ORIGIN));
    }
}
