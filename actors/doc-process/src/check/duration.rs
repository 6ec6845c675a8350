//! Durations (process.md §4).

use doc_kit::Problem;

use crate::draft::{At, Draft};
use crate::model::{DurationError, Kind, parse_duration};
use crate::parse::shorten;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    for step in &draft.steps {
        let wait = step.text.as_ref().filter(|_| step.is(Kind::Wait));
        for text in [wait, step.due.as_ref(), step.timeout.as_ref()]
            .into_iter()
            .flatten()
        {
            problems.extend(problem(text));
        }
    }
}

fn problem(text: &At<String>) -> Option<Problem> {
    match parse_duration(&text.value).err()? {
        DurationError::Spelling => {
            let message = format!("`{}` is no duration.", shorten(&text.value));
            let fix = propose(&text.value).map_or_else(
                || "Write digits and `m`, `h` or `d`: 30m, 4h, 3d.".to_owned(),
                |meant| format!("Write `{meant}`: digits and `m`, `h` or `d`."),
            );
            Some(Problem::error("duration", &text.path, text.position, message).fix(fix))
        }
        DurationError::TooLong => {
            let message = format!("`{}` is longer than 36,500 days.", shorten(&text.value));
            Some(Problem::error("duration-too-long", &text.path, text.position, message).fix("Shorten it."))
        }
    }
}

/// The duration that was probably meant: `2d` for `2 days` and for `P2D`.
fn propose(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_lowercase();
    let text = text.strip_prefix('p').unwrap_or(&text);
    let of_day = text.strip_prefix('t');
    let text = of_day.unwrap_or(text);
    let unit_start = text.find(|character: char| !character.is_ascii_digit())?;
    let (digits, unit) = text.split_at(unit_start);
    let count: u32 = digits.parse().ok()?;
    let (count, unit) = match unit.trim() {
        "min" | "mins" | "minute" | "minutes" => (count, "m"),
        "m" if of_day.is_some() => (count, "m"),
        "h" | "hr" | "hrs" | "hour" | "hours" => (count, "h"),
        "d" | "day" | "days" => (count, "d"),
        "w" | "week" | "weeks" => (count.checked_mul(7)?, "d"),
        _ => return None,
    };
    Some(format!("{count}{unit}"))
}

#[cfg(test)]
mod tests {
    use super::propose;

    #[test]
    fn other_spellings_of_a_duration_are_understood() {
        for (text, meant) in [
            ("2 days", "2d"),
            ("P2D", "2d"),
            ("PT30M", "30m"),
            ("1 week", "7d"),
            ("4 h", "4h"),
        ] {
            assert_eq!(propose(text).as_deref(), Some(meant), "{text}");
        }
        // Months are no minutes, and a day without a count is no guess.
        for text in ["P2M", "2 months", "day", "soon", "", "2026-12-24"] {
            assert_eq!(propose(text), None, "{text}");
        }
    }
}
