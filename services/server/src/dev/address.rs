//! Addresses of stores as people see them: without what signs in there.

use url::Url;

/// Parameters of PostgreSQL's and Redis's addresses that hold a password.
const PASSWORD_PARAMETERS: [&str; 2] = ["password", "pass"];

/// The address without its password. What is no address may be all password: nothing of it is shown.
pub(super) fn without_password(address: &str) -> String {
    let Ok(mut url) = Url::parse(address) else {
        return "(given)".to_owned();
    };
    if url.password().is_some() && url.set_password(None).is_err() {
        return "(given)".to_owned();
    }
    let is_password = |name: &str| PASSWORD_PARAMETERS.contains(&name);
    if url.query_pairs().any(|(name, _)| is_password(&name)) {
        let others: Vec<_> = url
            .query_pairs()
            .filter(|(name, _)| !is_password(name))
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect();
        url.set_query(None);
        if !others.is_empty() {
            url.query_pairs_mut().extend_pairs(others);
        }
    }
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        let cases = [
            (
                "postgres://baton@localhost/baton?host=/run/baton-0",
                "postgres://baton@localhost/baton?host=/run/baton-0",
            ),
            (
                "postgres://ada:hush@db.example:5433/baton?sslmode=require",
                "postgres://ada@db.example:5433/baton?sslmode=require",
            ),
            (
                "postgres://ada@db.example/baton?password=hush",
                "postgres://ada@db.example/baton",
            ),
            (
                "postgres://db.example/baton?user=ada&password=hush&sslmode=require",
                "postgres://db.example/baton?user=ada&sslmode=require",
            ),
            ("redis://:hush@127.0.0.1:6379", "redis://127.0.0.1:6379"),
            (
                "unix:///run/redis.sock?pass=hush&db=1",
                "unix:///run/redis.sock?db=1",
            ),
            ("host=db.example password=hush", "(given)"),
        ];
        for (address, expected) in cases {
            assert_eq!(without_password(address), expected, "{address}");
        }
    }
}
