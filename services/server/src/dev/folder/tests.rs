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
    assert_eq!(mode(&path), private_mode());
    assert_ne!(mode(&parent.path().join("a")), private_mode());
}

/// A folder with a mode that is its owner's choice.
fn existing(mode: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::set_permissions(folder.path(), Permissions::from_mode(mode)).expect("ours");
    folder
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").mode() & 0o7777
}

#[test]
fn an_empty_folder_is_used_with_the_mode_that_it_has() {
    for chosen in [0o1777, 0o755, 0o700] {
        let folder = existing(chosen);
        for _ in 0..2 {
            let data = DataFolder::open(folder.path()).expect("empty, then ours");
            drop(data.gate().expect("free"));
            assert_eq!(mode(folder.path()), chosen);
        }
    }
}

#[test]
fn a_folder_with_other_files_keeps_them_and_its_mode() {
    let folder = existing(0o1777);
    fs::write(folder.path().join("log"), "kept").expect("written");
    assert!(DataFolder::open(folder.path()).is_ok());
    assert_eq!(mode(folder.path()), 0o1777);
    let log = fs::read_to_string(folder.path().join("log"));
    assert_eq!(log.expect("it is there"), "kept");
}

#[test]
fn a_file_is_no_data_folder() {
    let folder = existing(0o700);
    let file = folder.path().join("letter");
    fs::write(&file, "").expect("written");
    for path in [file.clone(), file.join("data"), file.join("data/below")] {
        let refused = DataFolder::open(&path);
        assert!(matches!(refused, Err(Error::NoFolder(_))), "{refused:?}");
    }
}
