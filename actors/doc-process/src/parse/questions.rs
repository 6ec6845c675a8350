//! The questions of `check` (process.md §7).

use std::collections::BTreeSet;

use doc_kit::number::Decimal;
use doc_kit::reader::Map;
use doc_kit::{Node, NodeValue, Path, Problem};
use serde_json::Number;

use super::shape::{Form, Shape, shorten};
use crate::model::{Question, QuestionKind};

const YES_NO_KEYS: [&str; 3] = ["ask", "pass", "fail"];
const CHOICE_KEYS: [&str; 5] = ["ask", "one_of", "pass", "unsure", "confidence"];
const RUBRIC_KEYS: [&str; 4] = ["ask", "levels", "pass", "confidence"];
const NAMES: &str = "Write a list of names out of `one_of`, such as `[good]`.";
/// Of a question that is both.
const EITHER_KEYS: [&str; 7] = ["ask", "one_of", "levels", "pass", "fail", "unsure", "confidence"];
const LEVELS: std::ops::RangeInclusive<usize> = 2..=10;

pub(super) fn questions(node: &Node, path: &Path, shape: &mut Shape<'_>) -> Vec<Question> {
    if node.as_str().is_some() {
        let ask = ask(node, path, shape);
        return ask
            .map(|ask| Question {
                ask,
                kind: QuestionKind::YesNo {
                    pass: None,
                    fail: None,
                },
            })
            .into_iter()
            .collect();
    }
    if node.as_list().is_none() {
        shape.expected::<()>(
            "a question or a list of questions",
            node,
            path,
            "Write the question as a text, or questions as a list, such as `[{ask: Is it right?, pass: 0.8}]`.",
        );
        return Vec::new();
    }
    let items = shape
        .filled_list(node, path, "question", "Write each as `{ask: Is it right?}`.")
        .unwrap_or_default();
    items
        .iter()
        .enumerate()
        .filter_map(|(index, item)| question(item, &path.index(index), shape))
        .collect()
}

fn question(node: &Node, path: &Path, shape: &mut Shape<'_>) -> Option<Question> {
    let form = |keys| Form {
        what: "a question",
        instead: "Write it as `{ask: Is it right?}`.",
        keys,
        fitting: keys,
        habits: &[],
    };
    let form = match (node.get("one_of"), node.get("levels")) {
        (Some(_), Some(_)) => form(&EITHER_KEYS),
        (Some(_), None) => form(&CHOICE_KEYS),
        (None, Some(_)) => form(&RUBRIC_KEYS),
        (None, None) => form(&YES_NO_KEYS),
    };
    let node = &*shape.form(node, path, &form)?;
    let map = node.as_map()?;
    let asked = shape
        .required(node, "ask", path)
        .and_then(|node| ask(node, &path.key("ask"), shape));
    let kind = match (map.entry("one_of"), map.entry("levels")) {
        (Some(_), Some(levels)) => {
            let message = "A question has either `one_of` or `levels`.";
            let problem = Problem::error("question-kind", &path.key("levels"), levels.key_position, message);
            shape.report(problem.fix("Make two questions of it."));
            None
        }
        (Some(one_of), None) => choice(node, &one_of.value, path, shape),
        (None, Some(levels)) => rubric(node, &levels.value, path, shape),
        (None, None) => Some(yes_no(map, path, shape)),
    };
    Some(Question {
        ask: asked?,
        kind: kind?,
    })
}

fn ask(node: &Node, path: &Path, shape: &mut Shape<'_>) -> Option<String> {
    let text = shape.text(node, path)?;
    if text.value.trim().is_empty() {
        let problem = Problem::error("question-blank", path, node.position, "The question is blank.");
        shape.report(problem.fix("Write what the evaluator is to judge."));
    }
    Some(text.value)
}

fn yes_no(map: &Map, path: &Path, shape: &mut Shape<'_>) -> QuestionKind {
    let pass = threshold(map, "pass", path, shape);
    let fail = threshold(map, "fail", path, shape);
    if let (Some(pass), Some(fail), Some(at)) = (&pass, &fail, map.get("fail"))
        && Decimal::parse(fail.as_str()) > Decimal::parse(pass.as_str())
    {
        let message = "`fail` must not be greater than `pass`.";
        let problem = Problem::error("threshold-order", &path.key("fail"), at.position, message);
        shape.report(problem.fix("Lower `fail` or raise `pass`."));
    }
    QuestionKind::YesNo { pass, fail }
}

fn choice(node: &Node, one_of: &Node, path: &Path, shape: &mut Shape<'_>) -> Option<QuestionKind> {
    let map = node.as_map()?;
    let answers = answers(one_of, &path.key("one_of"), shape);
    let pass = shape
        .required(node, "pass", path)
        .map(|node| (node, path.key("pass")));
    let pass_names = pass.and_then(|(node, path)| {
        shape.filled_list(node, &path, "answer", NAMES)?;
        Some(names(node, &path, answers.as_deref(), shape))
    });
    let unsure = map
        .get("unsure")
        .map(|node| names(node, &path.key("unsure"), answers.as_deref(), shape))
        .unwrap_or_default();
    let confidence = threshold(map, "confidence", path, shape);
    if let (Some(pass), Some(at)) = (&pass_names, map.get("unsure")) {
        let pass: BTreeSet<&String> = pass.iter().collect();
        for name in unsure.iter().filter(|name| pass.contains(name)) {
            let message = format!("`{name}` is both in `pass` and in `unsure`.");
            let problem = Problem::error("answer-twice", &path.key("unsure"), at.position, message);
            shape.report(problem.fix("Keep it in one of them."));
        }
    }
    Some(QuestionKind::Choice {
        one_of: answers?,
        pass: pass_names?,
        unsure,
        confidence,
    })
}

fn answers(node: &Node, path: &Path, shape: &mut Shape<'_>) -> Option<Vec<(String, String)>> {
    let map = shape.map(
        node,
        path,
        "answers with their meanings",
        "Write `{good: All is well., bad: Something is amiss.}`.",
    )?;
    if map.entries.len() < 2 {
        let problem = Problem::error(
            "answers-too-few",
            path,
            node.position,
            "A choice needs two or more answers.",
        );
        shape.report(problem.fix("Add another answer."));
    }
    let answer = |entry: &doc_kit::reader::Entry| {
        let path = path.key(&entry.key);
        shape.json_key(entry, &path);
        let text = shape.text(&entry.value, &path);
        (entry.key.clone(), text.map(|text| text.value).unwrap_or_default())
    };
    Some(map.entries.iter().map(answer).collect())
}

fn names(
    node: &Node,
    path: &Path,
    answers: Option<&[(String, String)]>,
    shape: &mut Shape<'_>,
) -> Vec<String> {
    let known: Option<BTreeSet<&str>> =
        answers.map(|answers| answers.iter().map(|(answer, _)| answer.as_str()).collect());
    let mut names = Vec::new();
    for (index, item) in shape
        .list(node, path, "a list of answers", NAMES)
        .unwrap_or_default()
        .iter()
        .enumerate()
    {
        let path = path.index(index);
        let Some(name) = shape.text(item, &path) else {
            continue;
        };
        if known
            .as_ref()
            .is_some_and(|known| !known.contains(name.value.as_str()))
        {
            let message = format!("`{}` is none of the answers in `one_of`.", shorten(&name.value));
            let problem = Problem::error("unknown-answer", &path, name.position, message);
            shape.report(problem.fix("Use the name of an answer."));
        }
        names.push(name.value);
    }
    names
}

fn rubric(node: &Node, levels: &Node, path: &Path, shape: &mut Shape<'_>) -> Option<QuestionKind> {
    let map = node.as_map()?;
    let levels_path = path.key("levels");
    let items = shape.list(
        levels,
        &levels_path,
        "a list of levels",
        "Write them from worst to best, such as `[bad, fair, good]`.",
    );
    if items.is_some_and(|items| !LEVELS.contains(&items.len())) {
        let problem = Problem::error(
            "levels-count",
            &levels_path,
            levels.position,
            "A rubric has 2 to 10 levels.",
        );
        shape.report(problem.fix("Add or join levels."));
    }
    let items = items.unwrap_or_default();
    let texts = items
        .iter()
        .enumerate()
        .map(|(index, item)| shape.text(item, &levels_path.index(index)));
    let levels: Option<Vec<String>> = texts.map(|text| text.map(|text| text.value)).collect();
    let pass = shape
        .required(node, "pass", path)
        .and_then(|node| level(node, items.len(), &path.key("pass"), shape));
    let confidence = threshold(map, "confidence", path, shape);
    Some(QuestionKind::Rubric {
        levels: levels?,
        pass: pass?,
        confidence,
    })
}

/// An integer index within the levels.
fn level(node: &Node, count: usize, path: &Path, shape: &mut Shape<'_>) -> Option<usize> {
    let index = match &node.value {
        NodeValue::Unreadable => return None,
        NodeValue::Number(number) => Decimal::parse(number.as_str())
            .filter(Decimal::is_integer)
            .and_then(|decimal| decimal.to_ecmascript().parse::<usize>().ok()),
        _ => None,
    };
    if index.is_none_or(|index| index >= count) {
        let message = "`pass` of a rubric is the number of a level, counted from 0.";
        let problem = Problem::error("rubric-pass", path, node.position, message);
        shape.report(problem.fix(format!("Write an integer from 0 to {}.", count.max(1) - 1)));
    }
    index
}

/// A number from 0 to 1.
fn threshold(map: &Map, key: &str, path: &Path, shape: &mut Shape<'_>) -> Option<Number> {
    let node = map.get(key)?;
    let path = path.key(key);
    let NodeValue::Number(number) = &node.value else {
        return shape.expected(
            "a number from 0 to 1",
            node,
            &path,
            "Write a number, such as 0.8.",
        );
    };
    let value = Decimal::parse(number.as_str());
    if value < Decimal::parse("0") || value > Decimal::parse("1") {
        let problem = Problem::error(
            "threshold-range",
            &path,
            node.position,
            format!("`{key}` must lie between 0 and 1."),
        );
        shape.report(problem.fix("Write a number, such as 0.8."));
        return None;
    }
    Some(number.clone())
}
