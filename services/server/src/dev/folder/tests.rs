use super::*;

fn folder() -> (tempfile::TempDir, DataFolder) {
    let parent = tempfile::tempdir().expect("a temporary folder");
    let folder = DataFolder::open(&parent.path().join("data")).expect("it can be made");
    (parent, folder)
}

#[test]
fn the_first_is_alone_and_the_next_joins() {
    let (_parent, folder) = folder();
    let gate = folder.gate().expect("free");
    let (_first, company) = folder.join(&gate).expect("first");
    assert_eq!(company, Company::Alone);
    let (_second, company) = folder.join(&gate).expect("second");
    assert_eq!(company, Company::Joined);
}

#[test]
fn only_the_last_one_out_is_alone() {
    let (_parent, folder) = folder();
    let gate = folder.gate().expect("free");
    let (first, _) = folder.join(&gate).expect("first");
    let (second, _) = folder.join(&gate).expect("second");
    assert_eq!(first.leave(&gate), Company::Joined);
    assert_eq!(second.leave(&gate), Company::Alone);
}

#[test]
fn a_held_temporary_folder_is_not_abandoned() {
    let (folder, gate, presence) = DataFolder::ephemeral().expect("it can be made");
    drop(gate);
    let listed = DataFolder::abandoned()
        .iter()
        .any(|(found, _)| found.path == folder.path);
    assert!(!listed);
    drop(presence);
    fs::remove_dir_all(&folder.path).expect("nobody else removed it");
}

#[test]
fn secrets_are_for_their_owner_only() {
    let (_parent, folder) = folder();
    folder.write_secret("secret", b"1").expect("written");
    folder.write_secret("secret", b"2").expect("written again");
    let path = folder.join_path("secret");
    assert_eq!(fs::read(&path).expect("it is there"), b"2");
    assert_eq!(
        fs::metadata(&path).expect("it is there").permissions().mode() & 0o777,
        0o600
    );
}

/// A place for temporary folders with one folder in it that a killed server left behind.
fn left_behind() -> (tempfile::TempDir, PathBuf) {
    let parent = tempfile::tempdir().expect("a temporary folder");
    let path = parent.path().join(format!("{EPHEMERAL_PREFIX}left"));
    make_private(&path).expect("it can be made");
    (parent, path)
}

#[track_caller]
fn check_not_touched(parent: &Path, folder: &Path) {
    assert!(DataFolder::abandoned_in(parent).is_empty());
    let content = fs::read_dir(folder).expect("it is there");
    assert_eq!(content.count(), 0, "not even a lock is put there");
}

#[test]
fn what_a_killed_server_left_behind_is_abandoned() {
    let (parent, path) = left_behind();
    let found = DataFolder::abandoned_in(parent.path());
    let paths: Vec<_> = found.iter().map(|(folder, _)| folder.path.clone()).collect();
    assert_eq!(paths, [path.canonicalize().expect("it is there")]);
}

#[test]
fn a_link_is_not_abandoned_wherever_it_leads() {
    let (elsewhere, target) = left_behind();
    let parent = tempfile::tempdir().expect("a temporary folder");
    let link = parent.path().join(format!("{EPHEMERAL_PREFIX}link"));
    std::os::unix::fs::symlink(&target, link).expect("linked");
    check_not_touched(parent.path(), &target);
    drop(elsewhere);
}

#[test]
fn a_folder_that_others_can_write_to_is_not_abandoned() {
    for mode in [0o777, 0o770, 0o702, 0o1777] {
        let (parent, path) = left_behind();
        fs::set_permissions(&path, Permissions::from_mode(mode)).expect("ours");
        check_not_touched(parent.path(), &path);
    }
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "whoever runs the tests wants to know that one was skipped"
)]
fn a_folder_of_another_account_is_not_abandoned() {
    if !geteuid().is_root() {
        println!("skipped: only root can give a folder away");
        return;
    }
    let (parent, path) = left_behind();
    std::os::unix::fs::chown(&path, Some(65_534), None).expect("root may");
    check_not_touched(parent.path(), &path);
}

#[test]
fn a_new_data_folder_is_private_and_its_parents_are_as_usual() {
    let parent = tempfile::tempdir().expect("a temporary folder");
    let path = parent.path().join("a/b");
    make_private(&path).expect("it can be made");
    let mode = |path: &Path| fs::metadata(path).expect("it is there").mode() & 0o777;
    assert_eq!(mode(&path), 0o700);
    assert_ne!(mode(&parent.path().join("a")), 0o700);
}
