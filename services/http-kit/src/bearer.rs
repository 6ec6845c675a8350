//! Bearer tokens (RFC 6750 §2.1). They come in the header only, never in the address.

use std::time::Duration;

use base::Secret;
use http::HeaderMap;
use http::header::AUTHORIZATION;

/// How long finding out whose token it is may take; then the caller is told to try again.
pub const AUTHENTICATION_TIME_MAX: Duration = Duration::from_secs(5);

/// The longest token that is looked at.
const TOKEN_BYTES_MAX: usize = 4096;

/// The token of the one `Authorization: Bearer` header, if there is exactly one and it is well formed.
pub fn bearer_token(headers: &HeaderMap) -> Option<Secret<String>> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next()?;
    if values.next().is_some() {
        return None;
    }
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    let token = token.trim_start_matches(' ');
    let well_formed = !token.is_empty()
        && token.len() <= TOKEN_BYTES_MAX
        && token
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte));
    let is_bearer = scheme.eq_ignore_ascii_case("bearer");
    (is_bearer && well_formed).then(|| Secret::new(token.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_comes_in_one_well_formed_header() {
        let cases = [
            (vec![], None),
            (vec!["Bearer abc.DEF-1_2~3+/="], Some("abc.DEF-1_2~3+/=")),
            (vec!["bearer  abc"], Some("abc")),
            (vec!["Bearer abc", "Bearer abc"], None),
            (vec!["Basic abc"], None),
            (vec!["Bearer"], None),
            (vec!["Bearer "], None),
            (vec!["Bearer a b"], None),
            (vec!["Bearer a\"b"], None),
        ];
        for (lines, expected) in cases {
            let mut headers = HeaderMap::new();
            for line in &lines {
                headers.append(AUTHORIZATION, line.parse().expect("a header value"));
            }
            let token = bearer_token(&headers);
            assert_eq!(
                token.as_ref().map(|token| token.expose().as_str()),
                expected,
                "{lines:?}"
            );
        }
    }

    #[test]
    fn a_token_that_is_too_long_is_not_looked_at() {
        let mut headers = HeaderMap::new();
        let line = format!("Bearer {}", "a".repeat(TOKEN_BYTES_MAX + 1));
        headers.insert(AUTHORIZATION, line.parse().expect("a header value"));
        assert_eq!(bearer_token(&headers), None);
    }
}
