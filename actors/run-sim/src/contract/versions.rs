//! Published versions.

use std::sync::Arc;

use base::Digest;
use run_ports::{Published, VersionRow};

use super::{Scene, Subject};

fn version(scene: &Scene<'_>, text: &[u8]) -> VersionRow {
    VersionRow {
        process: "errand".to_owned(),
        version: 77,
        format: "process".to_owned(),
        source: text.to_vec(),
        content_hash: Digest::new([u8::try_from(text.len()).unwrap_or(0); 32]),
        description: "An errand".to_owned(),
        published_at: scene.now,
        published_by: None,
    }
}

/// A text that is the latest already is no new version; an older one published again is (process.md §8).
pub async fn publishing_counts_new_texts(subject: &Subject) {
    let scene = Scene::new(subject, 60).await;
    let old: &[u8] = b"\xff not even text \0";
    for (text, published) in [
        (old, Published::New(1)),
        (old, Published::Unchanged(1)),
        (b"new", Published::New(2)),
        (old, Published::New(3)),
    ] {
        let new = version(&scene, text);
        let found = subject.versions.publish(scene.organization, new, vec![]).await;
        assert_eq!(found.expect("the store works"), published);
        let latest = subject.versions.latest(scene.organization, "errand").await;
        let (Published::New(number) | Published::Unchanged(number)) = published;
        assert_eq!(latest.expect("the store works"), Some(number));
    }
    for (number, found) in [
        (None, Some((3, old))),
        (Some(1), Some((1, old))),
        (Some(2), Some((2, b"new"))),
        (Some(4), None),
        (Some(0), None),
    ] {
        let row = subject
            .versions
            .version(scene.organization, "errand", number)
            .await;
        let wanted = found.map(|(number, text)| VersionRow {
            version: number,
            ..version(&scene, text)
        });
        assert_eq!(row.expect("the store works"), wanted, "{number:?}");
    }
    let other = Scene::new(subject, 61).await;
    let foreign = subject.versions.version(other.organization, "errand", None).await;
    assert_eq!(foreign.expect("the store works"), None);
    let foreign = subject.versions.latest(other.organization, "errand").await;
    assert_eq!(foreign.expect("the store works"), None);
}

/// Publishers of the same text find each other's version.
pub async fn publishers_of_one_text_at_once_make_one_version(subject: &Subject) {
    let scene = Scene::new(subject, 62).await;
    let publishers: Vec<_> = (0..8)
        .map(|_| {
            let (versions, new) = (Arc::clone(&subject.versions), version(&scene, b"same"));
            let organization = scene.organization;
            tokio::spawn(async move { versions.publish(organization, new, vec![]).await })
        })
        .collect();
    let mut new = 0;
    for publisher in publishers {
        match publisher.await.expect("no panic").expect("the store works") {
            Published::New(1) => new += 1,
            Published::Unchanged(1) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(new, 1);
}
