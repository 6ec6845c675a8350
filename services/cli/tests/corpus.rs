//! Every process of the format corpus is valid under the name of its folder.

use std::fs;
use std::path::{Path, PathBuf};

use formats::Format;

fn corpus() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    std::env::var_os("BATON_CORPUS")
        .map_or(beside, PathBuf::from)
        .join("process")
}

#[test]
fn every_process_of_the_corpus_is_valid() {
    let kinds = ["fixtures", "marketplace"].map(|kind| corpus().join(kind));
    let folders: Vec<PathBuf> = kinds
        .iter()
        .filter_map(|kind| fs::read_dir(kind).ok())
        .flat_map(|entries| entries.filter_map(Result::ok).map(|entry| entry.path()))
        .filter(|folder| folder.join("PROCESS.md").is_file())
        .collect();
    if folders.is_empty() {
        #[expect(clippy::print_stderr, reason = "a test that does nothing says so")]
        {
            eprintln!("skipped: no corpus at {}", corpus().display());
        }
    }
    for folder in folders {
        let source = fs::read(folder.join("PROCESS.md")).expect("the corpus is readable");
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let report = formats::check(Format::Process, &source, name.as_deref());
        assert!(report.ok, "{}: {:?}", folder.display(), report.problems);
        assert!(report.content_hash.is_some(), "{}", folder.display());
    }
}
