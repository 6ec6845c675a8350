//! Talking to a server's administration API.

use std::time::Duration;

use base::Secret;
use clap::builder::{StringValueParser, TypedValueParser};
use serde_json::Value;
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

/// A server of ours answers within 25 s; this is that and some room for slow networks.
const ANSWER_TIME_MAX: Duration = Duration::from_mins(1);

/// Which server, which organization, and as whom.
#[derive(Debug, clap::Args)]
pub(crate) struct ServerArguments {
    /// Address of the server, such as `http://127.0.0.1:8080`
    #[arg(long, env = "BATON_URL", value_name = "URL")]
    url: String,
    /// Name of the organization
    #[arg(long, env = "BATON_ORG", value_name = "NAME")]
    org: String,
    /// Token of a person who may do this
    #[arg(long, env = "BATON_TOKEN", value_name = "TOKEN", hide_env_values = true, value_parser = secret())]
    token: Secret<String>,
}

/// What the server said.
pub(crate) struct Answer {
    /// The HTTP status.
    pub(crate) status: u16,
    /// The body.
    pub(crate) body: Value,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The address is wrong, or nobody answers there.
    #[error("{url} does not answer")]
    Unreachable {
        /// The address.
        url: String,
        /// What happened.
        source: ureq::Error,
    },
    /// Something else than a Baton server answers there.
    #[error("{url} answers with status {status} and no JSON: it may be no Baton server")]
    NotJson {
        /// The address.
        url: String,
        /// The HTTP status.
        status: u16,
    },
}

impl ServerArguments {
    /// Sends a JSON body to `/api/o/{org}/{path}`.
    pub(crate) fn post(&self, path: &str, body: &Value) -> Result<Answer, Error> {
        let url = format!("{}/api/o/{}/{path}", self.url.trim_end_matches('/'), self.org);
        let unreachable = |source| Error::Unreachable {
            url: url.clone(),
            source,
        };
        let mut response = agent()
            .post(&url)
            .header("authorization", format!("Bearer {}", self.token.expose()))
            .header("content-type", "application/json")
            .send(body.to_string())
            .map_err(unreachable)?;
        let status = response.status().as_u16();
        let bytes = response.body_mut().read_to_vec().map_err(unreachable)?;
        match serde_json::from_slice(&bytes) {
            Ok(body) => Ok(Answer { status, body }),
            Err(_) => Err(Error::NotJson { url, status }),
        }
    }
}

/// Speaks HTTP, and HTTPS with the servers whose certificates this machine trusts.
fn agent() -> Agent {
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier);
    Agent::config_builder()
        .tls_config(tls.build())
        .timeout_global(Some(ANSWER_TIME_MAX))
        .http_status_as_error(false)
        .proxy(None)
        .build()
        .into()
}

/// A token on the command line.
fn secret() -> impl TypedValueParser<Value = Secret<String>> {
    StringValueParser::new().map(Secret::new)
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::net::TcpListener;

    use serde_json::json;

    use super::*;

    fn arguments(url: String) -> ServerArguments {
        ServerArguments {
            url,
            org: "demo".to_owned(),
            token: Secret::new("hush".to_owned()),
        }
    }

    #[test]
    fn https_address_is_spoken_to_by_tls() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("bound");
        let first_byte = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("the command connects");
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("the command speaks first");
            byte[0]
        });
        let outcome = arguments(format!("https://{address}")).post("processes/publish", &json!({}));
        assert!(matches!(outcome, Err(Error::Unreachable { .. })));
        let handshake = 22;
        assert_eq!(first_byte.join().expect("it read"), handshake);
    }

    #[test]
    fn token_is_not_shown() {
        assert!(!format!("{:?}", arguments(String::new())).contains("hush"));
    }
}
