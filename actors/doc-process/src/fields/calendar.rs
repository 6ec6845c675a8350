//! Dates and instants of RFC 3339, judged by their text alone.

/// A real calendar date `YYYY-MM-DD`.
pub(super) fn is_date(text: &str) -> bool {
    parse_date(text).is_some()
}

/// An instant of RFC 3339 §5.6 with its offset. A second of 60 is allowed only where a leap second can fall: in the last
/// minute of a month of UTC.
pub(super) fn is_datetime(text: &str) -> bool {
    parse_datetime(text).is_some()
}

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

fn parse_datetime(text: &str) -> Option<()> {
    let date = parse_date(text.get(..10)?)?;
    let rest = text[10..].strip_prefix(['T', 't'])?;
    let clock = rest.get(..8)?.as_bytes();
    if clock[2] != b':' || clock[5] != b':' {
        return None;
    }
    let (hour, minute, second) = (digits(&clock[..2])?, digits(&clock[3..5])?, digits(&clock[6..])?);
    let mut offset = &rest[8..];
    if let Some(fraction) = offset.strip_prefix('.') {
        let after = fraction.trim_start_matches(|character: char| character.is_ascii_digit());
        if after.len() == fraction.len() {
            return None;
        }
        offset = after;
    }
    let offset_minutes = parse_offset(offset)?;
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let minute_of_day = i64::from(hour * 60 + minute);
    (second < 60 || ends_a_month(&date, minute_of_day - offset_minutes)).then_some(())
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
    const DAY_MINUTES: i64 = 24 * 60;
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
    use super::{is_date, is_datetime};

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
            assert!(is_datetime(text), "{text}");
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
            assert!(!is_datetime(text), "{text}");
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
            assert!(is_datetime(text), "{text}");
        }
        for text in [
            "2016-12-30T23:59:60Z",
            "2016-12-31T23:58:60Z",
            "2016-12-31T23:59:60+01:00",
            "2016-12-31T12:00:60Z",
        ] {
            assert!(!is_datetime(text), "{text}");
        }
    }
}
