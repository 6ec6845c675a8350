//! The content hash (process.md §1): SHA-256 of the frontmatter in RFC 8785, one newline, and the body bytes.

use base::Digest;
use doc_kit::{Node, canonical, digest};

/// The content hash, or `None` when a part of the frontmatter could not be read.
pub(crate) fn content_hash(frontmatter: &Node, body: &str) -> Option<Digest> {
    if !crate::check::numbers::all_covered(frontmatter) {
        return None;
    }
    let canonical = canonical::jcs(&frontmatter.to_json()?);
    Some(digest::of_parts([canonical.as_bytes(), b"\n", body.as_bytes()]))
}
