//! A process as its `PROCESS.md`.

use std::fmt::Write;

use super::{Field, Holds, Kind, Next, Path, Person, Process, Step, Work};

impl Process {
    /// The file.
    pub fn text(&self) -> String {
        let mut text = String::from("---\nname: drawn\ndescription: Drawn at random.\n");
        if !self.inputs.is_empty() {
            push(&mut text, &format!("inputs: {}", fields(&self.inputs)));
        }
        push(&mut text, "steps:");
        for (at, step) in self.steps.iter().enumerate() {
            write_step(&mut text, step);
            if !(at % 2 == 0 && self.is_next_the_default(at)) {
                write_next(&mut text, &step.next);
            }
        }
        text.push_str("---\nWhat everybody should know.\n");
        text
    }

    /// Whether the step leads to the following one in the file, and need not say so. Steps of branches always do (process.md §6).
    fn is_next_the_default(&self, at: usize) -> bool {
        let following = self.steps.get(at + 1).map(|step| Next::To(step.id.clone()));
        self.steps[at].branch.is_none() && following.as_ref() == Some(&self.steps[at].next)
    }
}

fn push(text: &mut String, line: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{line}");
}

fn write_step(text: &mut String, step: &Step) {
    push(text, &format!("  - id: {}", step.id));
    let mut key = |key: &str, value: &str| push(text, &format!("    {key}: {value}"));
    match &step.kind {
        Kind::Agent(work) => {
            key("agent", "Do it.");
            write_work(&mut key, work);
        }
        Kind::Task(person, work) => {
            key("task", "Do it.");
            key("person", &person.text());
            write_work(&mut key, work);
        }
        Kind::Approve(person, on_reject) => {
            key("approve", "Is it good?");
            key("person", &person.text());
            if let Some(target) = on_reject {
                key("on_reject", target);
            }
        }
        Kind::Wait(minutes) => key("wait", &format!("{minutes}m")),
        Kind::WaitUntil(path) => key("wait_until", &path.text()),
        Kind::WaitFor {
            event,
            timeout,
            on_timeout,
        } => {
            key("wait_for", event);
            if let Some(minutes) = timeout {
                key("timeout", &format!("{minutes}m"));
            }
            if let Some(target) = on_timeout {
                key("on_timeout", target);
            }
        }
        Kind::Finish(outcome) => key("finish", outcome),
        Kind::Parallel(entries) => key("parallel", &format!("[{}]", entries.join(", "))),
    }
    if let Some(minutes) = step.due {
        key("due", &format!("{minutes}m"));
    }
}

/// Every second route says when to choose it.
fn write_next(text: &mut String, next: &Next) {
    let route = |(at, to): (usize, &String)| match at % 2 {
        0 => to.clone(),
        _ => format!("{{ to: {to}, when: It is so. }}"),
    };
    match next {
        Next::To(id) => push(text, &format!("    next: {id}")),
        Next::Routes(routes) => {
            let routes: Vec<String> = routes.iter().enumerate().map(route).collect();
            push(text, &format!("    next: [{}]", routes.join(", ")));
        }
        Next::Nowhere => {}
    }
}

fn write_work(key: &mut impl FnMut(&str, &str), work: &Work) {
    if !work.output.is_empty() {
        key("output", &fields(&work.output));
    }
    if work.needs_link {
        key("evidence", "[link]");
    }
}

fn fields(fields: &[Field]) -> String {
    let fields: Vec<String> = fields.iter().map(field).collect();
    format!("{{ {} }}", fields.join(", "))
}

fn field(field: &Field) -> String {
    let holds = match field.holds {
        Holds::Text => "type: string",
        Holds::Number => "type: number",
        Holds::Truth => "type: boolean",
        Holds::Texts => "type: list, items: string",
        // `yes` and `no` are strings in YAML's core schema.
        Holds::Choice => "type: string, one_of: [yes, no, maybe]",
        Holds::Day => "type: date",
        Holds::Instant => "type: datetime",
        Holds::Object => "type: object",
        Holds::Table => "type: list, items: { type: list, items: number }",
        Holds::Member => "type: person",
    };
    let optional = if field.is_optional { ", optional: true" } else { "" };
    format!("{}: {{ {holds}{optional} }}", field.name)
}

impl Person {
    fn text(&self) -> String {
        match self {
            Self::Role(role) => role.clone(),
            Self::Initiator => "initiator".to_owned(),
            Self::Path(path) => path.text(),
        }
    }
}

impl Path {
    fn text(&self) -> String {
        match self {
            Self::Input(field) => format!("inputs.{field}"),
            Self::Output(step, field) => format!("steps.{step}.output.{field}"),
        }
    }
}
