use super::{document, file};
use crate::{Feature, StepKind, publishable};

#[test]
fn route_list_has_objects_on_the_wire() {
    let document = document(&file(
        "- {id: a, agent: x, next: [b, {to: c, when: y}]}\n- {id: b, finish: d}\n- {id: c, finish: e}",
    ));
    assert_eq!(
        document.process.steps[0].next.to_json().to_string(),
        r#"[{"to":"b"},{"to":"c","when":"y"}]"#
    );
    assert_eq!(document.process.steps[1].next.to_json().to_string(), "null");
}

#[test]
fn what_a_server_lacks_keeps_a_process_from_publication() {
    let document = document(&file(
        "- {id: a, agent: x, evidence: [file], check: q}\n- {id: b, task: x, person: p, evidence: [link, file]}\n- {id: d, finish: d}",
    ));
    let found: Vec<_> = publishable(&document, &[])
        .iter()
        .map(|problem| {
            (
                problem.path.to_string(),
                problem.position.line,
                problem.position.column,
            )
        })
        .collect();
    let at = |path: &str, line, column| (path.to_owned(), line, column);
    assert_eq!(
        found,
        [
            at("steps[0].evidence", 6, 21),
            at("steps[0].check", 6, 39),
            at("steps[1].evidence", 7, 31)
        ]
    );
    assert_eq!(publishable(&document, &[Feature::Upload]).len(), 1);
    assert!(publishable(&document, &[Feature::Upload, Feature::Evaluator]).is_empty());
}

#[test]
fn declared_and_absent_output_differ() {
    let document = document(&file(
        "- {id: a, agent: x, output: {}}\n- {id: b, agent: x, evidence: []}\n- {id: d, finish: d}",
    ));
    let work: Vec<_> = document
        .process
        .steps
        .iter()
        .filter_map(|step| match &step.kind {
            StepKind::Agent { work, .. } => Some((work.output.is_some(), work.evidence.is_some())),
            _ => None,
        })
        .collect();
    assert_eq!(work, [(true, false), (false, true)]);
}
