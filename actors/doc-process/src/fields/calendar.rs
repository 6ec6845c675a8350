//! Dates and instants of RFC 3339, judged by their text alone.

use base::Timestamp;

/// A real calendar date `YYYY-MM-DD`.
pub(super) fn is_date(text: &str) -> bool {
    parse_date(text).is_some()
}

/// The instant that a text of RFC 3339 §5.6 names, with its offset. A second of 60 is allowed only where a leap second can fall:
/// in the last minute of a month of UTC; it counts as the first of the next minute. What is finer than a millisecond is rounded up,
/// so that nothing happens before its time.
pub(crate) fn instant(text: &str) -> Option<Timestamp> {
    let date = parse_date(text.get(..10)?)?;
    let rest = text[10..].strip_prefix(['T', 't'])?;
    let clock = rest.get(..8)?.as_bytes();
    if clock[2] != b':' || clock[5] != b':' {
        return None;
    }
    let (hour, minute, second) = (digits(&clock[..2])?, digits(&clock[3..5])?, digits(&clock[6..])?);
    let (fraction_millis, offset) = split_fraction(&rest[8..])?;
    let offset_minutes = parse_offset(offset)?;
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let utc_minute = i64::from(hour * 60 + minute) - offset_minutes;
    if second == 60 && !ends_a_month(&date, utc_minute) {
        return None;
    }
    let utc_second = (days_since_1970(&date) * DAY_MINUTES + utc_minute) * 60 + i64::from(second);
    Some(Timestamp::from_millis(utc_second * 1_000 + fraction_millis))
}

const DAY_MINUTES: i64 = 24 * 60;

struct Date {
    year: u32,
    month: u32,
    day: u32,
}

fn parse_date(text: &str) -> Option<Date> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let date = Date {
        year: digits(&bytes[..4])?,
        month: digits(&bytes[5..7])?,
        day: digits(&bytes[8..])?,
    };
    let real =
        (1..=12).contains(&date.month) && (1..=days_in_month(date.year, date.month)).contains(&date.day);
    real.then_some(date)
}

/// The milliseconds of a fraction, rounded up, and what follows it.
fn split_fraction(text: &str) -> Option<(i64, &str)> {
    let Some(fraction) = text.strip_prefix('.') else {
        return Some((0, text));
    };
    let rest = fraction.trim_start_matches(|character: char| character.is_ascii_digit());
    let decimals = &fraction.as_bytes()[..fraction.len() - rest.len()];
    let (coarse, fine) = decimals.split_at(decimals.len().min(3));
    let millis = digits(coarse)? * 10_u32.pow(3 - u32::try_from(coarse.len()).ok()?);
    let round_up = fine.iter().any(|decimal| *decimal != b'0');
    (!decimals.is_empty()).then_some((i64::from(millis) + i64::from(round_up), rest))
}

/// Minutes east of UTC.
fn parse_offset(text: &str) -> Option<i64> {
    if matches!(text, "Z" | "z") {
        return Some(0);
    }
    let sign = match text.as_bytes() {
        [b'+', _, _, b':', _, _] => 1,
        [b'-', _, _, b':', _, _] => -1,
        _ => return None,
    };
    let bytes = text.as_bytes();
    let (hours, minutes) = (digits(&bytes[1..3])?, digits(&bytes[4..])?);
    (hours < 24 && minutes < 60).then(|| sign * i64::from(hours * 60 + minutes))
}

/// True when the minute of UTC is 23:59 of the last day of a month. `utc_minute` counts from the start of `date` and may
/// lie before it.
fn ends_a_month(date: &Date, utc_minute: i64) -> bool {
    if utc_minute.rem_euclid(DAY_MINUTES) != DAY_MINUTES - 1 {
        return false;
    }
    // At most the day before: with offsets below 24 hours, 23:59 of the day after is out of reach.
    if utc_minute < 0 {
        date.day == 1
    } else {
        date.day == days_in_month(date.year, date.month)
    }
}

/// Days of the proleptic Gregorian calendar from 1970-01-01 to this one, which may lie before it.
fn days_since_1970(date: &Date) -> i64 {
    /// From 0000-01-01 to 1970-01-01: 1970 years, of which 478 are leap years.
    const DAYS_TO_1970: i64 = 1970 * 365 + 478;
    let leap_years = |before: u32| match before.checked_sub(1) {
        Some(last) => 1 + last / 4 - last / 100 + last / 400,
        None => 0,
    };
    let months: u32 = (1..date.month).map(|month| days_in_month(date.year, month)).sum();
    i64::from(date.year * 365 + leap_years(date.year) + months + date.day - 1) - DAYS_TO_1970
}

fn days_in_month(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

fn digits(bytes: &[u8]) -> Option<u32> {
    bytes.iter().try_fold(0, |value, byte| {
        byte.is_ascii_digit().then(|| value * 10 + u32::from(byte - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use base::Timestamp;

    use super::{DAY_MINUTES, days_in_month, instant, is_date};

    #[test]
    fn date_is_a_real_calendar_day() {
        for date in [
            "2026-01-31",
            "2024-02-29",
            "2000-02-29",
            "0000-02-29",
            "9999-12-31",
        ] {
            assert!(is_date(date), "{date}");
        }
        for text in [
            "2026-02-29",
            "1900-02-29",
            "2026-04-31",
            "2026-00-01",
            "2026-13-01",
            "2026-01-00",
            "2026-1-1",
            "20260101",
        ] {
            assert!(!is_date(text), "{text}");
        }
        for text in [
            "",
            "2026-01-31T00:00:00Z",
            " 2026-01-31",
            "２026-01-3",
            "+026-01-01",
            "2026/01/31",
        ] {
            assert!(!is_date(text), "{text}");
        }
    }

    #[test]
    fn datetime_has_an_offset() {
        for text in [
            "2026-01-31T09:00:00Z",
            "2026-01-31t09:00:00z",
            "2026-01-31T09:00:00.123456789012+01:00",
            "2026-01-31T23:59:59-00:00",
            "2026-01-31T00:00:00+23:59",
        ] {
            assert!(instant(text).is_some(), "{text}");
        }
        for text in [
            "2026-01-31",
            "2026-01-31T09:00:00",
            "2026-01-31 09:00:00Z",
            "2026-01-31T09:00Z",
            "2026-01-31T24:00:00Z",
            "2026-01-31T09:60:00Z",
            "2026-01-31T09:00:61Z",
            "2026-01-31T09:00:00.Z",
            "2026-01-31T09:00:00+0100",
            "2026-01-31T09:00:00+24:00",
            "2026-01-31T09:00:00+01:60",
            "2026-02-30T09:00:00Z",
            "2026-01-31T09:00:00Zx",
            "2026-01-31T09:00:0ü",
            "2026-01-3ü",
        ] {
            assert!(instant(text).is_none(), "{text}");
        }
    }

    #[test]
    fn datetime_is_an_instant() {
        // Days counted by hand: 2026 is 56 years after 1970 with 14 leap years between them, so 56 * 365 + 14 = 20,454 days.
        let day = 24 * 60 * 60 * 1_000;
        for (text, millis) in [
            ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31t23:59:59.999z", -1),
            ("2026-01-01T00:00:00Z", 20_454 * day),
            ("2026-01-01T01:30:00+01:30", 20_454 * day),
            ("2025-12-31T23:59:00-00:01", 20_454 * day),
            ("2024-03-01T00:00:00Z", (54 * 365 + 13 + 31 + 29) * day),
            ("2000-03-01T00:00:00Z", (30 * 365 + 7 + 31 + 29) * day),
            ("1900-03-01T00:00:00Z", -(70 * 365 + 17 - 31 - 28) * day),
            ("2016-12-31T23:59:60Z", (47 * 365 + 12) * day),
            ("1970-01-01T00:00:00.1Z", 100),
            ("1970-01-01T00:00:00.0010000Z", 1),
            ("1970-01-01T00:00:00.00100000000000001Z", 2),
            ("1970-01-01T00:00:00.9999Z", 1_000),
        ] {
            assert_eq!(instant(text), Some(Timestamp::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn instant_beyond_what_can_be_shown_is_the_last_one() {
        assert_eq!(instant("9999-12-31T23:59:59Z"), Some(Timestamp::MAX));
    }

    /// The first day of a month is one day after the last day of the month before, in every month of 400 years.
    #[test]
    fn months_follow_one_another() {
        let at = |year: u32, month: u32, day: u32| {
            instant(&format!("{year:04}-{month:02}-{day:02}T00:00:00Z")).map(Timestamp::as_millis)
        };
        for year in 0..=400 {
            for month in 1..=12 {
                let last = at(year, month, days_in_month(year, month)).expect("a day of the calendar");
                let (next_year, next_month) = if month == 12 {
                    (year + 1, 1)
                } else {
                    (year, month + 1)
                };
                assert_eq!(
                    at(next_year, next_month, 1),
                    Some(last + DAY_MINUTES * 60_000),
                    "{year}-{month}"
                );
            }
        }
    }

    #[test]
    fn second_60_only_where_a_leap_second_can_fall() {
        for text in [
            "2016-12-31T23:59:60Z",
            "2015-06-30T23:59:60.5Z",
            "2017-01-01T00:59:60+01:00",
            "2016-12-31T15:59:60-08:00",
            "2024-02-29T23:59:60Z",
            "2016-12-31T00:00:60-23:59",
        ] {
            assert!(instant(text).is_some(), "{text}");
        }
        for text in [
            "2016-12-30T23:59:60Z",
            "2016-12-31T23:58:60Z",
            "2016-12-31T23:59:60+01:00",
            "2016-12-31T12:00:60Z",
        ] {
            assert!(instant(text).is_none(), "{text}");
        }
    }
}
