//! Talking to a server's administration API.

use serde_json::Value;

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
    #[arg(long, env = "BATON_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    token: String,
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
    /// The command has no runtime.
    #[error("the command could not start")]
    Runtime(#[source] std::io::Error),
    /// The address is wrong, or nobody answers there.
    #[error("{url} does not answer")]
    Unreachable {
        /// The address.
        url: String,
        /// What happened.
        source: reqwest::Error,
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
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Error::Runtime)?
            .block_on(self.send(path, body))
    }

    async fn send(&self, path: &str, body: &Value) -> Result<Answer, Error> {
        let url = format!("{}/api/o/{}/{path}", self.url.trim_end_matches('/'), self.org);
        let unreachable = |source| Error::Unreachable {
            url: url.clone(),
            source,
        };
        let response = reqwest::Client::new()
            .post(&url)
            .bearer_auth(&self.token)
            .json(body)
            .send()
            .await
            .map_err(unreachable)?;
        let status = response.status().as_u16();
        let bytes = response.bytes().await.map_err(unreachable)?;
        match serde_json::from_slice(&bytes) {
            Ok(body) => Ok(Answer { status, body }),
            Err(_) => Err(Error::NotJson { url, status }),
        }
    }
}
