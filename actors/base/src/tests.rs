use std::str::FromStr;
use std::time::Duration;

use crate::{RequestId, RunId, Secret, Timestamp, Ulid, WorkItemId};

#[test]
fn an_id_has_exactly_one_text() {
    let run = RunId::new(Ulid::from_parts(1_700_000_000_000, 7));
    assert_eq!(RunId::from_str(&run.to_string()), Ok(run));
    let item = WorkItemId { run, number: 12 };
    assert_eq!(WorkItemId::from_str(&item.to_string()), Ok(item));
    for other in [
        run.to_string().to_lowercase(),
        run.to_string().replace("r_", "w_"),
        format!("{item}0").replace("_120", "_0120"),
        format!("w_{}_+1", run.ulid()),
        String::new(),
    ] {
        assert!(RunId::from_str(&other).is_err(), "{other}");
        assert!(WorkItemId::from_str(&other).is_err(), "{other}");
    }
}

#[test]
fn a_request_id_has_1_to_128_characters() {
    assert!(RequestId::from_str("").is_err());
    assert!(RequestId::from_str(&"é".repeat(128)).is_ok());
    assert!(RequestId::from_str(&"é".repeat(129)).is_err());
}

#[test]
fn a_timestamp_is_shown_in_milliseconds() {
    // 1,700,000,000 s after 1970 is 2023-11-14T22:13:20Z.
    let instant = Timestamp::from_millis(1_700_000_000_005);
    assert_eq!(instant.to_string(), "2023-11-14T22:13:20.005Z");
    assert_eq!(
        instant.after(Duration::from_mins(1)).since(instant),
        Duration::from_mins(1)
    );
    assert_eq!(
        instant.since(instant.after(Duration::from_secs(1))),
        Duration::ZERO
    );
}

#[test]
fn extreme_instants_can_be_shown() {
    assert_eq!(Timestamp::MIN.to_string(), "-009999-01-02T01:59:59.000Z");
    assert_eq!(Timestamp::MAX.to_string(), "9999-12-30T22:00:00.000Z");
    assert_eq!(Timestamp::MAX.after(Duration::MAX), Timestamp::MAX);
}

#[test]
fn a_secret_is_never_printed() {
    assert_eq!(format!("{:?}", Secret::new("hunter2")), "(secret)");
}

#[test]
fn a_digest_has_exactly_one_text() {
    let digest = crate::Digest::new(std::array::from_fn(|n| u8::try_from(n).expect("n < 32")));
    let text = "sha256:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    assert_eq!(digest.to_string(), text);
    assert_eq!(text.parse(), Ok(digest));
    for other in [
        &text.to_uppercase(),
        &text[..70],
        &text.replace("sha256", "sha512"),
    ] {
        assert!(other.parse::<crate::Digest>().is_err(), "{other}");
    }
}
