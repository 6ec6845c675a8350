//! Random processes are valid, and nothing that a process may have is missing among them.

use std::collections::BTreeSet;

use formats::{Format, publishable};
use run_sim::processes::{JOIN, Kind, Next, Person, Process};

#[test]
fn a_random_process_can_be_published() {
    for seed in 0..1_000 {
        let text = Process::random(seed).text();
        if let Err(problems) = publishable(Format::Process, text.as_bytes()) {
            panic!("seed {seed}: {problems:#?}\n{text}");
        }
    }
}

/// What a text says beside kinds and edges.
const KEYS: [&str; 15] = [
    "inputs: {",
    "due: ",
    "evidence: [link]",
    "when: It is so.",
    "optional: true",
    "one_of: ",
    "items: string",
    "items: { type: list",
    "type: string",
    "type: number",
    "type: boolean",
    "type: date }",
    "type: datetime",
    "type: object",
    "type: person",
];

#[test]
fn random_processes_have_everything() {
    let mut seen = BTreeSet::new();
    for process in (0..1_000).map(Process::random) {
        for step in &process.steps {
            let place = |id: &str| process.steps.iter().position(|other| other.id == id);
            let at = place(&step.id);
            seen.insert(match &step.kind {
                Kind::Agent(_) => "agent",
                Kind::Task(..) => "task",
                Kind::Approve(_, None) => "approval that ends",
                Kind::Approve(_, Some(target)) if *target == step.id => "rejected into itself",
                Kind::Approve(_, Some(target)) if place(target) > at => "rejected ahead",
                Kind::Approve(_, Some(_)) if step.branch.is_some() => "rejected in a branch",
                Kind::Approve(_, Some(target)) => match process.step(target).map(|target| &target.kind) {
                    Some(Kind::Parallel(_)) => "rejected into a fork",
                    _ => "rejected back",
                },
                Kind::Wait(_) => "wait",
                Kind::WaitUntil(_) => "wait_until",
                Kind::WaitFor {
                    on_timeout: Some(_), ..
                } => "timeout with a place of its own",
                Kind::WaitFor { timeout: Some(_), .. } => "timeout",
                Kind::WaitFor { .. } => "event",
                Kind::Finish(_) => "finish",
                Kind::Parallel(entries) if entries.len() > 2 => "three branches",
                Kind::Parallel(_) => "two branches",
            });
            if let Kind::Task(person, _) | Kind::Approve(person, _) = &step.kind {
                seen.insert(match person {
                    Person::Role(_) => "role",
                    Person::Initiator => "initiator",
                    Person::Path(_) => "path",
                });
            }
            match &step.next {
                Next::To(to) if place(to) < at && to != JOIN => seen.insert("before it in the file"),
                Next::Routes(routes) if routes.iter().any(|to| to == JOIN) => seen.insert("route to join"),
                Next::Routes(_) => seen.insert("routes"),
                _ => false,
            };
        }
        let text = process.text();
        for key in KEYS.iter().filter(|key| text.contains(**key)) {
            seen.insert(key);
        }
    }
    assert_eq!(seen.len(), 22 + KEYS.len(), "{seen:?}");
}
