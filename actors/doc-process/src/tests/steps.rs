use super::{check, check_sentence, check_steps, document, file, file_with};

#[test]
fn step_id_has_a_pattern_and_is_unique() {
    for id in ["A", "1a", "a.b", "''", "a b"] {
        check_steps(&format!("- {{id: {id}, finish: d}}"), "step-id 6:8 steps[0].id");
    }
    for id in ["a", "a1_b-c", "a-", &"a".repeat(64)] {
        check_steps(&format!("- {{id: {id}, finish: d}}"), "");
    }
    for id in ["_a", "-a", "aB", "aé", &"a".repeat(65)] {
        check_steps(&format!("- {{id: {id}, finish: d}}"), "step-id 6:8 steps[0].id");
    }
    check_steps(
        "- {id: a, agent: x}\n- {id: a, finish: d}",
        "step-id-twice 7:8 steps[1].id",
    );
    check_steps("- {finish: d}", "missing-key 6:3 steps[0].id");
    check_steps("- {id: 5, finish: d}", "wrong-type 6:8 steps[0].id");
}

#[test]
fn step_has_exactly_one_kind() {
    check_steps("- {id: a}", "kind-missing 6:3 steps[0]");
    check_steps(
        "- {id: a, agent: x, finish: d, wait: 3d}",
        "kind-twice 6:21 steps[0].finish\nkind-twice 6:32 steps[0].wait",
    );
}

#[test]
fn key_that_is_misspelled_is_one_problem() {
    check_steps(
        "- {id: a, agents: x, output: {n: string}}\n- {id: b, approval: y, role: p}\n- {name: c, end: d}",
        "unknown-key 6:11 steps[0].agents\nunknown-key 7:11 steps[1].approval\nunknown-key 7:24 steps[1].role\n\
         unknown-key 8:4 steps[2].name\nunknown-key 8:13 steps[2].end",
    );
    check_steps(
        "- {id: a, helper: x}\n- {id: b, finish: d}",
        "unknown-key 6:11 steps[0].helper",
    );
    // What was meant is there already: then it is no slip.
    check_sentence(
        &file("- {id: a, agent: x, prompt: y}\n- {id: b, finish: d}"),
        "The key `prompt` is not known here. Allowed here: id, output, evidence, next, due, check, advisory.",
    );
}

#[test]
fn kind_is_a_key() {
    check_steps(
        "- {id: a, type: agent, instructions: x}\n- {id: b, kind: approval, person: p}\n- {id: c, type: end, outcome: d}",
        "kind-as-value 6:11 steps[0].type\nkind-as-value 7:11 steps[1].kind\nkind-as-value 8:11 steps[2].type",
    );
    check_sentence(
        &file("- {id: a, type: agent, instructions: x}\n- {id: b, finish: d}"),
        "The kind of a step is a key, not the value of `type`. Write `agent: …` in place of `type` and `instructions`.",
    );
}

#[test]
fn every_kind_is_read() {
    let text = file_with(
        "inputs: {boss: person, start: datetime}",
        "- {id: a, agent: do it, output: {x: string}, evidence: [link], due: 2d}\n\
         - {id: b, task: do it, person: clerk, next: [{to: c, when: fine}, d]}\n\
         - {id: c, approve: fine?, person: inputs.boss, on_reject: a}\n\
         - {id: d, wait: 30m}\n\
         - {id: e, wait_until: inputs.start}\n\
         - {id: f, wait_for: signed, timeout: 3d, on_timeout: h}\n\
         - {id: g, task: x, person: initiator}\n\
         - {id: h, finish: completed}",
    );
    check(&text, "");
    let document = document(&text);
    assert_eq!(document.roles, ["clerk"]);
    let kinds: Vec<_> = document
        .process
        .steps
        .iter()
        .map(|step| step.kind.kind().as_str())
        .collect();
    assert_eq!(
        kinds,
        [
            "agent",
            "task",
            "approve",
            "wait",
            "wait_until",
            "wait_for",
            "task",
            "finish"
        ]
    );
}

#[test]
fn kind_value_must_be_text() {
    for kind in [
        "agent",
        "task",
        "approve",
        "finish",
        "wait",
        "wait_until",
        "wait_for",
    ] {
        for value in ["5", "[a]", "{}", "true", "~", ""] {
            let step = format!("- {{id: a, {kind}: {value}}}");
            let found = crate::check(file(&step).as_bytes(), None);
            assert!(
                found.problems.iter().any(|problem| problem.code == "wrong-type"),
                "{step}"
            );
        }
    }
}

/// The whole table: every optional key on every kind.
#[test]
fn keys_belong_on_their_kinds() {
    let kinds = [
        ("agent", "agent: x"),
        ("task", "task: x, person: p"),
        ("approve", "approve: x, person: p"),
        ("wait", "wait: 1d"),
        ("wait_until", "wait_until: inputs.start"),
        ("wait_for", "wait_for: e"),
        ("finish", "finish: d"),
        ("parallel", "parallel: [b, c]"),
    ];
    for (key, value, belongs) in [
        ("output", "{}", "agent task"),
        ("evidence", "[link]", "agent task"),
        (
            "next",
            "z",
            "agent task approve wait wait_until wait_for parallel",
        ),
        ("person", "q", "task approve"),
        ("on_reject", "z", "approve"),
        ("due", "1d", "agent task approve"),
        ("timeout", "1d", "wait_for"),
        ("on_timeout", "z", "wait_for"),
        ("check", "q", "agent task"),
        ("advisory", "true", "agent task"),
    ] {
        for (kind, with) in kinds {
            let with = with.replace(", person: p", if key == "person" { "" } else { ", person: p" });
            let step = format!("- {{id: a, {with}, {key}: {value}}}\n- {{id: z, finish: d}}");
            let checked = crate::check(file_with("inputs: {start: datetime}", &step).as_bytes(), None);
            let misplaced = checked.problems.iter().any(|problem| {
                problem.code == "key-misplaced" && problem.path.to_string() == format!("steps[0].{key}")
            });
            let is_allowed = belongs.split(' ').any(|word| word == kind);
            assert_eq!(misplaced, !is_allowed, "{key} on {kind}");
        }
    }
}

#[test]
fn finish_has_no_next() {
    check_steps(
        "- {id: a, agent: x, next: [b, c]}\n- {id: b, finish: d, next: c}\n- {id: c, finish: e}",
        "key-misplaced 7:22 steps[1].next",
    );
}

#[test]
fn person_is_needed_on_task_and_approve() {
    check_steps(
        "- {id: a, task: x}\n- {id: b, finish: d}",
        "person-missing 6:3 steps[0].person",
    );
    check_steps(
        "- {id: a, approve: x}\n- {id: b, finish: d}",
        "person-missing 6:3 steps[0].person",
    );
}

#[test]
fn person_is_a_role_initiator_or_a_path_to_a_person() {
    let with = |person: &str| {
        let steps = format!(
            "- {{id: a, agent: x, output: {{who: person, n: number}}}}\n- {{id: b, task: x, person: {person}}}\n- {{id: c, finish: d}}"
        );
        file_with("inputs: {boss: person, a.b: person, n: number}", &steps)
    };
    for person in [
        "clerk",
        "initiator",
        "Head of Finance",
        "inputs.boss",
        "inputs.a.b",
        "steps.a.output.who",
    ] {
        check(&with(person), "");
    }
    for (person, code) in [
        ("''", "person-blank"),
        ("' '", "person-blank"),
        ("data.boss", "path"),
        ("inputs.", "path"),
        ("steps.a.who", "path"),
        ("inputs.bos", "path-unknown-field"),
        ("inputs.n", "path-type"),
        ("steps.a.output.n", "path-type"),
        ("steps.z.output.who", "path-unknown-step"),
        ("steps.b.output.who", "path-unknown-field"),
        ("steps.c.output.who", "path-unknown-field"),
    ] {
        check(&with(person), &format!("{code} 7:28 steps[1].person"));
    }
}

#[test]
fn role_is_not_blank() {
    for blank in ["''", "' '", "\"\\t\""] {
        check_steps(
            &format!("- {{id: a, approve: x, person: {blank}}}\n- {{id: b, finish: d}}"),
            "person-blank 6:31 steps[0].person",
        );
    }
}

#[test]
fn broken_field_is_reported_once_where_it_is() {
    let steps = "- {id: a, task: x, person: inputs.boss}\n- {id: c, finish: d}";
    check(
        &file_with("inputs: {boss: persn}", steps),
        "unknown-type 4:16 inputs.boss",
    );
}

#[test]
fn roles_that_differ_in_case_are_a_warning() {
    check_steps(
        "- {id: a, task: x, person: Clerk}\n- {id: b, task: x, person: clerk}\n- {id: c, task: x, person: Initiator}\n\
         - {id: d, task: x, person: initiator}\n- {id: e, finish: d}",
        "warning: role-case 7:28 steps[1].person\nwarning: role-case 8:28 steps[2].person",
    );
}

#[test]
fn wait_until_is_a_path_to_a_datetime() {
    let with = |path: &str| {
        file_with(
            "inputs: {start: datetime, day: date}",
            &format!("- {{id: a, wait_until: {path}}}\n- {{id: b, finish: d}}"),
        )
    };
    check(&with("inputs.start"), "");
    for (path, code) in [
        ("inputs.day", "path-type"),
        ("inputs.end", "path-unknown-field"),
        ("start", "path"),
        ("2026-01-31T00:00:00Z", "path"),
    ] {
        check(&with(path), &format!("{code} 6:23 steps[0].wait_until"));
    }
}

#[test]
fn durations_are_digits_and_a_unit() {
    for (text, code) in [
        ("3", "wrong-type"),
        ("3s", "duration"),
        ("1.5h", "duration"),
        ("36501d", "duration-too-long"),
    ] {
        check_steps(
            &format!("- {{id: a, wait: {text}}}\n- {{id: b, finish: d}}"),
            &format!("{code} 6:17 steps[0].wait"),
        );
    }
    check_steps("- {id: a, wait: 36500d}\n- {id: b, finish: d}", "");
    check_steps(
        "- {id: a, agent: x, due: soon}\n- {id: b, wait_for: e, timeout: never}\n- {id: c, finish: d}",
        "duration 6:26 steps[0].due\nduration 7:33 steps[1].timeout",
    );
}

#[test]
fn event_names_have_the_pattern_of_ids() {
    check_steps(
        "- {id: a, wait_for: Signed}\n- {id: b, finish: d}",
        "event-name 6:21 steps[0].wait_for",
    );
    for (name, expected) in [
        ("a1_b-c".to_owned(), ""),
        ("a".repeat(64), ""),
        ("a".repeat(65), "event-name 6:21 steps[0].wait_for"),
        ("1a".to_owned(), "event-name 6:21 steps[0].wait_for"),
    ] {
        check_steps(
            &format!("- {{id: a, wait_for: {name}}}\n- {{id: b, finish: d}}"),
            expected,
        );
    }
}

#[test]
fn evidence_is_file_or_link() {
    check_steps(
        "- {id: a, agent: x, evidence: [file, fiel, link, file]}\n- {id: b, finish: d}",
        "warning: needs-upload 6:21 steps[0].evidence\nunknown-evidence 6:38 steps[0].evidence[1]\n\
         warning: evidence-twice 6:50 steps[0].evidence[3]",
    );
    check_steps(
        "- {id: a, agent: x, evidence: file}\n- {id: b, finish: d}",
        "wrong-type 6:31 steps[0].evidence",
    );
}

#[test]
fn evidence_kind_that_stands_twice_is_a_warning() {
    check_steps(
        "- {id: a, agent: x, evidence: [link, link]}\n- {id: b, finish: d}",
        "warning: evidence-twice 6:38 steps[0].evidence[1]",
    );
}

#[test]
fn outcome_is_a_short_word() {
    for outcome in ["a", "approved-by_2", &"a".repeat(64)] {
        check_steps(&format!("- {{id: a, finish: {outcome}}}"), "");
    }
    for outcome in ["rejected", "failed", "two words", &"a".repeat(65)] {
        check_steps(
            &format!("- {{id: a, finish: {outcome}}}"),
            "warning: outcome-word 6:19 steps[0].finish",
        );
    }
}

#[test]
fn outcome_is_not_blank() {
    for blank in ["''", "' '", "\"\\n\""] {
        check_steps(
            &format!("- {{id: a, finish: {blank}}}"),
            "outcome-blank 6:19 steps[0].finish",
        );
    }
}

#[test]
fn blank_instructions_are_a_warning() {
    check_steps(
        "- {id: a, agent: ''}\n- {id: b, task: ' ', person: p}\n- {id: c, approve: '', person: p}\n- {id: d, finish: d}",
        "warning: instructions-blank 6:18 steps[0].agent\nwarning: instructions-blank 7:17 steps[1].task\n\
         warning: instructions-blank 8:20 steps[2].approve",
    );
}

#[test]
fn on_timeout_without_timeout_is_a_warning() {
    check_steps(
        "- {id: a, wait_for: e, on_timeout: b}\n- {id: b, finish: d}",
        "warning: timeout-missing 6:24 steps[0].on_timeout",
    );
}
