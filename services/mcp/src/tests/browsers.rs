//! Pages in browsers: which may call, and what they may read.

use http::Method;
use reqwest::Client;

use super::*;

const INSPECTOR: &str = "http://localhost:6274";
const METADATA: &str = "/.well-known/oauth-protected-resource/o/demo/mcp";

fn preflight(url: &str, path: &str, origin: &str) -> RequestBuilder {
    Client::new()
        .request(Method::OPTIONS, format!("{url}{path}"))
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .header(
            "access-control-request-headers",
            "authorization,mcp-protocol-version,mcp-param-x",
        )
}

#[tokio::test]
async fn foreign_hosts_and_origins_are_forbidden() {
    let url = serve().await;
    let cases = [
        ("host", "evil.example", 403),
        ("host", "baton.example", 200),
        ("origin", "https://evil.example", 403),
        ("origin", "null", 403),
        ("origin", "https://baton.example", 200),
        ("origin", INSPECTOR, 200),
    ];
    for (header, value, expected) in cases {
        let (status, body) = answer(post(&url, DESCRIBE).header(header, value)).await;
        assert_eq!(status, expected, "{header}: {value}");
        if status == 403 {
            assert_eq!(body["error"]["code"], "forbidden", "{body}");
        }
        let metadata = Client::new()
            .get(format!("{url}{METADATA}"))
            .header(header, value);
        assert_eq!(send(metadata).await.status(), expected, "{header}: {value}");
    }
}

#[tokio::test]
async fn a_preflight_needs_no_token() {
    let url = serve().await;
    for path in ["/o/demo/mcp", METADATA] {
        let response = send(preflight(&url, path, INSPECTOR)).await;
        assert_eq!(response.status(), 200, "{path}");
        let headers = response.headers();
        assert_eq!(headers["access-control-allow-origin"], INSPECTOR);
        assert_eq!(headers["access-control-allow-methods"], "GET,POST");
        assert_eq!(
            headers["access-control-allow-headers"],
            "authorization,mcp-protocol-version,mcp-param-x"
        );
        assert_eq!(
            send(preflight(&url, path, "https://evil.example")).await.status(),
            403
        );
    }
}

#[tokio::test]
async fn a_page_may_read_answers_and_challenges() {
    let url = serve().await;
    let challenged = Client::new().post(format!("{url}/o/demo/mcp"));
    for (request, status) in [(post(&url, DESCRIBE), 200), (challenged, 401)] {
        let response = send(request.header("origin", INSPECTOR)).await;
        assert_eq!(response.status(), status);
        let headers = response.headers();
        assert_eq!(headers["access-control-allow-origin"], INSPECTOR);
        let exposed = headers["access-control-expose-headers"].to_str().expect("text");
        assert!(exposed.contains("www-authenticate"), "{exposed}");
        assert!(exposed.contains("mcp-protocol-version"), "{exposed}");
        assert!(!headers.contains_key("access-control-allow-credentials"));
    }
}
