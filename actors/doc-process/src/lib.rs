//! PROCESS.md: parse, check, digest.
//!
//! [`check`] is the one entry: it reads a file, reports every problem at once and, when no error is among them, gives
//! the typed [`Document`]. What a server offers is not known here; [`publishable`] asks about that.

mod check;
mod digest;
mod draft;
pub mod fields;
mod model;
mod offers;
mod parse;
mod plan;
mod source;
#[cfg(test)]
mod tests;

use base::Digest;
use doc_kit::Problem;

pub use fields::{Field, Fields, Type};
pub use model::{
    Check, DataPath, Document, EvidenceKind, Kind, Next, Person, Process, Question, QuestionKind, Route,
    Step, StepKind, Work,
};
pub use offers::{Feature, Need, publishable};
pub use parse::STEPS_MAX;
pub use plan::ProcessPlan;
pub use source::FILE_BYTES_MAX;

/// What checking a file gave.
#[derive(Debug)]
pub struct Checked {
    /// The document, when no error was found.
    pub document: Option<Document>,
    /// Every problem, in the order of the file.
    pub problems: Vec<Problem>,
    /// The name, when it could be read.
    pub name: Option<String>,
    /// The content hash, when the frontmatter could be read and every number in it is covered by the hash.
    pub content_hash: Option<Digest>,
    /// The role names in the order of their first use.
    pub roles: Vec<String>,
}

impl Checked {
    /// True when the file may be published: it may have warnings.
    pub fn is_ok(&self) -> bool {
        self.document.is_some()
    }
}

/// Checks the bytes of a PROCESS.md. `folder_name` is the name of its folder when a folder was given: it must match.
pub fn check(bytes: &[u8], folder_name: Option<&str>) -> Checked {
    let mut checked = Checked {
        document: None,
        problems: Vec::new(),
        name: None,
        content_hash: None,
        roles: Vec::new(),
    };
    let parts = match source::split(bytes) {
        Ok(parts) => parts,
        Err(problem) => {
            checked.problems.push(problem);
            return checked;
        }
    };
    let Some((root, draft)) = parse::parse(&parts, &mut checked.problems) else {
        return checked;
    };
    check::run(&root, &draft, folder_name, &mut checked.problems);
    doc_kit::problem::sort(&mut checked.problems);
    checked.content_hash = digest::content_hash(&root, parts.body);
    checked.name = draft.name.as_ref().map(|name| name.value.clone());
    checked.roles = draft.roles();
    if let Some(content_hash) = checked.content_hash
        && !doc_kit::problem::any_error(&checked.problems)
    {
        checked.document = draft.into_process().map(|process| Document {
            process,
            body: parts.body.to_owned(),
            content_hash,
            roles: checked.roles.clone(),
            frontmatter: root,
        });
    }
    checked
}
