//! Random small processes: a main line with forks, steps that lead onwards, rejections that lead anywhere they may.

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::Index;

/// A step before it has a place.
#[derive(Debug, Clone)]
pub(super) struct Sketch {
    kind: u8,
    event: u8,
    route: Option<Index>,
    on_reject: Option<Index>,
    on_timeout: Option<Index>,
}

/// A part of the main line.
#[derive(Debug, Clone)]
pub(super) enum Part {
    Step(Sketch),
    Fork(Vec<Vec<Sketch>>),
}

pub(super) fn parts() -> impl Strategy<Value = Vec<Part>> {
    let index = any::<Index>;
    let often = || proptest::option::weighted(0.9, index());
    let sketch = || {
        (0..5_u8, 0..2_u8, of(index()), often(), of(index())).prop_map(
            |(kind, event, route, on_reject, on_timeout)| Sketch {
                kind,
                event,
                route,
                on_reject,
                on_timeout,
            },
        )
    };
    let part = prop_oneof![
        3 => sketch().prop_map(Part::Step),
        2 => vec(vec(sketch(), 1..4), 2..4).prop_map(Part::Fork),
    ];
    vec(part, 1..6)
}

/// A step as the file declares it.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) id: String,
    pub(super) kind: Kind,
    /// One, or a list to choose from.
    pub(super) next: Vec<String>,
    /// The fork and the number of the branch that it is in.
    pub(super) branch: Option<(String, usize)>,
}

#[derive(Debug, Clone)]
pub(super) enum Kind {
    Agent,
    Approve {
        on_reject: Option<String>,
    },
    Listen {
        event: String,
        /// Where a timeout goes, an hour after the wait began; none has none.
        on_timeout: Option<String>,
    },
    Fork(Vec<String>),
    Finish,
}

/// The steps of a process, in file order; the last one is its finish, `end`.
pub(super) fn steps(parts: &[Part]) -> Vec<Step> {
    let main: Vec<String> = (0..parts.len()).map(|place| format!("m{place}")).collect();
    let main_and_end: Vec<String> = main.iter().cloned().chain(["end".to_owned()]).collect();
    let mut steps = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        let line = Line {
            ids: &main_and_end,
            onward: &main_and_end[place + 1..],
        };
        match part {
            Part::Step(sketch) => steps.push(line.step(&main[place], sketch, None)),
            Part::Fork(branches) => {
                let name = |branch: usize, step: usize| format!("{}b{branch}s{step}", main[place]);
                steps.push(Step {
                    id: main[place].clone(),
                    kind: Kind::Fork((0..branches.len()).map(|branch| name(branch, 0)).collect()),
                    next: vec![main_and_end[place + 1].clone()],
                    branch: None,
                });
                for (number, branch) in branches.iter().enumerate() {
                    let ids: Vec<String> = (0..branch.len()).map(|step| name(number, step)).collect();
                    let ids_and_join: Vec<String> = ids.iter().cloned().chain(["join".to_owned()]).collect();
                    for (step, sketch) in branch.iter().enumerate() {
                        let line = Line {
                            ids: &ids,
                            onward: &ids_and_join[step + 1..],
                        };
                        let branch = Some((main[place].clone(), number));
                        steps.push(line.step(&ids[step], sketch, branch));
                    }
                }
            }
        }
    }
    steps.push(Step {
        id: "end".to_owned(),
        kind: Kind::Finish,
        next: Vec::new(),
        branch: None,
    });
    steps
}

/// Where a step of a line may lead: a rejection to any of its steps, everything else onwards.
struct Line<'a> {
    ids: &'a [String],
    onward: &'a [String],
}

impl Line<'_> {
    fn step(&self, id: &str, sketch: &Sketch, branch: Option<(String, usize)>) -> Step {
        let onward = |index: &Index| index.get(self.onward).clone();
        let mut next = vec![self.onward[0].clone()];
        let kind = match sketch.kind {
            0 | 1 => {
                next.extend(sketch.route.as_ref().map(onward));
                Kind::Agent
            }
            2 | 3 => Kind::Approve {
                on_reject: sketch.on_reject.as_ref().map(|index| index.get(self.ids).clone()),
            },
            _ => Kind::Listen {
                event: ["paid", "sent"][usize::from(sketch.event)].to_owned(),
                on_timeout: sketch.on_timeout.as_ref().map(onward),
            },
        };
        Step {
            id: id.to_owned(),
            kind,
            next,
            branch,
        }
    }
}

/// The same as YAML.
pub(super) fn yaml(steps: &[Step]) -> String {
    let lines = steps.iter().map(|step| {
        let next = match step.next.as_slice() {
            [] => String::new(),
            [to] => format!(", next: {to}"),
            list => format!(", next: [{}]", list.join(", ")),
        };
        let kind = match &step.kind {
            Kind::Agent => "agent: x".to_owned(),
            Kind::Approve { on_reject: None } => "approve: x, person: finance".to_owned(),
            Kind::Approve {
                on_reject: Some(target),
            } => format!("approve: x, person: finance, on_reject: {target}"),
            Kind::Listen {
                event,
                on_timeout: None,
            } => format!("wait_for: {event}"),
            Kind::Listen {
                event,
                on_timeout: Some(target),
            } => format!("wait_for: {event}, timeout: 1h, on_timeout: {target}"),
            Kind::Fork(entries) => format!("parallel: [{}]", entries.join(", ")),
            Kind::Finish => "finish: over".to_owned(),
        };
        format!("- {{id: {}, {kind}{next}}}", step.id)
    });
    lines.collect::<Vec<_>>().join("\n")
}
