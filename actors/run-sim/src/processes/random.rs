//! Drawing a process. Steps lead forward and not far; only a rejection leads back. Every step leads to the one behind it, perhaps among
//! others, so that all are reachable.

use super::{EVENTS, Field, Holds, JOIN, Kind, Next, Path, Person, Process, ROLES, Step, Work};
use crate::Dice;

/// Minutes: few, so that deadlines meet.
const MINUTES_MAX: usize = 6;

impl Process {
    /// The process of a seed.
    pub fn random(seed: u64) -> Self {
        let dice = Dice::new(seed);
        let mut drawing = Drawing {
            dice: &dice,
            inputs: inputs(&dice),
            steps: Vec::new(),
        };
        drawing.draw_places();
        drawing.draw_targets();
        drawing.draw_second_finish();
        drawing.draw_order();
        Self {
            inputs: drawing.inputs,
            steps: drawing.steps,
        }
    }
}

struct Drawing<'a> {
    dice: &'a Dice,
    inputs: Vec<Field>,
    steps: Vec<Step>,
}

impl Drawing<'_> {
    /// The steps of the main line, each leading to the next, with the branches of a parallel step behind it.
    fn draw_places(&mut self) {
        let count = self.dice.between(1, 6);
        let mut forks = 0;
        for place in 0..count {
            let next = if place + 1 < count {
                format!("s{}", place + 1)
            } else {
                "end".to_owned()
            };
            if forks < 2 && self.dice.chance(20) {
                forks += 1;
                self.draw_region(place, &next);
            } else {
                self.draw_step(format!("s{place}"), next, None);
            }
        }
        self.push_finish("end", "finished");
    }

    fn draw_region(&mut self, place: usize, next: &str) {
        let parallel = format!("s{place}");
        let names: Vec<Vec<String>> = (0..self.dice.between(2, 3))
            .map(|branch| {
                let length = self.dice.between(1, 3);
                (0..length)
                    .map(|step| format!("s{place}_{branch}_{step}"))
                    .collect()
            })
            .collect();
        self.steps.push(Step {
            id: parallel.clone(),
            kind: Kind::Parallel(names.iter().map(|branch| branch[0].clone()).collect()),
            next: Next::To(next.to_owned()),
            due: None,
            branch: None,
        });
        for (number, branch) in names.iter().enumerate() {
            for (at, id) in branch.iter().enumerate() {
                let next = branch.get(at + 1).map_or(JOIN, String::as_str).to_owned();
                self.draw_step(id.clone(), next, Some((parallel.clone(), number)));
            }
        }
    }

    fn draw_step(&mut self, id: String, next: String, branch: Option<(String, usize)>) {
        let kind = self.draw_kind();
        let has_due =
            matches!(kind, Kind::Agent(_) | Kind::Task(..) | Kind::Approve(..)) && self.dice.chance(30);
        let due = has_due.then(|| self.minutes());
        self.steps.push(Step {
            id,
            kind,
            next: Next::To(next),
            due,
            branch,
        });
    }

    fn draw_kind(&self) -> Kind {
        match self.dice.below(12) {
            0..=3 => Kind::Agent(self.work()),
            4 | 5 => Kind::Task(self.person(), self.work()),
            6 | 7 => Kind::Approve(self.person(), None),
            8 => Kind::Wait(self.minutes()),
            9 => match self.path_to(Holds::Instant) {
                Some(path) => Kind::WaitUntil(path),
                None => Kind::Wait(self.minutes()),
            },
            _ => Kind::WaitFor {
                event: self.dice.pick(&EVENTS).copied().unwrap_or_default().to_owned(),
                timeout: self.dice.chance(50).then(|| self.minutes()),
                on_timeout: None,
            },
        }
    }

    fn minutes(&self) -> u32 {
        u32::try_from(self.dice.between(1, MINUTES_MAX)).unwrap_or(1)
    }

    fn work(&self) -> Work {
        let mut output = Vec::new();
        let all = [
            ("text", Holds::Text),
            ("amount", Holds::Number),
            ("ok", Holds::Truth),
            ("tags", Holds::Texts),
            ("choice", Holds::Choice),
            ("day", Holds::Day),
            ("when", Holds::Instant),
            ("more", Holds::Object),
            ("table", Holds::Table),
            ("who", Holds::Member),
        ];
        for (name, holds) in all {
            if self.dice.chance(25) {
                output.push(Field {
                    name: name.to_owned(),
                    holds,
                    is_optional: self.dice.chance(40),
                });
            }
        }
        Work {
            output,
            needs_link: self.dice.chance(20),
        }
    }

    fn person(&self) -> Person {
        match self.dice.below(10) {
            0 => Person::Initiator,
            1..=3 => self
                .path_to(Holds::Member)
                .map_or_else(|| self.role(), Person::Path),
            _ => self.role(),
        }
    }

    fn role(&self) -> Person {
        Person::Role(self.dice.pick(&ROLES).copied().unwrap_or_default().to_owned())
    }

    /// A field of an input or of a step that stands before, which need not have completed when the path is followed.
    fn path_to(&self, holds: Holds) -> Option<Path> {
        let fitting = |fields: &[Field]| -> Vec<String> {
            let fitting = fields.iter().filter(|field| field.holds == holds);
            fitting.map(|field| field.name.clone()).collect()
        };
        let mut paths: Vec<Path> = fitting(&self.inputs).into_iter().map(Path::Input).collect();
        for step in &self.steps {
            if let Kind::Agent(work) | Kind::Task(_, work) = &step.kind {
                let names = fitting(&work.output).into_iter();
                paths.extend(names.map(|name| Path::Output(step.id.clone(), name)));
            }
        }
        self.dice.pick(&paths).cloned()
    }

    /// Edges beside the one to the next step: routes, rejections, timeouts. Along a branch they stay in it.
    fn draw_targets(&mut self) {
        for at in 0..self.steps.len() {
            let ahead = self.ahead(at);
            let around = self.around(at);
            let (routes, rejects, times_out) =
                (self.dice.chance(35), self.dice.chance(85), self.dice.chance(60));
            let target = self.dice.pick(&ahead).cloned();
            let back = self.dice.pick(&around).cloned();
            let step = &mut self.steps[at];
            let next = match &step.next {
                Next::To(next) => next.clone(),
                Next::Routes(_) | Next::Nowhere => continue,
            };
            match &mut step.kind {
                Kind::Agent(_) | Kind::Task(..) if routes => {
                    if let Some(other) = target.filter(|other| *other != next) {
                        step.next = Next::Routes(vec![next, other]);
                    }
                }
                Kind::Approve(_, on_reject) if rejects => *on_reject = back,
                Kind::WaitFor {
                    timeout: Some(_),
                    on_timeout,
                    ..
                } if times_out => *on_timeout = target,
                _ => {}
            }
        }
    }

    /// Places behind a step that it may lead to.
    fn ahead(&self, at: usize) -> Vec<String> {
        let own = &self.steps[at].branch;
        let later = self.steps[at + 1..]
            .iter()
            .filter(|step| step.branch == *own)
            .take(3);
        let mut ids: Vec<String> = later.map(|step| step.id.clone()).collect();
        if own.is_some() {
            ids.push(JOIN.to_owned());
        }
        ids
    }

    /// Places that a rejection may lead to: inside a branch those of the branch, outside any but those of branches (process.md §9.3).
    fn around(&self, at: usize) -> Vec<String> {
        let own = &self.steps[at].branch;
        let same = self.steps.iter().filter(|step| step.branch == *own);
        same.map(|step| step.id.clone()).collect()
    }

    /// Another end, when a step can lead to it.
    fn draw_second_finish(&mut self) {
        let id = "other_end";
        let mut doors: Vec<usize> = (0..self.steps.len())
            .filter(|at| self.steps[*at].branch.is_none())
            .collect();
        doors.retain(|at| match &self.steps[*at].kind {
            Kind::Agent(_) | Kind::Task(..) | Kind::Approve(..) => true,
            Kind::WaitFor { timeout, .. } => timeout.is_some(),
            _ => false,
        });
        let Some(at) = self.dice.pick(&doors).copied().filter(|_| self.dice.chance(70)) else {
            return;
        };
        let step = &mut self.steps[at];
        match &mut step.kind {
            Kind::Approve(_, on_reject) => *on_reject = Some(id.to_owned()),
            Kind::WaitFor { on_timeout, .. } => *on_timeout = Some(id.to_owned()),
            _ => match &mut step.next {
                Next::To(next) => step.next = Next::Routes(vec![next.clone(), id.to_owned()]),
                Next::Routes(routes) => routes.push(id.to_owned()),
                Next::Nowhere => {}
            },
        }
        self.push_finish(id, "given_up");
    }

    /// The order in the file says which step begins, and which of two comes first at one instant. All else is said by edges.
    fn draw_order(&mut self) {
        if self.dice.chance(40) {
            for at in (2..self.steps.len()).rev() {
                self.steps.swap(at, self.dice.between(1, at));
            }
        }
    }

    fn push_finish(&mut self, id: &str, outcome: &str) {
        self.steps.push(Step {
            id: id.to_owned(),
            kind: Kind::Finish(outcome.to_owned()),
            next: Next::Nowhere,
            due: None,
            branch: None,
        });
    }
}

fn inputs(dice: &Dice) -> Vec<Field> {
    let all = [
        ("item", Holds::Text),
        ("owner", Holds::Member),
        ("start", Holds::Instant),
    ];
    let mut inputs = Vec::new();
    for (name, holds) in all {
        if dice.chance(60) {
            inputs.push(Field {
                name: name.to_owned(),
                holds,
                is_optional: dice.chance(30),
            });
        }
    }
    inputs
}
