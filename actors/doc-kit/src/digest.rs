//! SHA-256 of bytes, as the [`Digest`] that everybody shares.

use base::Digest;
use sha2::{Digest as _, Sha256};

/// The digest of these bytes.
pub fn of(bytes: &[u8]) -> Digest {
    of_parts([bytes])
}

/// The digest of the parts one after the other, without joining them in memory first.
pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Digest {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    Digest::new(hasher.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::{of, of_parts};

    #[test]
    fn digest_of_parts_is_the_digest_of_the_whole() {
        // FIPS 180-4, the example of one block.
        let abc = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(of(b"abc").to_string(), abc);
        assert_eq!(of_parts([b"a".as_slice(), b"", b"bc"]).to_string(), abc);
    }
}
