//! What is handed in at random, right and wrong.

use std::sync::Arc;

use crate::Dice;
use crate::model::Handed;
use crate::processes::{CHOICES, Field, Holds, INSTANTS, Next, Step, Work};
use run_core::EvidenceKind;
use run_core::state::Submission;
use serde_json::{Map, Value, json};

/// Addresses that a field for a person may hold: members in any spelling, and a stranger.
const ADDRESSES: [&str; 4] = [
    "mira@example.com",
    "Lena@Example.com",
    "olga@example.com",
    "stranger@example.com",
];

/// Values for declared fields; `wrong` says what is the matter with them.
pub fn values(
    fields: &[Field],
    prefix: &str,
    percent_wrong: usize,
    dice: &Dice,
) -> (Map<String, Value>, Vec<String>) {
    let (mut values, mut wrong) = (Map::new(), Vec::new());
    for field in fields {
        let place = format!("{prefix}.{}", field.name);
        if dice.chance(percent_wrong) {
            match broken(field.holds, &place, dice) {
                Some((value, issue)) => {
                    values.insert(field.name.clone(), value);
                    wrong.push(issue);
                }
                None if field.is_optional => {}
                None => wrong.push(place),
            }
        } else if !field.is_optional || dice.chance(70) {
            values.insert(field.name.clone(), good(field.holds, dice));
        }
    }
    if dice.chance(percent_wrong / 3) {
        values.insert("extra".into(), json!(1));
        wrong.push(format!("{prefix}.extra"));
    }
    (values, wrong)
}

fn good(holds: Holds, dice: &Dice) -> Value {
    match holds {
        Holds::Text => json!("x".repeat(dice.below(40))),
        // A number that no float holds.
        Holds::Number => serde_json::from_str("12345678901234567890.10").expect("a number"),
        Holds::Truth => json!(dice.chance(50)),
        Holds::Texts => json!(["a", "b"][..dice.below(3)]),
        Holds::Choice => json!(dice.pick(&CHOICES)),
        Holds::Day => json!("2028-02-29"),
        Holds::Object => json!({"z": null, "a": {"deep": [1e2, "é"]}}),
        Holds::Table => json!([vec![1.5, 2.0], vec![], vec![0.0]][..dice.below(4)]),
        Holds::Instant => json!(dice.pick(&INSTANTS).map(|(text, _)| *text)),
        Holds::Member => json!(dice.pick(&ADDRESSES)),
    }
}

/// A value of another kind, and where it is wrong; `None` leaves the field out.
fn broken(holds: Holds, place: &str, dice: &Dice) -> Option<(Value, String)> {
    if dice.chance(25) {
        return None;
    }
    if dice.chance(20) {
        return Some((Value::Null, place.to_owned()));
    }
    let value = match holds {
        Holds::Text => json!(1),
        Holds::Number | Holds::Truth => json!("1"),
        Holds::Texts => return Some((json!(["a", 2, "c"]), format!("{place}[1]"))),
        Holds::Table => return Some((json!([[1], [2, "3"]]), format!("{place}[1][1]"))),
        Holds::Choice => json!("perhaps"),
        Holds::Day => json!("2027-02-29"),
        Holds::Object => json!([]),
        Holds::Instant => json!("2026-02-30T00:00:00Z"),
        Holds::Member => json!("nobody"),
    };
    Some((value, place.to_owned()))
}

/// A result for a step, more or less right.
pub fn handed(step: &Step, work: &Work, percent_wrong: usize, dice: &Dice) -> Handed {
    let (output, wrong) = values(&work.output, "output", percent_wrong, dice);
    let is_wrong = || dice.chance(percent_wrong);
    let mut handed = Handed {
        output,
        wrong,
        ..Handed::default()
    };
    handed.summary = if is_wrong() {
        dice.chance(50).then(|| "  ".to_owned())
    } else {
        Some("Done.".to_owned())
    };
    if work.needs_link != is_wrong() || dice.chance(10) {
        handed.links.push("https://example.com/1".to_owned());
    }
    if let Next::Routes(routes) = &step.next {
        handed.next = dice.pick(routes).cloned();
        handed.reason = Some("It fits.".to_owned());
        if is_wrong() {
            handed.next = dice.chance(50).then(|| "nowhere".to_owned());
        }
        if is_wrong() {
            handed.reason = dice.chance(50).then(|| " ".to_owned());
        }
    } else if is_wrong() {
        handed.next = dice.chance(50).then(|| "end".to_owned());
        handed.reason = dice.chance(50).then(|| "I like it.".to_owned());
    }
    handed
}

/// The same for the product.
pub fn submission(handed: &Handed) -> Submission {
    Submission {
        output: Arc::new(handed.output.clone()),
        evidence: handed
            .links
            .iter()
            .map(|link| (EvidenceKind::Link, link.clone()))
            .collect(),
        summary: handed.summary.clone(),
        next: handed.next.clone(),
        reason: handed.reason.clone(),
    }
}
