//! The check of a PROCESS.md.

use bolero::check;
use doc_kit::problem::PROBLEMS_MAX;
use formats::{Format, compile, publishable};

use crate::place::assert_inside;

const PHRASES: &[&str] = &[
    "inputs: {a: string, b: {type: list, items: string}}\n",
    "requires: {systems: [erp]}\n",
    "  - id: a\n",
    "  - id: b\n",
    "  - id: c\n",
    "  - id: d\n",
    "    agent: Do it.\n",
    "    task: Do it.\n",
    "    approve: May it?\n",
    "    wait: P1D\n",
    "    wait_until: inputs.a\n",
    "    wait_for: paid\n",
    "    event: paid\n",
    "    check: a > 1\n",
    "    finish: done\n",
    "    person: finance\n",
    "    person: {step: a}\n",
    "    parallel: [a, b]\n",
    "    parallel: [b, c, d]\n",
    "    join: d\n",
    "    next: a\n",
    "    next: b\n",
    "    next: c\n",
    "    next: d\n",
    "    next: join\n",
    "    next: {b: Because., c: Else.}\n",
    "    routes: {b: Because., c: Else.}\n",
    "    on_reject: a\n",
    "    on_reject: b\n",
    "    on_timeout: c\n",
    "    timeout: P1D\n",
    "    due: PT1H\n",
    "    output: {x: number}\n",
    "    output: {x: {type: list, items: {y: date}}}\n",
    "    output: {a: {enum: [b, c], optional: true}}\n",
    "    evidence: [link]\n",
    "    evidence: [file]\n",
    "    with: [a.x, inputs.a]\n",
    "    instructions: |\n      Read.\n",
    "    then: a\n",
    "    else: b\n",
    "    questions: [{id: q, text: Why?}]\n",
    "a",
    "\n",
    " ",
    "  ",
    ": ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "&a ",
    "*a",
    "<<: ",
    "1.5",
    "9007199254740993",
    "P1M",
    "# c\n",
    "---\n",
    "\r\n",
    "\t",
    "é",
    "\"",
    "'",
    "- ",
    "unknown: 1\n",
];

#[test]
fn process() {
    check!().for_each(|input: &[u8]| {
        let spelled = fuzz::spell(input, PHRASES);
        if spelled == input {
            holds(input);
            return;
        }
        let head: &[u8] = b"---\nname: p\ndescription: d\nsteps:\n";
        holds(&[head, &spelled, b"\n---\nRead this.\n"].concat());
    });
}

fn holds(source: &[u8]) {
    let report = formats::check(Format::Process, source, None);
    assert_eq!(report, formats::check(Format::Process, source, None));
    assert!(report.problems.len() <= PROBLEMS_MAX);
    let text = String::from_utf8_lossy(source);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    for problem in &report.problems {
        assert_inside(text, problem.position, &problem.message);
        assert!(
            !problem.message.is_empty() && !problem.fix.is_empty(),
            "{problem:?}"
        );
    }
    assert_eq!(
        report.ok,
        report.problems.iter().all(|problem| !problem.is_error())
    );
    assert_eq!(compile(Format::Process, source).is_ok(), report.ok);
    assert!(!report.ok || report.name.is_some() && report.content_hash.is_some());
    match publishable(Format::Process, source) {
        Ok(publishable) => {
            assert!(report.ok);
            assert_eq!(Some(publishable.content_hash), report.content_hash);
            assert_eq!(publishable.roles, report.roles);
        }
        Err(problems) => assert!(problems.iter().any(formats::Problem::is_error)),
    }
}
