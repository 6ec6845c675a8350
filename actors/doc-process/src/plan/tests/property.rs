//! Random runs of random processes with forks, beside a deliberately naive model.

mod model;
mod sketch;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use run_core::event::Moved;

use super::driver::Run;
use model::Model;
use sketch::{Kind, Part, Step, parts, steps, yaml};

/// What happens next.
#[derive(Debug, Clone)]
enum Act {
    /// Somebody does what an open step waits for.
    GoOn { step: Index, how: Index },
    /// An event comes, whether or not it is waited for.
    Send(&'static str),
    /// Time passes.
    Pass,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        12 => (any::<Index>(), any::<Index>()).prop_map(|(step, how)| Act::GoOn { step, how }),
        1 => prop_oneof![Just("paid"), Just("sent")].prop_map(Act::Send),
        1 => Just(Act::Pass),
    ]
}

fn live(parts: &[Part], acts: &[Act]) {
    let steps = steps(parts);
    let (mut run, mut model) = (Run::start(&yaml(&steps)), Model::start(&steps));
    let mut now = 0;
    for act in acts {
        let minutes = if matches!(act, Act::Pass) { 90 } else { 1 };
        now += i64::try_from(minutes).expect("it is small");
        run.advance_minutes(minutes);
        model.pass(now);
        let seen = run.seq();
        match act {
            _ if model.is_over => break,
            Act::GoOn { step, how } => go_on(&mut run, &mut model, (*step, *how), now),
            Act::Send(event) => {
                run.send(event, None);
                model.send(event, now);
            }
            Act::Pass => {}
        }
        assert_eq!(run.shown(), model.shown());
        check_edges(&run, seen, &steps);
        check_forks(&run, &steps);
    }
}

fn go_on(run: &mut Run, model: &mut Model, (step, how): (Index, Index), now: i64) {
    let open = model.waiting_for_somebody();
    let step = step.get(&open);
    let id = step.id.as_str();
    match &step.kind {
        Kind::Agent => {
            let route = how.index(step.next.len());
            let next = (step.next.len() > 1).then(|| step.next[route].as_str());
            run.submit(id, "{}", next);
            model.complete(id, route, now);
        }
        Kind::Approve { .. } if how.index(3) == 0 => {
            run.reject(id, "no");
            model.reject(id, now);
        }
        Kind::Approve { .. } => {
            run.approve(id);
            model.complete(id, 0, now);
        }
        Kind::Listen { event, .. } => {
            run.send(event, None);
            model.send(event, now);
        }
        Kind::Fork(_) | Kind::Finish => panic!("{id} is nobody's work"),
    }
}

/// Work exists only along the declared edges (core-2 §6.1).
fn check_edges(run: &Run, seen: u64, steps: &[Step]) {
    let find = |id: &str| steps.iter().find(|step| step.id == id);
    for (from, moves) in run.moves_since(seen) {
        let mut reachable: Vec<String> = find(&from).map(leads_to).unwrap_or_default();
        for moved in &moves {
            match moved {
                Moved::Reached { step, .. } => {
                    assert!(
                        reachable.iter().any(|to| to == step.as_str()),
                        "{from} led to {step}"
                    );
                    if let Some(Kind::Fork(entries)) = find(step.as_str()).map(|step| &step.kind) {
                        reachable.extend(entries.iter().cloned());
                    }
                }
                // A fork that has joined leads on, in the same write.
                Moved::Satisfied { step } => {
                    reachable.extend(find(step.as_str()).map(leads_to).unwrap_or_default());
                }
                Moved::Rewound { .. } | Moved::Withdrawn { .. } | Moved::Ended { .. } => {}
            }
        }
    }
}

fn leads_to(step: &Step) -> Vec<String> {
    let other = match &step.kind {
        Kind::Approve { on_reject: other }
        | Kind::Listen {
            on_timeout: other, ..
        } => other.clone(),
        Kind::Agent | Kind::Fork(_) | Kind::Finish => None,
    };
    step.next.iter().cloned().chain(other).collect()
}

/// A fork is open exactly while a branch of it has not joined, and no branch has more than one open step.
fn check_forks(run: &Run, steps: &[Step]) {
    for fork in steps.iter().filter(|step| matches!(step.kind, Kind::Fork(_))) {
        let region = steps
            .iter()
            .filter_map(|step| Some((step, step.branch.as_ref()?)));
        let region = region.filter(|(_, (of, _))| *of == fork.id);
        let open: Vec<usize> = region
            .filter(|(step, _)| run.is_open(&step.id))
            .map(|(_, (_, branch))| *branch)
            .collect();
        assert_eq!(run.is_open(&fork.id), !open.is_empty(), "{}", fork.id);
        let is_single = open.windows(2).all(|pair| pair[0] != pair[1]);
        assert!(is_single, "{}: {open:?}", fork.id);
    }
}

proptest! {
    #[test]
    fn run_goes_as_the_text_says(parts in parts(), acts in vec(act(), 1..60)) {
        live(&parts, &acts);
    }
}
