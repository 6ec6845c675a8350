//! The house rules, one test each. A failure says where and how to mend it.

use tidy::documents::{architecture_gaps, misnamed_migrations, strangers_at_the_top};
use tidy::imports::{
    PACKAGES, arrows_outside_the_table, folders_with_another_name, impure_dependencies, rows_that_point_up,
};
use tidy::manifests::{different_thresholds, own_lints, own_versions};
use tidy::rules;
use tidy::sources;
use tidy::table::{PURE, TABLE};
use tidy::tree::{FILES, File, file, root, sources as files, top_level};
use tidy::{Finding, expect_none};

/// Files that may be longer than the rest, and why.
const LONG_FILES: &[(&str, &str)] = &[];

/// Files that may wait for time to pass, and why.
const SLEEPING_FILES: &[(&str, &str)] = &[
    (
        "services/server/src/dev/postgres.rs",
        "asks another program whether it is ready, which tells nobody by itself",
    ),
    (
        "services/server/src/dev/redis.rs",
        "asks another program whether it is ready, which tells nobody by itself",
    ),
    (
        "services/server/src/http/connections.rs",
        "the longest time that a shutdown waits for calls in flight",
    ),
    (
        "services/store-pg/src/committer/lane.rs",
        "another server holds a run, which tells nobody when it lets go",
    ),
    (
        "services/server/tests/dev/support.rs",
        "pauses between two looks at another process, until a condition holds",
    ),
    (
        "services/server/tests/python/server.py",
        "pauses between two looks at another process, until a condition holds",
    ),
];

/// Heavy crates whose names stay inside the crates that own them. (`.deny.toml` holds the manifests to the same.)
const OWNERS: &[(&str, &[&str])] = &[
    (
        "axum",
        &[
            "services/api/",
            "services/http-kit/",
            "services/mcp/",
            "services/server/",
        ],
    ),
    ("ractor", &["actors/run-actors/"]),
    ("rmcp", &["services/mcp/", "services/server/"]),
    ("sqlx", &["services/store-pg/"]),
];

fn check(files: impl Iterator<Item = &'static File>, rule: impl Fn(&File) -> Vec<Finding>) {
    expect_none(&files.flat_map(rule).collect::<Vec<_>>());
}

fn manifests() -> impl Iterator<Item = &'static File> {
    FILES.iter().filter(|file| file.path.ends_with("/Cargo.toml"))
}

fn is_listed(list: &[(&str, &str)], file: &File) -> bool {
    list.iter().any(|(path, _)| *path == file.path)
}

#[test]
fn imports_follow_the_table() {
    expect_none(&arrows_outside_the_table(&PACKAGES));
}

#[test]
fn arrows_of_the_table_point_down() {
    expect_none(&rows_that_point_up(TABLE));
}

#[test]
fn pure_crates_name_no_runtime_and_no_socket() {
    expect_none(&impure_dependencies(&PACKAGES));
}

#[test]
fn pure_crates_do_not_wait() {
    let is_pure = |file: &&File| {
        PURE.iter()
            .any(|name| file.path.starts_with(&format!("actors/{name}/src/")))
    };
    check(files(&["rs"]).filter(is_pure), sources::asynchrony);
}

#[test]
fn only_stored_forms_derive_serde() {
    check(
        files(&["rs"]).filter(|file| file.path.starts_with("actors/")),
        sources::serialised_domain,
    );
}

#[test]
fn crates_are_called_as_their_folders() {
    expect_none(&folders_with_another_name(&PACKAGES));
}

#[test]
fn crates_take_the_lints_of_the_workspace() {
    check(manifests(), own_lints);
}

#[test]
fn versions_are_stated_once() {
    check(manifests(), own_versions);
}

#[test]
fn both_clippy_files_have_the_same_thresholds() {
    expect_none(&different_thresholds(
        file(".clippy.toml"),
        file("actors/.clippy.toml"),
    ));
}

#[test]
fn files_have_at_most_500_lines() {
    check(
        files(&["rs", "py", "sh", "sql"]).filter(|file| !is_listed(LONG_FILES, file)),
        sources::long_file,
    );
}

#[test]
fn long_tests_stand_in_a_file_of_their_own() {
    check(files(&["rs"]), sources::long_inline_tests);
}

#[test]
fn no_file_is_called_mod() {
    check(files(&["rs"]), sources::module_file);
}

#[test]
fn nothing_waits_for_time_to_pass() {
    check(
        files(&["rs", "py"]).filter(|file| !is_listed(SLEEPING_FILES, file)),
        sources::sleeps,
    );
}

#[test]
fn nothing_is_postponed_in_a_comment() {
    check(files(&["rs", "py", "sh", "sql", "toml"]), sources::postponements);
}

#[test]
fn lints_are_expected_and_never_allowed() {
    check(files(&["rs"]), sources::allowed_lints);
}

#[test]
fn errors_carry_more_than_a_text() {
    check(files(&["rs"]), sources::string_errors);
}

#[test]
fn tests_are_named_after_the_rule_they_keep() {
    check(files(&["rs"]), sources::test_prefixes);
}

#[test]
fn heavy_crates_are_named_by_their_owners_alone() {
    for (name, owners) in OWNERS {
        let is_outside = |file: &&File| !owners.iter().any(|owner| file.path.starts_with(owner));
        check(files(&["rs"]).filter(is_outside), |file| {
            sources::uses_of(file, name)
        });
    }
}

#[test]
fn no_file_names_a_folder_of_one_machine() {
    check(
        FILES
            .iter()
            .filter(|file| !file.path.starts_with("infra/tidy/src/")),
        sources::machine_paths,
    );
}

#[test]
fn the_architecture_section_names_every_crate_and_is_short() {
    let names: Vec<&str> = PACKAGES.iter().map(|package| package.name.as_str()).collect();
    expect_none(&architecture_gaps(file("README.md"), &names));
}

#[test]
fn migrations_are_called_after_their_instant_and_subject() {
    let migrations: Vec<&File> = FILES
        .iter()
        .filter(|file| file.path.starts_with("migrations/"))
        .collect();
    expect_none(&misnamed_migrations(&migrations));
}

#[test]
fn the_top_level_is_the_owners_list() {
    expect_none(&strangers_at_the_top(&top_level()));
}

#[test]
fn exceptions_are_still_needed() {
    let needed = |list: &[(&str, &str)], rule: fn(&File) -> Vec<Finding>| {
        let needless = list.iter().filter(|(path, _)| rule(file(path)).is_empty());
        needless
            .map(|(path, _)| Finding::new(path, 1, "keeps the rule now: strike its exception"))
            .collect::<Vec<_>>()
    };
    expect_none(&needed(LONG_FILES, sources::long_file));
    expect_none(&needed(SLEEPING_FILES, sources::sleeps));
}

/// The specification's texts that the table of rules covers, beside the workspace.
const TEXTS: &[&str] = &[
    "seeds/agentprocess-core-2.txt",
    "spec/process.md",
    "spec/tools.md",
];

fn table_of_rules() -> Vec<rules::Rule> {
    let tables = FILES
        .iter()
        .filter(|file| file.path.starts_with("infra/tidy/rules/"));
    tables.flat_map(rules::rows).collect()
}

#[test]
fn every_rule_has_a_test_that_is_named_after_it() {
    let tests = rules::tests(FILES.iter());
    expect_none(&rules::untested(&table_of_rules(), &tests));
}

/// The texts are not part of the workspace: without them there is nothing to compare.
#[test]
fn every_sentence_of_the_specification_is_in_the_table_of_rules() {
    let folder = root().join("../shared");
    let read = |path: &&'static str| Some((*path, std::fs::read_to_string(folder.join(path)).ok()?));
    let texts: Vec<(&str, String)> = TEXTS.iter().filter_map(read).collect();
    if texts.is_empty() {
        return;
    }
    let rules = table_of_rules();
    let mut findings: Vec<Finding> = texts
        .iter()
        .flat_map(|(path, text)| rules::unclaimed(path, text, &rules))
        .collect();
    let bare: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    findings.extend(rules::outdated(&bare, &rules));
    expect_none(&findings);
}
