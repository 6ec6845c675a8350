//! The one place that names all document formats. Everything else asks here, with a [`Format`] in hand.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::Digest;
use doc_kit::Position;
pub use doc_kit::Problem;
use doc_process::{Document, Feature, ProcessPlan};
use run_core::Plan;

/// A document format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// PROCESS.md, core-2.
    Process,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 1] = [Self::Process];

    /// The word that stands for it on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Process => "process",
        }
    }

    /// The format of this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == word)
    }

    /// The largest document that is read, in bytes. Whoever reads a source need not read more than one byte beyond.
    pub const fn source_bytes_max(self) -> usize {
        match self {
            Self::Process => doc_process::FILE_BYTES_MAX,
        }
    }

    /// The name of the file that holds such a document in its folder.
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Process => "PROCESS.md",
        }
    }
}

/// What checking a document gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// True when no problem is an error.
    pub ok: bool,
    /// The name, when it could be read.
    pub name: Option<String>,
    /// The content hash, when the document could be read and hashed digit for digit.
    pub content_hash: Option<Digest>,
    /// The role names in the order of their first use.
    pub roles: Vec<String>,
    /// Every problem, in the order of the source.
    pub problems: Vec<Problem>,
}

/// Checks a document as far as that goes without a server. `folder_name` is given when it must match the document's name.
pub fn check(format: Format, source: &[u8], folder_name: Option<&str>) -> Report {
    match format {
        Format::Process => report(doc_process::check(source, folder_name)).0,
    }
}

/// A document that may be published, compiled.
#[derive(Clone)]
pub struct Publishable {
    /// Its name.
    pub name: String,
    /// The hash that its version will carry.
    pub content_hash: Digest,
    /// The role names that publication must map to groups.
    pub roles: Vec<String>,
    /// What is worth a look and refuses nothing.
    pub warnings: Vec<Problem>,
    /// What runs of it follow.
    pub plan: Arc<dyn Plan>,
}

/// Checks a document for publication here: also what this server does not offer yet refuses it (process.md §8).
pub fn publishable(format: Format, source: &[u8]) -> Result<Publishable, Vec<Problem>> {
    match format {
        Format::Process => {
            let (report, document) = report(doc_process::check(source, None));
            let Some(document) = document else {
                return Err(report.problems);
            };
            let refusals = doc_process::publishable(&document, &OFFERED);
            if !refusals.is_empty() {
                // A warning that the server might lack something has become an error at the same place.
                let refused: BTreeSet<Position> = refusals.iter().map(|refusal| refusal.position).collect();
                let mut problems = report.problems;
                problems
                    .retain(|problem| !NEEDS.contains(&problem.code) || !refused.contains(&problem.position));
                problems.extend(refusals);
                doc_kit::problem::sort(&mut problems);
                return Err(problems);
            }
            Ok(Publishable {
                name: document.process.name.clone(),
                content_hash: document.content_hash,
                roles: report.roles,
                warnings: report.problems,
                plan: Arc::new(ProcessPlan::new(document)),
            })
        }
    }
}

/// Compiles the source of a published version. What a server offers is not asked again: a version never changes.
pub fn compile(format: Format, source: &[u8]) -> Result<Arc<dyn Plan>, Vec<Problem>> {
    match format {
        Format::Process => {
            let (report, document) = report(doc_process::check(source, None));
            document
                .map(|document| Arc::new(ProcessPlan::new(document)) as Arc<dyn Plan>)
                .ok_or(report.problems)
        }
    }
}

/// The warnings of a document that needs what a server may lack.
const NEEDS: [&str; 2] = ["needs-upload", "needs-evaluator"];

/// What this server offers of all that a process may need beyond its steps: neither `upload` nor an evaluator so far.
const OFFERED: [Feature; 0] = [];

/// The profiles that this server runs (process.md §6), for `describe`.
pub const PROFILES: [&str; 1] = ["parallel-1"];

fn report(checked: doc_process::Checked) -> (Report, Option<Document>) {
    let report = Report {
        ok: checked.is_ok(),
        name: checked.name,
        content_hash: checked.content_hash,
        roles: checked.roles,
        problems: checked.problems,
    };
    (report, checked.document)
}

#[cfg(test)]
mod tests {
    use super::{Format, check, compile, publishable};

    fn source(steps: &str) -> Vec<u8> {
        format!("---\nname: demo\ndescription: A demonstration.\nsteps:\n{steps}\n---\nBody.\n").into_bytes()
    }

    #[test]
    fn every_format_has_a_word_of_its_own() {
        for format in Format::ALL {
            assert_eq!(Format::from_word(format.as_str()), Some(format));
        }
        assert_eq!(Format::from_word("markdown"), None);
    }

    #[test]
    fn valid_document_compiles() {
        let source =
            source("- {id: a, agent: x}\n- {id: b, approve: y, person: clerk}\n- {id: c, finish: d}");
        let report = check(Format::Process, &source, Some("demo"));
        assert!(report.ok);
        assert_eq!(
            (report.name.as_deref(), report.roles.as_slice()),
            (Some("demo"), ["clerk".to_owned()].as_slice())
        );
        let plan = compile(Format::Process, &source).expect("valid");
        assert_eq!(plan.about().name, "demo");
        assert_eq!(&*plan.about().body, "Body.\n");
        let publishable =
            publishable(Format::Process, &source).unwrap_or_else(|problems| panic!("{problems:?}"));
        assert_eq!(Some(publishable.content_hash), report.content_hash);
    }

    #[test]
    fn what_is_not_offered_yet_compiles_and_is_not_published() {
        let source = source("- {id: a, agent: x, evidence: [link, file]}\n- {id: c, finish: d}");
        assert!(compile(Format::Process, &source).is_ok());
        let problems = publishable(Format::Process, &source).err().unwrap_or_default();
        let problems: Vec<_> = problems
            .iter()
            .map(|problem| (problem.code, problem.path.as_str(), problem.message.as_str()))
            .collect();
        let message = "This server does not take files yet: it has no `upload` tool.";
        assert_eq!(problems, [("not-offered", "steps[0].evidence", message)]);
    }

    #[test]
    fn every_kind_is_published() {
        let steps = "- {id: a, agent: x}\n- {id: b, task: x, person: initiator, evidence: [link]}\n\
             - {id: c, approve: x, person: clerk}\n- {id: d, wait: 3d}\n\
             - {id: e, wait_until: inputs.start}\n- {id: f, wait_for: signed, timeout: 2h}\n\
             - {id: g, parallel: [h, i], next: j}\n- {id: h, wait: 1h, next: join}\n- {id: i, wait: 1h, next: join}\n\
             - {id: j, finish: done}";
        let inputs = "inputs: {start: datetime}\nsteps:";
        let source = String::from_utf8(source(steps)).expect("it was text");
        let source = source.replace("steps:", inputs).into_bytes();
        publishable(Format::Process, &source).unwrap_or_else(|problems| panic!("{problems:?}"));
    }

    #[test]
    fn need_is_a_warning_without_a_server_and_told_once_when_it_is_refused() {
        let source = source("- {id: a, agent: x, evidence: [file], check: Right?}\n- {id: c, finish: d}");
        let codes =
            |problems: &[doc_kit::Problem]| problems.iter().map(|problem| problem.code).collect::<Vec<_>>();
        let report = check(Format::Process, &source, None);
        assert!(report.ok, "a warning refuses nothing");
        assert_eq!(codes(&report.problems), ["needs-upload", "needs-evaluator"]);
        let problems = publishable(Format::Process, &source).err().unwrap_or_default();
        assert_eq!(codes(&problems), ["not-offered", "not-offered"]);
    }

    #[test]
    fn errors_refuse_publication_and_warnings_do_not() {
        let warned = source("- {id: a, agent: ''}\n- {id: c, finish: two words}");
        let report = check(Format::Process, &warned, None);
        let codes: Vec<_> = report.problems.iter().map(|problem| problem.code).collect();
        assert_eq!(codes, ["instructions-blank", "outcome-word"]);
        assert!(report.ok && publishable(Format::Process, &warned).is_ok());
        let broken = source("- {id: a, agent: '', next: nowhere}\n- {id: c, finish: d}");
        assert!(!check(Format::Process, &broken, None).ok);
        let problems = publishable(Format::Process, &broken).err().unwrap_or_default();
        assert!(
            problems.iter().any(|problem| problem.code == "unknown-step"),
            "{problems:?}"
        );
    }

    #[test]
    fn broken_document_says_why() {
        let problems = compile(Format::Process, b"nothing").err().unwrap_or_default();
        assert_eq!(
            problems.first().map(|problem| problem.code),
            Some("frontmatter-missing")
        );
    }
}
