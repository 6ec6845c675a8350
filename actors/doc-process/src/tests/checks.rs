use super::{check, file};

/// A step with this check; its warning that an evaluator is needed is left out of the comparison.
#[track_caller]
fn check_check(value: &str, expected: &str) {
    let text = file(&format!(
        "- {{id: a, agent: x, check: {value}}}\n- {{id: b, finish: d}}"
    ));
    let warning = "warning: needs-evaluator 6:21 steps[0].check";
    let expected = if expected.is_empty() {
        warning.to_owned()
    } else {
        format!("{warning}\n{expected}")
    };
    check(&text, &expected);
}

const CHOICE: &str = "ask: q, one_of: {good: a, bad: b, odd: c}";

#[test]
fn check_is_a_question_or_a_list_of_questions() {
    check_check("Is it right?", "");
    check_check("[{ask: q}]", "");
    check_check("' '", "question-blank 6:28 steps[0].check");
    check_check("[]", "empty-list 6:28 steps[0].check");
    check_check("5", "wrong-type 6:28 steps[0].check");
    check_check("[q]", "wrong-type 6:29 steps[0].check[0]");
    check_check("[{pass: 1}]", "missing-key 6:29 steps[0].check[0].ask");
}

#[test]
fn thresholds_lie_between_0_and_1_and_fail_is_not_above_pass() {
    check_check("[{ask: q, pass: 0.9, fail: 0.9}]", "");
    check_check("[{ask: q, pass: 1.0, fail: 0}]", "");
    check_check(
        "[{ask: q, pass: 1.01}]",
        "threshold-range 6:44 steps[0].check[0].pass",
    );
    check_check(
        "[{ask: q, fail: -0.1}]",
        "threshold-range 6:44 steps[0].check[0].fail",
    );
    check_check(
        "[{ask: q, pass: 0.5, fail: 0.6}]",
        "threshold-order 6:55 steps[0].check[0].fail",
    );
    check_check("[{ask: q, pass: high}]", "wrong-type 6:44 steps[0].check[0].pass");
    check_check(
        "[{ask: q, confidence: 0.5}]",
        "unknown-key 6:38 steps[0].check[0].confidence",
    );
}

#[test]
fn choice_names_its_answers() {
    check_check(
        &format!("[{{{CHOICE}, pass: [good], unsure: [odd], confidence: 0.7}}]"),
        "",
    );
    check_check(
        &format!("[{{{CHOICE}}}]"),
        "missing-key 6:29 steps[0].check[0].pass",
    );
    check_check(
        &format!("[{{{CHOICE}, pass: []}}]"),
        "empty-list 6:79 steps[0].check[0].pass",
    );
    check_check(
        &format!("[{{{CHOICE}, pass: [god]}}]"),
        "unknown-answer 6:80 steps[0].check[0].pass[0]",
    );
    check_check(
        "[{ask: q, one_of: {a: x, $serde_json::private::Number: y}, pass: [a]}]",
        "reserved-name 6:53 steps[0].check[0].one_of[\"$serde_json::private::Number\"]",
    );
    check_check(
        &format!("[{{{CHOICE}, pass: [good], unsure: [good]}}]"),
        "answer-twice 6:95 steps[0].check[0].unsure",
    );
    check_check(
        "[{ask: q, one_of: {a: x}, pass: [a]}]",
        "answers-too-few 6:46 steps[0].check[0].one_of",
    );
    check_check(
        &format!("[{{{CHOICE}, pass: [good], fail: 0.1}}]"),
        "unknown-key 6:87 steps[0].check[0].fail",
    );
    check_check(
        "[{ask: q, one_of: {a: x, b: y}, levels: [a, b], pass: [a]}]",
        "question-kind 6:60 steps[0].check[0].levels",
    );
}

#[test]
fn rubric_passes_from_a_level_on() {
    check_check("[{ask: q, levels: [bad, good], pass: 1, confidence: 1}]", "");
    check_check("[{ask: q, levels: [bad, good], pass: 1.0}]", "");
    for pass in ["2", "-1", "0.5", "good"] {
        check_check(
            &format!("[{{ask: q, levels: [bad, good], pass: {pass}}}]"),
            "rubric-pass 6:65 steps[0].check[0].pass",
        );
    }
    check_check(
        "[{ask: q, levels: [bad], pass: 0}]",
        "levels-count 6:46 steps[0].check[0].levels",
    );
    check_check(
        "[{ask: q, levels: [a, b, c, d, e, f, g, h, i, j, k], pass: 0}]",
        "levels-count 6:46 steps[0].check[0].levels",
    );
    check_check(
        "[{ask: q, levels: [bad, good]}]",
        "missing-key 6:29 steps[0].check[0].pass",
    );
}

#[test]
fn advisory_stands_only_beside_check() {
    let step = |keys: &str| file(&format!("- {{id: a, agent: x, {keys}}}\n- {{id: b, finish: d}}"));
    check(
        &step("check: q, advisory: true"),
        "warning: needs-evaluator 6:21 steps[0].check",
    );
    check(&step("advisory: true"), "advisory-alone 6:21 steps[0].advisory");
    check(
        &step("check: q, advisory: 'true'"),
        "warning: needs-evaluator 6:21 steps[0].check\nwrong-type 6:41 steps[0].advisory",
    );
}
