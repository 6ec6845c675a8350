//! Who is who.

use base::{Digest, GroupId, PersonId, PersonRole, Ulid};
use run_core::event::Assigned;
use run_ports::VersionRow;

use super::{Scene, Subject};

/// E-mail addresses are compared without case (process.md §5), within the organization.
pub async fn members_are_found_without_case(subject: &Subject) {
    let (scene, other) = (Scene::new(subject, 70).await, Scene::new(subject, 71).await);
    let person = PersonId::new(Ulid::from_parts(1, 1));
    subject
        .accounts
        .add_person(scene.organization, person, "Äda@Example.com", PersonRole::Member)
        .await;
    for (organization, email, wanted) in [
        (scene.organization, "Äda@Example.com", Some(person)),
        (scene.organization, "äDA@example.COM", Some(person)),
        (scene.organization, "ada@example.com", None),
        (scene.organization, "", None),
        (other.organization, "äda@example.com", None),
    ] {
        let found = subject.directory.member(organization, email).await;
        assert_eq!(found.expect("the store works"), wanted, "{email}");
    }
}

/// A role is the group that it was mapped to last.
pub async fn roles_are_mapped_by_publishing(subject: &Subject) {
    let scene = Scene::new(subject, 72).await;
    let nobody = GroupId::new(Ulid::from_parts(1, 2));
    subject.accounts.add_group(scene.organization, nobody, &[]).await;
    let publish = async |group| {
        let new = VersionRow {
            process: "errand".to_owned(),
            version: 0,
            format: "process".to_owned(),
            source: b"same".to_vec(),
            content_hash: Digest::new([1; 32]),
            description: String::new(),
            published_at: scene.now,
            published_by: None,
        };
        let roles = vec![("reviewers".to_owned(), group)];
        let published = subject.versions.publish(scene.organization, new, roles).await;
        published.expect("the store works");
    };
    let role = async |process, role| {
        let found = subject.directory.role(scene.organization, process, role).await;
        found.expect("the store works")
    };
    assert_eq!(role("errand", "reviewers").await, None);
    for (group, members) in [(scene.reviewers, vec![scene.reviewer]), (nobody, vec![])] {
        publish(group).await;
        assert_eq!(
            role("errand", "reviewers").await,
            Some(Assigned::Group { group, members })
        );
    }
    assert_eq!(role("errand", "strangers").await, None);
    assert_eq!(role("other", "reviewers").await, None);
}

/// Admins are operators, members are not.
pub async fn operators_are_operators_and_admins(subject: &Subject) {
    let scene = Scene::new(subject, 73).await;
    let admin = PersonId::new(Ulid::from_parts(1, 3));
    subject
        .accounts
        .add_person(scene.organization, admin, "admin@example.com", PersonRole::Admin)
        .await;
    let found = subject.directory.operators(scene.organization).await;
    let Assigned::Group { members, .. } = found.expect("the store works") else {
        panic!("operators are a group");
    };
    let mut wanted = vec![scene.operator, admin];
    wanted.sort();
    assert_eq!(members, wanted);
}
