//! The check of a PROCESS.md.

use doc_kit::problem::PROBLEMS_MAX;
use formats::{Format, Report, check};

use crate::{LARGEST, filled, within};

#[track_caller]
fn check_within(source: &[u8]) -> Report {
    let report = within(source.len(), 600, 1500, || check(Format::Process, source, None));
    assert!(report.problems.len() <= PROBLEMS_MAX);
    report
}

fn file(frontmatter: &str) -> String {
    format!("---\nname: a\ndescription: b\n{frontmatter}\n---\nBody\n")
}

#[track_caller]
fn codes(frontmatter: &str) -> Vec<&'static str> {
    let report = check_within(file(frontmatter).as_bytes());
    let mut codes: Vec<_> = report.problems.iter().map(|problem| problem.code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

#[test]
fn a_million_steps_are_refused() {
    let step = "- {id: a, finish: b}\n";
    let million = file(&format!("steps:\n{}", step.repeat(1_000_000)));
    assert_eq!(check_within(million.as_bytes()).problems[0].code, "too-large");
    assert_eq!(
        codes(&format!("steps:\n{}", filled(step, LARGEST - 100))),
        ["too-many-steps"]
    );
}

#[test]
fn a_mebibyte_of_one_thing_costs_little() {
    for text in [
        "-", "---\n", "--- \n", "----\n", "\n", "\r\n", " ", "`", "```\n", "\t", "\u{feff}", "\u{0}", "é",
        "#", "a: ",
    ] {
        let filling = filled(text, LARGEST - 100);
        for source in [
            filling.clone(),
            format!("---\n{filling}"),
            format!("---\n{filling}\n---\n"),
            format!("---\n---\n{filling}"),
        ] {
            check_within(source.as_bytes());
        }
    }
    check_within(&vec![0xff; LARGEST]);
}
