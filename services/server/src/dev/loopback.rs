//! Keeps pages of other sites away from what needs no token: they can send requests to this machine, and a name of their
//! own can lead here, but then `Host` or `Origin` says so.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{HOST, ORIGIN};
use http::{HeaderMap, HeaderName, StatusCode};
use http_kit::ErrorBody;
use url::{Host, Url};

/// Lets through what was sent to this machine by a program or by a page of this machine.
pub(super) async fn guard(request: Request, next: Next) -> Response {
    match foreign_header(request.headers()) {
        None => next.run(request).await,
        Some(header) => {
            let message =
                format!("The header {header} must name this machine, such as 127.0.0.1 or localhost.");
            ErrorBody::new(StatusCode::FORBIDDEN, "forbidden", message).into_response()
        }
    }
}

/// The header that names another machine. Programs send no origin.
fn foreign_header(headers: &HeaderMap) -> Option<HeaderName> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let is_host_local = text(HOST).is_some_and(|host| is_loopback(&format!("http://{host}")));
    if !is_host_local {
        return Some(HOST);
    }
    let is_origin_local = text(ORIGIN).is_none_or(is_loopback);
    (!is_origin_local).then_some(ORIGIN)
}

fn is_loopback(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else {
        return false;
    };
    let is_web = matches!(url.scheme(), "http" | "https");
    is_web
        && match url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[track_caller]
    fn check(host: &'static str, origin: Option<&'static str>, expected: Option<&HeaderName>) {
        let mut headers = HeaderMap::from_iter([(HOST, HeaderValue::from_static(host))]);
        if let Some(origin) = origin {
            headers.insert(ORIGIN, HeaderValue::from_static(origin));
        }
        assert_eq!(foreign_header(&headers).as_ref(), expected, "{host} {origin:?}");
    }

    #[test]
    fn programs_and_pages_of_this_machine_pass() {
        for host in [
            "127.0.0.1:8080",
            "127.0.0.1",
            "localhost:1",
            "LOCALHOST",
            "[::1]:8080",
        ] {
            check(host, None, None);
        }
        for origin in ["http://localhost:6274", "http://127.0.0.1", "https://[::1]:1"] {
            check("127.0.0.1:8080", Some(origin), None);
        }
    }

    #[test]
    fn foreign_hosts_and_origins_do_not() {
        for host in ["evil.example", "localhost.evil.example:8080", "10.0.0.1", "", "?"] {
            check(host, None, Some(&HOST));
        }
        for origin in [
            "https://evil.example",
            "null",
            "",
            "file://localhost",
            "http://127.0.0.1.evil.example",
        ] {
            check("localhost", Some(origin), Some(&ORIGIN));
        }
        assert_eq!(foreign_header(&HeaderMap::new()), Some(HOST));
    }
}
