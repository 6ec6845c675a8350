//! Bytes to a server and its answers, without the manners of an HTTP client.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

use crate::target::Target;

/// Longer than the server may take for any answer.
const ANSWER_TIME_MAX: Duration = Duration::from_mins(1);

/// One answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.head, String::from_utf8_lossy(&self.body)))
    }

    /// The code of a refusal: of the API, of a tool, or of the protocol.
    #[track_caller]
    pub(crate) fn code(&self) -> String {
        let body = self.json();
        let codes = [
            &body["error"]["code"],
            &body["result"]["structuredContent"]["error"]["code"],
        ];
        let code = codes.into_iter().find(|code| !code.is_null());
        match code {
            Some(Value::String(word)) => word.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        }
    }
}

/// A connection that does not wait for ever.
pub(crate) fn connect(target: &Target) -> TcpStream {
    let stream = TcpStream::connect(target.address()).expect("it accepts");
    stream.set_read_timeout(Some(ANSWER_TIME_MAX)).expect("not zero");
    stream.set_write_timeout(Some(ANSWER_TIME_MAX)).expect("not zero");
    stream
}

/// Sends everything, as far as the server reads it, and reads up to the end of the connection meanwhile.
pub(crate) fn exchange(target: &Target, request: &[u8]) -> Vec<Answer> {
    let stream = connect(target);
    std::thread::scope(|scope| {
        let mut writer = stream.try_clone().expect("a second handle");
        scope.spawn(move || {
            // It may refuse before the end.
            let _ = writer.write_all(request);
        });
        answers(&rest_of(&stream))
    })
}

/// Everything up to the end of the connection.
pub(crate) fn rest_of(mut stream: &TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return bytes,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => return bytes,
            Err(error) => panic!("{error}; so far: {}", String::from_utf8_lossy(&bytes)),
        }
    }
}

/// The answers that stand one behind the other. Every one of ours says how long it is.
pub(crate) fn answers(mut bytes: &[u8]) -> Vec<Answer> {
    let mut answers = Vec::new();
    while !bytes.is_empty() {
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .expect("a whole head");
        let head = String::from_utf8(bytes[..end].to_vec()).expect("text");
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .expect("a status");
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length = length.map_or(0, |length| length.parse().expect("a length"));
        let (body, rest) = bytes[end + 4..].split_at(length);
        bytes = rest;
        if status >= 200 {
            answers.push(Answer {
                status,
                head,
                body: body.to_vec(),
            });
        }
    }
    answers
}
