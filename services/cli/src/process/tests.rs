use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use serde_json::Value;

use super::ProcessCommand;
use crate::Outcome;
use crate::output::Streams;

#[derive(Parser)]
struct Baton {
    #[command(subcommand)]
    command: ProcessCommand,
}

/// What a command line gives: its outcome and both streams, with the folder's path taken out.
fn run(folder: &Path, arguments: &[&str]) -> (Outcome, String, String) {
    let words = arguments
        .iter()
        .map(|word| word.replace('@', &folder.display().to_string()));
    let baton =
        Baton::try_parse_from(std::iter::once("baton".to_owned()).chain(words)).expect("a command line");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let outcome = baton
        .command
        .run_on(&mut Streams {
            out: &mut out,
            err: &mut err,
        })
        .expect("memory takes everything");
    let text = |bytes: Vec<u8>| {
        String::from_utf8(bytes)
            .expect("the output is text")
            .replace(&folder.display().to_string(), "@")
    };
    (outcome, text(out), text(err))
}

/// A folder with processes: `demo` is valid, `other` has the name of `demo`, `broken` has errors and a warning.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let put = |name: &str, text: &str| {
        let path: PathBuf = folder.path().join(name);
        fs::create_dir_all(&path).expect("a new folder");
        fs::write(path.join("PROCESS.md"), text).expect("a new file");
    };
    let demo = "---\nname: demo\ndescription: A demonstration.\nsteps:\n- {id: a, approve: Good?, person: clerk}\n- {id: b, finish: done}\n---\nBody.\n";
    put("demo", demo);
    put("other", demo);
    put(
        "broken",
        "---\nname: broken\ndescription: Broken.\nsteps:\n  - id: a\n    agent: ''\n    next: bb\n  - id: b\n    finish: done\n    due: 3d\n---\n",
    );
    folder
}

/// printf '%s\nBody.\n' '{"description":"A demonstration.","name":"demo","steps":[{"approve":"Good?","id":"a","person":"clerk"},
/// {"finish":"done","id":"b"}]}' | sha256sum, the JSON on one line.
const DEMO_HASH: &str = "sha256:6f18bc20f1c3ee524a90a703e8fc5ca7e7f26831f43f8559f02c60660e31f259";

#[test]
fn valid_process_is_shown_with_its_hash_and_roles() {
    let folder = folder();
    let (outcome, out, err) = run(folder.path(), &["check", "@/demo"]);
    assert_eq!(
        out,
        format!("@/demo/PROCESS.md: valid\n  hash   {DEMO_HASH}\n  roles  clerk\n")
    );
    assert_eq!((outcome, err.as_str()), (Outcome::Valid, ""));
}

#[test]
fn problems_show_the_line_a_caret_and_how_to_mend_it() {
    let folder = folder();
    let (outcome, out, _) = run(folder.path(), &["check", "@/broken/PROCESS.md"]);
    let expected = "\
warning[instructions-blank]: The step `a` does not say what is to be done.
 --> @/broken/PROCESS.md:6:12  steps[0].agent
  |
6 |     agent: ''
  |            ^
  = Write it in plain language.

error[unknown-step]: No step is called `bb`.
 --> @/broken/PROCESS.md:7:11  steps[0].next
  |
7 |     next: bb
  |           ^^
  = Did you mean `b`?

error[key-misplaced]: `due` does not belong on a step of kind `finish`.
  --> @/broken/PROCESS.md:10:5  steps[1].due
   |
10 |     due: 3d
   |     ^^^
   = Delete it; it belongs on: agent, task, approve.

@/broken/PROCESS.md: 2 errors, 1 warning
";
    assert_eq!(out, expected);
    assert_eq!(outcome, Outcome::Problems);
}

/// What people and models write, each with what they are told: `<what>.md` and `<what>.expected`.
#[test]
fn broken_files_are_told_what_is_wrong_where_and_what_to_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken_files");
    let files = fs::read_dir(&folder).expect("the folder is there");
    let names: Vec<PathBuf> = files
        .map(|file| file.expect("the folder is readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    assert!(names.len() >= 25, "{names:?}");
    for path in names {
        let expected = fs::read_to_string(path.with_extension("expected")).expect("each file has its words");
        let name = path.file_name().expect("a file has a name").to_string_lossy();
        let (outcome, out, err) = run(&folder, &["check", &format!("@/{name}")]);
        assert_eq!(out.replace("@/", ""), expected, "{name}");
        assert_eq!((outcome, err.as_str()), (Outcome::Problems, ""), "{name}");
    }
}

#[test]
fn json_lists_every_file() {
    let folder = folder();
    let (outcome, out, _) = run(
        folder.path(),
        &["check", "@/demo", "@/broken", "--format", "json"],
    );
    let entries: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(outcome, Outcome::Problems);
    assert_eq!(entries[0]["path"], "@/demo");
    assert_eq!(entries[0]["ok"], true);
    assert_eq!(entries[0]["name"], "demo");
    assert_eq!(entries[0]["contentHash"], DEMO_HASH);
    assert_eq!(entries[0]["roles"], serde_json::json!(["clerk"]));
    assert_eq!(entries[0]["problems"], serde_json::json!([]));
    assert_eq!(entries[1]["ok"], false);
    let problem = &entries[1]["problems"][1];
    assert_eq!(
        problem.to_string(),
        r#"{"code":"unknown-step","column":11,"line":7,"message":"No step is called `bb`. Did you mean `b`?","path":"steps[0].next","severity":"error"}"#
    );
}

#[test]
fn folder_must_have_the_name_of_its_process_and_a_file_need_not() {
    let folder = folder();
    let (outcome, out, _) = run(folder.path(), &["check", "@/other"]);
    assert_eq!(outcome, Outcome::Problems);
    assert!(out.starts_with("error[folder-name]: "), "{out}");
    let (outcome, _, _) = run(folder.path(), &["check", "@/other/PROCESS.md"]);
    assert_eq!(outcome, Outcome::Valid);
}

#[test]
fn path_that_cannot_be_read_is_told_and_the_others_are_checked() {
    let folder = folder();
    let (outcome, out, err) = run(folder.path(), &["check", "@/nowhere", "@/demo"]);
    assert_eq!(outcome, Outcome::CannotRun);
    assert_eq!(err, "baton: there is no file or folder @/nowhere\n");
    assert!(out.starts_with("@/demo/PROCESS.md: valid"), "{out}");
    let (outcome, _, err) = run(folder.path(), &["check", "/dev/null"]);
    assert_eq!(outcome, Outcome::CannotRun);
    assert_eq!(err, "baton: /dev/null is not a regular file\n");
    fs::create_dir(folder.path().join("empty")).expect("a new folder");
    let (outcome, _, err) = run(folder.path(), &["hash", "@/empty"]);
    assert_eq!(outcome, Outcome::CannotRun);
    assert_eq!(err, "baton: the folder @/empty has no PROCESS.md\n");
}

#[test]
fn hash_prints_the_hash_alone() {
    let folder = folder();
    let (outcome, out, err) = run(folder.path(), &["hash", "@/demo"]);
    assert_eq!(
        (outcome, out.as_str(), err.as_str()),
        (Outcome::Valid, format!("{DEMO_HASH}\n").as_str(), "")
    );
    let (outcome, out, _) = run(folder.path(), &["hash", "@/demo/PROCESS.md", "--format", "json"]);
    let entry: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (outcome, &entry["contentHash"]),
        (Outcome::Valid, &Value::from(DEMO_HASH))
    );
}

#[test]
fn broken_process_has_no_hash_to_print() {
    let folder = folder();
    let (outcome, out, err) = run(folder.path(), &["hash", "@/broken"]);
    assert_eq!((outcome, out.as_str()), (Outcome::Problems, ""));
    assert!(
        err.ends_with("@/broken/PROCESS.md: 2 errors, 1 warning\n"),
        "{err}"
    );
}

#[test]
fn worst_file_decides_the_exit_code() {
    let folder = folder();
    assert_eq!(
        run(folder.path(), &["check", "@/demo", "@/broken"]).0,
        Outcome::Problems
    );
    assert_eq!(
        run(folder.path(), &["check", "@/nowhere", "@/broken"]).0,
        Outcome::CannotRun
    );
    assert!(Baton::try_parse_from(["baton", "check"]).is_err());
}

#[test]
fn publishing_without_a_server_says_what_to_name() {
    let folder = folder();
    let (outcome, _, err) = run(folder.path(), &["publish", "@/demo", "--org", "demo"]);
    assert_eq!(outcome, Outcome::CannotRun);
    assert_eq!(
        err,
        "baton: give --url (or BATON_URL), --token (or BATON_TOKEN); `infra/up` and `baton dev` print all three of a \
         demo organization\n"
    );
}

#[test]
fn a_role_that_is_named_twice_is_refused_before_anything_is_sent() {
    let folder = folder();
    let to_nobody = ["--url", "http://127.0.0.1:9", "--org", "demo", "--token", "hush"];
    let roles = ["--role", "boss=hr", "--role", "clerk=hr", "--role", "boss=legal"];
    let arguments = [&["publish", "@/demo"], &to_nobody[..], &roles[..]].concat();
    let (outcome, _, err) = run(folder.path(), &arguments);
    assert_eq!(outcome, Outcome::CannotRun);
    assert_eq!(
        err,
        "baton: --role names `boss` more than once; a role has one group\n"
    );
}
