use super::{check, check_sentence, document, file, file_with, found};

const DONE: &str = "- {id: done, finish: completed}";

#[test]
fn smallest_process_has_no_problem() {
    check(
        "---\nname: a\ndescription: b\nsteps: [{id: c, finish: d}]\n---\n",
        "",
    );
}

#[test]
fn frontmatter_is_required() {
    check("# A process\n", "frontmatter-missing 1:1");
    check("---\nname: a\n", "frontmatter-unclosed 1:1");
    check("---\n---\n", "frontmatter-empty 2:1");
    check("---\n- a\n---\n", "wrong-type 2:1");
}

#[test]
fn missing_keys_are_all_named() {
    check(
        "---\ninputs: {}\n---\n",
        "missing-key 2:1 description\nmissing-key 2:1 name\nmissing-key 2:1 steps",
    );
}

#[test]
fn unknown_keys_are_refused_everywhere() {
    check(&file_with("input: {}", DONE), "unknown-key 4:1 input");
    check(
        &file_with("requires: {systems: [a], people: [b]}", DONE),
        "unknown-key 4:26 requires.people",
    );
    check(
        &file_with("inputs: {a: {type: string, default: x}}", DONE),
        "unknown-key 4:28 inputs.a.default",
    );
    check(
        &file("- {id: done, finish: completed, label: x}"),
        "unknown-key 6:33 steps[0].label",
    );
    check(
        &file("- {id: a, agent: x, next: [{to: done, if: y}, done]}\n- {id: done, finish: d}"),
        "unknown-key 6:39 steps[0].next[0].if\nwarning: route-twice 6:47 steps[0].next[1]",
    );
    check(
        &file_with("inputs: {a: {type: list, items: {type: string, min: 1}}}", DONE),
        "unknown-key 4:48 inputs.a.items.min",
    );
    check(
        &file(
            "- {id: a, agent: x, output: {n: {type: number, unit: kg}}, check: [{ask: q, model: m}]}\n- {id: b, finish: d}",
        ),
        "unknown-key 6:48 steps[0].output.n.unit\nwarning: needs-evaluator 6:60 steps[0].check\n\
         unknown-key 6:77 steps[0].check[0].model",
    );
}

#[test]
fn name_that_no_json_may_hold_is_refused() {
    check(
        &file_with("inputs: {$serde_json::private::Number: string}", DONE),
        "reserved-name 4:10 inputs[\"$serde_json::private::Number\"]",
    );
}

#[test]
fn keys_of_private_profiles_are_refused() {
    for key in [
        "data_sources: [{key: a, operations: [read]}]",
        "emails: {templates: [a]}",
        "files: true",
    ] {
        let name = key.split(':').next().unwrap_or_default();
        check(&file_with(key, DONE), &format!("needs-profile 4:1 {name}"));
        let checked = crate::check(file_with(key, DONE).as_bytes(), None);
        let message = format!("`{name}` needs a profile this server lacks.");
        assert_eq!(checked.problems[0].message, message);
    }
}

#[test]
fn name_is_words_joined_by_hyphens() {
    let named =
        |name: &str| format!("---\nname: {name}\ndescription: b\nsteps: [{{id: c, finish: d}}]\n---\n");
    for name in ["a", "supplier-onboarding-2", &"a".repeat(64)] {
        check(&named(name), "");
    }
    for name in ["A", "a_b", "-a", "a--b", "a-", "''", "ä", &"a".repeat(65)] {
        check(&named(name), "name 2:7 name");
    }
    check(&named("12"), "wrong-type 2:7 name");
}

#[test]
fn folder_must_have_the_name() {
    let text = file(DONE);
    assert!(crate::check(text.as_bytes(), Some("demo")).is_ok());
    assert!(
        crate::check(text.as_bytes(), None).is_ok(),
        "without a folder there is nothing to match"
    );
    let checked = crate::check(text.as_bytes(), Some("other"));
    assert_eq!(found(&checked), "folder-name 2:7 name");
}

#[test]
fn description_is_not_blank() {
    for blank in ["''", "' '", "\"\\n\""] {
        check(
            &format!("---\nname: a\ndescription: {blank}\nsteps: [{{id: c, finish: d}}]\n---\n"),
            "description 3:14 description",
        );
    }
    check(
        "---\nname: a\ndescription:\nsteps: [{id: c, finish: d}]\n---\n",
        "wrong-type 3:12 description",
    );
}

#[test]
fn inputs_are_fields_and_none_by_default() {
    let text =
        |line: &str| format!("---\nname: a\ndescription: b\n{line}steps: [{{id: c, finish: d}}]\n---\n");
    let names = |line: &str| {
        let fields = document(&text(line)).process.inputs;
        fields.iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
    };
    assert!(names("").is_empty());
    assert!(names("inputs: {}\n").is_empty());
    assert_eq!(names("inputs: {a: string, b: {type: number}}\n"), ["a", "b"]);
    check(&text("inputs: [a]\n"), "wrong-type 4:9 inputs");
}

#[test]
fn systems_are_names_each_once() {
    check(&file_with("requires: {systems: [a, b-2]}", DONE), "");
    check(
        &file_with("requires: {}", DONE),
        "missing-key 4:11 requires.systems",
    );
    check(
        &file_with("requires: {systems: []}", DONE),
        "empty-list 4:21 requires.systems",
    );
    check(
        &file_with("requires: {systems: [A, b, b]}", DONE),
        "system-name 4:22 requires.systems[0]\nsystem-twice 4:28 requires.systems[2]",
    );
    check(&file_with("requires: [a]", DONE), "wrong-type 4:11 requires");
    assert_eq!(
        document(&file_with("requires: {systems: [a, b-2]}", DONE))
            .process
            .systems,
        ["a", "b-2"]
    );
}

#[test]
fn steps_are_a_list_of_at_least_one() {
    check(
        "---\nname: a\ndescription: b\nsteps: []\n---\n",
        "empty-list 4:8 steps",
    );
    check(
        "---\nname: a\ndescription: b\nsteps: {}\n---\n",
        "wrong-type 4:8 steps",
    );
    check(
        "---\nname: a\ndescription: b\nsteps:\n---\n",
        "wrong-type 4:6 steps",
    );
    check(
        "---\nname: a\ndescription: b\nsteps: [a]\n---\n",
        "wrong-type 4:9 steps[0]",
    );
}

/// No advice may lead to the next error.
#[test]
fn advice_mends_the_problem() {
    let step = |keys: &str| file(&format!("- {{id: a, {keys}}}\n- {{id: b, finish: d}}"));
    for (text, expected) in [
        (
            step("agent: x, due: 2"),
            "Expected text here, not the number 2. Write a duration, such as 2d.",
        ),
        (
            step("wait: 1.5"),
            "Expected text here, not the number 1.5. Write a duration, such as 2d.",
        ),
        (
            step("wait_for: 5"),
            "Expected text here, not the number 5. Write the name of an event, such as `payment`.",
        ),
        (
            step("agent: 5"),
            "Expected text here, not the number 5. Quote it.",
        ),
        (
            step("agent: {x}"),
            "Expected text here, not a map. Write what is to be done as one text, in quotes if it begins with `{` or `[`.",
        ),
        (
            "---\nname: a\ndescription: b\nsteps: {a: {finish: d}}\n---\n".to_owned(),
            "Expected a list of steps here, not a map. Begin each step with `- id:`.",
        ),
        (
            file_with("inputs: {a: {type: number, one_of: [9007199254740993]}}", DONE),
            "This number has more digits or a larger exponent than the content hash covers. Write at most 15 \
             digits, and an exponent below 300.",
        ),
        (
            file_with("inputs: {a: {type: object, items: string}}", DONE),
            "`items` belongs to the type `list`, not to `object`. Delete `items`, or make the type `list`.",
        ),
    ] {
        check_sentence(&text, expected);
    }
}

#[test]
fn number_must_be_covered_by_the_hash() {
    let with = |number: &str| {
        file_with(
            &format!("inputs: {{a: {{type: number, one_of: [{number}]}}}}"),
            DONE,
        )
    };
    for number in ["0.1", "2.50", "9007199254740992", "1e21", "-0", "0xFF"] {
        check(&with(number), "");
    }
    for number in [
        "9007199254740993",
        "1e400",
        "0.1000000000000000055511151231257827",
    ] {
        check(&with(number), "number-not-covered 4:37 inputs.a.one_of[0]");
        assert_eq!(crate::check(with(number).as_bytes(), None).content_hash, None);
    }
    check(&with(".inf"), "number-not-finite 4:37 inputs.a.one_of[0]");
}

#[test]
fn problems_of_the_reader_and_of_the_rules_come_together() {
    check(
        "---\nname: A\nname: b\ndescription: !x c\nsteps:\n- {id: a, agent: x, next: nowhere}\n---\n",
        "name 2:7 name\nduplicate-key 3:1 name\nunknown-tag 4:14 description\nunknown-step 6:27 steps[0].next",
    );
}

#[test]
fn content_hash_is_sha256_of_jcs_newline_and_body() {
    // printf '%s\nBody.\n' '{"description":"A demonstration.","inputs":{},"name":"demo","steps":[{"finish":"completed",
    // "id":"done"}]}' | sha256sum, the JSON on one line.
    let expected = "sha256:d0119227314584f7cfdf4cefc0f31c7460f71f41d207b245960b73d67e40d00a";
    assert_eq!(document(&file(DONE)).content_hash.to_string(), expected);
}

#[test]
fn spelling_of_the_frontmatter_does_not_change_the_hash_and_the_body_does() {
    let hash = |text: &str| document(text).content_hash;
    let plain = "---\nname: a\ndescription: b\nsteps: [{id: c, finish: d}]\n---\nBody\n";
    let other = "\u{feff}--- \r\n# comment\r\nsteps:\r\n  - finish: 'd'\r\n    \"id\": c\r\ndescription: >-\r\n  b\r\nname: a\r\n---\r\nBody\n";
    assert_eq!(hash(plain), hash(other));
    assert_ne!(hash(plain), hash(&plain.replace("Body\n", "Body\r\n")));
    assert_ne!(hash(plain), hash(&plain.replace("Body\n", "Body")));
}

/// A bound of this server; the format names none.
#[test]
fn a_process_has_at_most_1000_steps() {
    let steps = |count: usize| -> String {
        (1..count)
            .map(|index| format!("- {{id: s{index}, task: x, person: p}}\n"))
            .chain([DONE.to_owned()])
            .collect()
    };
    check(&file(&steps(1000)), "");
    check(&file(&steps(1001)), "too-many-steps 6:3 steps");
    check_sentence(
        &file(&steps(1001)),
        "A process may have 1000 steps; this one has 1001. Divide it into several processes.",
    );
}

/// None of these may cost more than a moment: each is near the largest file there is.
#[test]
fn hostile_files_are_answered() {
    use std::fmt::Write as _;
    let mut steps = String::new();
    for index in 0..15_000 {
        let _ = writeln!(
            steps,
            "- {{id: s{index}, task: x, person: steps.t{index}.output.p, next: u{index}}}"
        );
    }
    let many_steps = file(&steps);
    let long_key = file_with(
        &format!(
            "inputs: {{{}: [{}]}}",
            "k".repeat(400_000),
            "&a x, ".repeat(90_000)
        ),
        DONE,
    );
    let deep = file_with(
        &format!("inputs: {}", format!("{{{}: ", "k".repeat(200)).repeat(5000)),
        DONE,
    );
    let fields: String = (0..60_000).fold(String::new(), |text, index| text + &format!("f{index}: x, "));
    let many_fields = file_with(&format!("inputs: {{{fields}}}"), DONE);
    let duplicates = file_with(&format!("inputs: {{{}}}", "a: string, ".repeat(80_000)), DONE);
    for text in [many_steps, long_key, deep, many_fields, duplicates] {
        let checked = crate::check(text.as_bytes(), None);
        assert!(!checked.is_ok() && !checked.problems.is_empty());
        assert!(checked.problems.len() <= doc_kit::problem::PROBLEMS_MAX);
    }
}
