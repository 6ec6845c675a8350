//! Keyed MACs: claim tokens and cursors are texts that only this installation can have made. The keys live outside the database,
//! so a copy of it holds no usable token (process.md §5, "Leases").

use std::collections::BTreeMap;

use base::{AgentId, OrganizationId, RunId, Secret, Ulid};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use run_core::{ClaimId, ClaimNumber, KeyId};
use sha2::Sha256;

const MAC_BYTES: usize = 32;
const CLAIM_BYTES: usize = 4 + 16 + 4 + 16;

/// What is signed; a text for one purpose never passes for another.
#[derive(Debug, Clone, Copy)]
enum Purpose {
    Claim,
    Cursor,
}

/// The keys: one signs, all of them verify.
#[derive(Debug, Clone)]
pub struct SigningKeys {
    keys: BTreeMap<KeyId, Secret<[u8; 32]>>,
    current: KeyId,
}

impl SigningKeys {
    /// A key that signs.
    pub fn new(current: KeyId, key: Secret<[u8; 32]>) -> Self {
        Self {
            keys: BTreeMap::from([(current, key)]),
            current,
        }
    }

    /// Adds a key that once signed and still verifies.
    #[must_use]
    pub fn with_old(mut self, id: KeyId, key: Secret<[u8; 32]>) -> Self {
        self.keys.entry(id).or_insert(key);
        self
    }

    /// The key that new claims are granted under.
    pub fn current(&self) -> KeyId {
        self.current
    }

    /// The token of a claim; the same claim has the same token whenever it is shown. `None` when its key is gone.
    pub(crate) fn claim_token(&self, organization: OrganizationId, claim: &ClaimId) -> Option<String> {
        let mut bytes = Vec::with_capacity(CLAIM_BYTES + MAC_BYTES);
        bytes.extend(claim.key.0.to_be_bytes());
        bytes.extend(claim.run.ulid().to_bytes());
        bytes.extend(claim.number.0.to_be_bytes());
        bytes.extend(claim.agent.ulid().to_bytes());
        let mac = self.mac((claim.key, Purpose::Claim), organization, &bytes)?;
        bytes.extend(mac.finalize().into_bytes());
        Some(format!("ct_{}", URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// What a token stands for; `None` when it does not verify.
    pub(crate) fn claim(&self, organization: OrganizationId, token: &str) -> Option<ClaimId> {
        let bytes = URL_SAFE_NO_PAD.decode(token.strip_prefix("ct_")?).ok()?;
        let (signed, mac) = bytes.split_at_checked(CLAIM_BYTES)?;
        let (key, rest) = signed.split_first_chunk::<4>()?;
        let (run, rest) = rest.split_first_chunk::<16>()?;
        let (number, agent) = rest.split_first_chunk::<4>()?;
        let key = KeyId(u32::from_be_bytes(*key));
        self.mac((key, Purpose::Claim), organization, signed)?
            .verify_slice(mac)
            .ok()?;
        Some(ClaimId {
            run: RunId::new(Ulid::from_bytes(*run)),
            number: ClaimNumber(u32::from_be_bytes(*number)),
            agent: AgentId::new(Ulid::from_bytes(agent.try_into().ok()?)),
            key,
        })
    }

    /// A text that carries `content` and cannot be made up.
    pub(crate) fn sealed(&self, organization: OrganizationId, content: &str) -> String {
        let mut bytes = self.current.0.to_be_bytes().to_vec();
        bytes.extend(content.as_bytes());
        let mac = self
            .mac((self.current, Purpose::Cursor), organization, &bytes)
            .expect("the current key is always among the keys");
        bytes.extend(mac.finalize().into_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The content of a sealed text; `None` when it was made up or changed.
    pub(crate) fn unsealed(&self, organization: OrganizationId, text: &str) -> Option<String> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (signed, mac) = bytes.split_at_checked(bytes.len().checked_sub(MAC_BYTES)?)?;
        let (key, content) = signed.split_first_chunk::<4>()?;
        let key = KeyId(u32::from_be_bytes(*key));
        self.mac((key, Purpose::Cursor), organization, signed)?
            .verify_slice(mac)
            .ok()?;
        String::from_utf8(content.to_vec()).ok()
    }

    fn mac(
        &self,
        (key, purpose): (KeyId, Purpose),
        organization: OrganizationId,
        signed: &[u8],
    ) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.keys.get(&key)?.expose()).ok()?;
        mac.update(match purpose {
            Purpose::Claim => b"claim\0",
            Purpose::Cursor => b"cursor\0",
        });
        mac.update(&organization.ulid().to_bytes());
        mac.update(signed);
        Some(mac)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> SigningKeys {
        SigningKeys::new(KeyId(1), Secret::new([7; 32]))
    }

    fn organization(n: u128) -> OrganizationId {
        OrganizationId::new(Ulid::from(n))
    }

    fn claim() -> ClaimId {
        ClaimId {
            run: RunId::new(Ulid::from(3u128)),
            number: ClaimNumber(9),
            agent: AgentId::new(Ulid::from(4u128)),
            key: KeyId(1),
        }
    }

    #[test]
    fn a_token_gives_its_claim_back_in_its_own_organization_only() {
        let token = keys()
            .claim_token(organization(1), &claim())
            .expect("the key is there");
        assert_eq!(keys().claim(organization(1), &token), Some(claim()));
        assert_eq!(keys().claim(organization(2), &token), None);
    }

    #[test]
    fn a_changed_token_does_not_verify() {
        let token = keys()
            .claim_token(organization(1), &claim())
            .expect("the key is there");
        for at in 3..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).expect("ASCII stays ASCII");
            if changed != token {
                assert_eq!(keys().claim(organization(1), &changed), None, "{at}");
            }
        }
        assert_eq!(keys().claim(organization(1), "ct_"), None);
        assert_eq!(keys().claim(organization(1), ""), None);
    }

    #[test]
    fn an_old_key_still_verifies_and_an_unknown_one_never() {
        let token = keys()
            .claim_token(organization(1), &claim())
            .expect("the key is there");
        let rotated = SigningKeys::new(KeyId(2), Secret::new([8; 32]));
        assert_eq!(rotated.claim(organization(1), &token), None);
        let rotated = rotated.with_old(KeyId(1), Secret::new([7; 32]));
        assert_eq!(rotated.claim(organization(1), &token), Some(claim()));
    }

    #[test]
    fn a_sealed_text_is_no_claim_and_cannot_be_made_up() {
        let sealed = keys().sealed(organization(1), "after 5");
        assert_eq!(
            keys().unsealed(organization(1), &sealed).as_deref(),
            Some("after 5")
        );
        assert_eq!(keys().unsealed(organization(2), &sealed), None);
        assert_eq!(keys().unsealed(organization(1), "bm90IHNlYWxlZA"), None);
        assert_eq!(keys().claim(organization(1), &format!("ct_{sealed}")), None);
    }
}
