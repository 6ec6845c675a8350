//! Random small processes.

use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::tests::plans::flow::{self, Flow};

/// A step before it has a place: what it points to are places among those that are allowed.
#[derive(Debug, Clone)]
pub(super) struct Sketch {
    kind: u8,
    seconds: u64,
    next: Index,
    other: Index,
    on_reject: Option<Index>,
    due: Option<u64>,
}

pub(super) fn sketch() -> impl Strategy<Value = Sketch> {
    let places = (any::<Index>(), any::<Index>(), weighted(0.9, any::<Index>()));
    (0..10_u8, 0..180_u64, places, of(0..180_u64)).prop_map(
        |(kind, seconds, (next, other, on_reject), due)| Sketch {
            kind,
            seconds,
            next,
            other,
            on_reject,
            due,
        },
    )
}

/// Steps lead forward only, and not far; a rejection leads anywhere. The last two are finishes.
pub(super) fn process(sketches: &[Sketch]) -> Flow {
    let (count, name) = (sketches.len(), |place: usize| format!("s{place}"));
    let steps = sketches.iter().enumerate().map(|(place, sketch)| {
        let id = name(place);
        let later = |index: &Index| name(place + 1 + index.index(3.min(count + 1 - place)));
        let event = ["paid", "sent"][usize::from(sketch.kind % 2)];
        let step = match sketch.kind {
            0..=2 => flow::agent(&id),
            3 => flow::task(&id, "finance"),
            4 | 5 => flow::approve(&id, "legal"),
            6 => flow::wait(&id, sketch.seconds),
            7 => flow::listen(&id, event, None),
            8 => flow::listen(&id, event, Some(sketch.seconds)),
            _ => flow::fork(&id, &[&later(&sketch.next), &later(&sketch.other)]),
        };
        let step = sketch
            .due
            .map_or(step.clone(), |due| step.due(due))
            .next(&later(&sketch.next));
        match &sketch.on_reject {
            Some(target) => step.on_reject(&name(target.index(count + 2))),
            None => step,
        }
    });
    let finishes = [flow::finish(&name(count)), flow::finish(&name(count + 1))];
    Flow::new(steps.chain(finishes))
}
