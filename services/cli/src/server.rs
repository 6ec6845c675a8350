//! Talking to a server's administration API.

use std::time::Duration;

use base::Secret;
use clap::builder::{StringValueParser, TypedValueParser};
use serde_json::Value;
use ureq::http::{Response, Uri};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body};

/// A server of ours answers within 25 s; this is that and some room for slow networks.
const ANSWER_TIME_MAX: Duration = Duration::from_mins(1);

/// Which server, which organization, and as whom.
#[derive(Debug, clap::Args)]
pub(crate) struct ServerArguments {
    /// Address of the server, such as `http://127.0.0.1:8080`
    #[arg(long, env = "BATON_URL", value_name = "URL")]
    url: Option<String>,
    /// Name of the organization
    #[arg(long, env = "BATON_ORG", value_name = "NAME")]
    org: Option<String>,
    /// Token of a person who may do this
    #[arg(long, env = "BATON_TOKEN", value_name = "TOKEN", hide_env_values = true, value_parser = secret())]
    token: Option<Secret<String>>,
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
    /// It is not known who is to be asked.
    #[error("give {missing}; `infra/up` and `baton dev` print all three of a demo organization")]
    NotGiven {
        /// The options that are missing.
        missing: String,
    },
    /// Nobody can be asked there.
    #[error(
        "{url} is no address; write --url (or BATON_URL) as http://127.0.0.1:8080, and --org (or BATON_ORG) as demo"
    )]
    NoAddress {
        /// What stands for one.
        url: String,
    },
    /// Nobody answers there.
    #[error("{url} does not answer; see that the server runs, and that --url (or BATON_URL) is its address")]
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
        self.ask(path, |agent, url, authorization| {
            agent
                .post(url)
                .header("authorization", authorization)
                .header("content-type", "application/json")
                .send(body.to_string())
        })
    }

    /// Reads `/api/o/{org}/{path}`.
    pub(crate) fn get(&self, path: &str) -> Result<Answer, Error> {
        self.ask(path, |agent, url, authorization| {
            agent.get(url).header("authorization", authorization).call()
        })
    }

    fn ask(
        &self,
        path: &str,
        send: impl FnOnce(Agent, &str, String) -> Result<Response<Body>, ureq::Error>,
    ) -> Result<Answer, Error> {
        let (Some(url), Some(org), Some(token)) = (&self.url, &self.org, &self.token) else {
            return Err(self.not_given());
        };
        let url = format!("{}/api/o/{org}/{path}", url.trim_end_matches('/'));
        if !is_address(&url) {
            return Err(Error::NoAddress { url });
        }
        let unreachable = |source| Error::Unreachable {
            url: url.clone(),
            source,
        };
        let mut response = send(agent(), &url, format!("Bearer {}", token.expose())).map_err(unreachable)?;
        let status = response.status().as_u16();
        let bytes = response.body_mut().read_to_vec().map_err(unreachable)?;
        match serde_json::from_slice(&bytes) {
            Ok(body) => Ok(Answer { status, body }),
            Err(_) => Err(Error::NotJson { url, status }),
        }
    }

    fn not_given(&self) -> Error {
        let options = [
            ("--url (or BATON_URL)", self.url.is_none()),
            ("--org (or BATON_ORG)", self.org.is_none()),
            ("--token (or BATON_TOKEN)", self.token.is_none()),
        ];
        let missing = options.into_iter().filter(|(_, is_missing)| *is_missing);
        Error::NotGiven {
            missing: missing.map(|(option, _)| option).collect::<Vec<_>>().join(", "),
        }
    }
}

/// Whether it leads to a server on the web.
fn is_address(url: &str) -> bool {
    Uri::try_from(url).is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty())
    })
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
            url: Some(url),
            org: Some("demo".to_owned()),
            token: Some(Secret::new("hush".to_owned())),
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
    fn what_is_no_address_is_told_with_what_is_one() {
        for wrong in [
            "foo",
            "127.0.0.1:8080",
            "ftp://127.0.0.1",
            "http://",
            "",
            "http://a b",
        ] {
            let error = arguments(wrong.to_owned()).post("p", &json!({})).err();
            assert!(
                matches!(error, Some(Error::NoAddress { .. })),
                "{wrong}: {error:?}"
            );
        }
        assert!(is_address("http://[::1]:8080/api/o/demo/p"));
    }

    #[test]
    fn token_is_not_shown() {
        assert!(!format!("{:?}", arguments(String::new())).contains("hush"));
    }
}
