//! Who does a person step: a role, `initiator`, or a path to a person (process.md §2 and §9.2).

use doc_kit::Problem;

use super::paths::Paths;
use crate::draft::Draft;
use crate::fields::Type;
use crate::model::Kind;

pub(super) fn check(draft: &Draft, problems: &mut Vec<Problem>) {
    let paths = Paths::of(draft);
    for step in &draft.steps {
        let needed = step.is(Kind::Task) || step.is(Kind::Approve);
        if needed && step.key("person").is_none() {
            let message = format!("The step {} does not say who does it.", step.label());
            let fix = "Add `person`: a role, `initiator`, or a path such as `inputs.manager`.";
            problems.push(
                Problem::error("person-missing", &step.path.key("person"), step.position, message).fix(fix),
            );
        }
        let Some(person) = &step.person else { continue };
        if person.value.trim().is_empty() {
            let problem = Problem::error(
                "person-blank",
                &person.path,
                person.position,
                "The role is blank.",
            );
            problems.push(problem.fix("Name a role, `initiator`, or a path such as `inputs.manager`."));
        } else if person.value.contains('.') {
            problems.extend(paths.problem(person, Type::Person));
        }
    }
}
