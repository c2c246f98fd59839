//! OpenSSH's revocation lists (`ssh-keygen -k`): revoked keys, by themselves or by their SHA-256.
//!
//! The parts about certificates are parsed and ignored, since certificates are not supported. A list with anything else in it, signed or
//! of a later OpenSSH, is refused: it may revoke something that hookbox would not notice.

use std::collections::BTreeSet;

use crate::{
    Refusal, RefusalKind,
    key::{self, KeyType, PublicKey},
    wire::{Malformed, Wire},
};

/// Longest list, bytes.
pub const MAX_KRL_BYTES: usize = 4 << 20;

const MAGIC: &[u8] = b"SSHKRL\n\0";
const VERSION: u32 = 1;

const CERTIFICATES: u8 = 1;
const KEYS: u8 = 2;
const SHA1: u8 = 3;
const SHA256: u8 = 5;

/// Sections about certificates.
const SERIALS: u8 = 0x20;
const RANGE: u8 = 0x21;
const BITMAP: u8 = 0x22;
const NAMES: u8 = 0x23;
/// Longest bitmap in bytes, as in OpenSSH.
const MAX_BITMAP_BYTES: usize = 2048;

/// Revoked keys. The default revokes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Krl {
    fingerprints: BTreeSet<String>,
}

impl Krl {
    /// Parses a list.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        if bytes.len() > MAX_KRL_BYTES {
            return Err(file(&format!("it is longer than {MAX_KRL_BYTES} bytes")));
        }
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            return Err(file(
                "it is not a revocation list; create one with `ssh-keygen -k -f revoked.krl KEY.pub`",
            ));
        };
        read(rest).map_err(|problem| match problem {
            Problem::Malformed => file("it is damaged"),
            Problem::Strange(why) => file(&why),
        })
    }

    /// Returns true if the key is revoked.
    pub fn revokes(&self, key: &PublicKey) -> bool {
        self.revokes_fingerprint(&key.fingerprint())
    }

    /// Returns true if the key with this fingerprint, `SHA256:…`, is revoked.
    pub fn revokes_fingerprint(&self, fingerprint: &str) -> bool {
        self.fingerprints.contains(fingerprint)
    }

    /// Returns the number of revoked keys.
    pub fn len(&self) -> usize {
        self.fingerprints.len()
    }

    /// Returns true if no key is revoked.
    pub fn is_empty(&self) -> bool {
        self.fingerprints.is_empty()
    }
}

enum Problem {
    Malformed,
    Strange(String),
}

impl From<Malformed> for Problem {
    fn from(Malformed: Malformed) -> Self {
        Self::Malformed
    }
}

/// Parses everything after the magic.
fn read(bytes: &[u8]) -> Result<Krl, Problem> {
    let mut wire = Wire::new(bytes);
    let version = wire.number()?;
    if version != VERSION {
        return Err(Problem::Strange(format!("it has the version {version}, and hookbox knows {VERSION}")));
    }
    // The list's number, its creation time, and flags that have no meaning yet.
    for _ in 0..3 {
        wire.long()?;
    }
    if !wire.string()?.is_empty() {
        return Err(Problem::Strange("it says something where nothing is to be said yet".to_owned()));
    }
    wire.string()?;
    let mut krl = Krl::default();
    while !wire.is_empty() {
        let kind = wire.byte()?;
        krl.section(kind, wire.string()?)?;
    }
    Ok(krl)
}

impl Krl {
    fn section(&mut self, kind: u8, content: &[u8]) -> Result<(), Problem> {
        let mut wire = Wire::new(content);
        match kind {
            CERTIFICATES => return certificates(&mut wire),
            KEYS => {
                while !wire.is_empty() {
                    self.fingerprints.insert(key::fingerprint(wire.string()?));
                }
            }
            SHA256 => {
                while !wire.is_empty() {
                    let digest = wire.string()?;
                    if digest.len() != 32 {
                        return Err(Problem::Malformed);
                    }
                    self.fingerprints.insert(key::fingerprint_of_digest(digest));
                }
            }
            SHA1 => {
                let why = "it revokes a key by its SHA-1, which hookbox does not take: revoke the key itself, or by `hash: SHA256:…`";
                return Err(Problem::Strange(why.to_owned()));
            }
            other => {
                let why = format!(
                    "it has a part of the kind {other}, which hookbox does not know: keep a list for plugins without it"
                );
                return Err(Problem::Strange(why));
            }
        }
        Ok(())
    }
}

/// Parses the sections about certificates: a list that OpenSSH reports as damaged is refused here too.
fn certificates(wire: &mut Wire<'_>) -> Result<(), Problem> {
    let authority = wire.string()?;
    // OpenSSH reports a list as damaged if its authority is not a key; hookbox cannot check that for other kinds.
    let is_known = |key: PublicKey| matches!(key.kind(), KeyType::Ed25519 | KeyType::SecurityKeyEd25519);
    if !authority.is_empty() && !PublicKey::parse(authority).is_ok_and(is_known) {
        return Err(Problem::Strange(
            "it is about certificates of an authority whose key is not of Ed25519: keep a list for plugins without them".to_owned(),
        ));
    }
    if !wire.string()?.is_empty() {
        return Err(Problem::Malformed);
    }
    while !wire.is_empty() {
        let kind = wire.byte()?;
        let mut part = Wire::new(wire.string()?);
        match kind {
            SERIALS => while_some(&mut part, |part| part.long().map(drop))?,
            RANGE => {
                let (from, to) = (part.long()?, part.long()?);
                if from == 0 || from > to {
                    return Err(Problem::Malformed);
                }
            }
            BITMAP => {
                part.long()?;
                let bits = part.string()?;
                // A number without superfluous zeroes, and not negative.
                let is_number = matches!(bits, [1..=0x7f, ..] | [0, 0x80..=0xff, ..]);
                if !is_number || bits.len() > MAX_BITMAP_BYTES {
                    return Err(Problem::Malformed);
                }
            }
            NAMES => while_some(&mut part, |part| part.text().map(drop))?,
            other => {
                return Err(Problem::Strange(format!(
                    "it has a part of the kind {other} about certificates, which hookbox does not know"
                )));
            }
        }
        part.end()?;
    }
    Ok(())
}

fn while_some(
    wire: &mut Wire<'_>,
    read: impl Fn(&mut Wire<'_>) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    while !wire.is_empty() {
        read(wire)?;
    }
    Ok(())
}

fn file(why: &str) -> Refusal {
    Refusal::new(RefusalKind::File, why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::put_string;

    fn key(byte: u8) -> PublicKey {
        let mut blob = Vec::new();
        put_string(&mut blob, b"ssh-ed25519");
        put_string(&mut blob, &[byte; 32]);
        PublicKey::parse(&blob).unwrap()
    }

    fn list(sections: &[(u8, Vec<u8>)]) -> Vec<u8> {
        let mut list = [MAGIC, &[0, 0, 0, 1], &[0; 24], &[0; 8]].concat();
        for (kind, content) in sections {
            list.push(*kind);
            put_string(&mut list, content);
        }
        list
    }

    fn string(bytes: &[u8]) -> Vec<u8> {
        let mut string = Vec::new();
        put_string(&mut string, bytes);
        string
    }

    fn certificates(kind: u8, content: &[u8]) -> (u8, Vec<u8>) {
        (CERTIFICATES, [string(key(9).as_bytes()), string(b""), vec![kind], string(content)].concat())
    }

    fn refused(bytes: &[u8]) -> String {
        Krl::parse(bytes).unwrap_err().to_string()
    }

    #[test]
    fn keys_are_revoked_by_themselves_and_by_their_digest() {
        use base64ct::Encoding;
        let fingerprint = key(2).fingerprint();
        let digest =
            base64ct::Base64Unpadded::decode_vec(fingerprint.strip_prefix("SHA256:").unwrap()).unwrap();
        let sections = [(KEYS, string(key(1).as_bytes())), (SHA256, string(&digest))];
        let krl = Krl::parse(&list(&sections)).unwrap();
        assert!(krl.revokes(&key(1)) && krl.revokes(&key(2)) && !krl.revokes(&key(3)));
        assert!(krl.revokes_fingerprint(&fingerprint));
        assert_eq!((krl.len(), Krl::parse(&list(&[])).unwrap().is_empty()), (2, true));
    }

    #[test]
    fn what_is_said_of_certificates_revokes_no_key_and_has_to_be_whole() {
        let one = 1_u64.to_be_bytes();
        let range = [one, 9_u64.to_be_bytes()].concat();
        for (kind, content) in [
            (SERIALS, one.to_vec()),
            (RANGE, range.clone()),
            (BITMAP, [&one[..], &string(&[0, 0x80])].concat()),
            (NAMES, string(b"me")),
        ] {
            let whole = list(&[certificates(kind, &content)]);
            assert_eq!(Krl::parse(&whole), Ok(Krl::default()), "{kind}");
            let cut = list(&[certificates(kind, &content[..content.len() - 1])]);
            assert_eq!(refused(&cut), "it is damaged", "{kind}");
        }
        let backwards = [9_u64.to_be_bytes(), one].concat();
        assert_eq!(refused(&list(&[certificates(RANGE, &backwards)])), "it is damaged");
    }

    #[test]
    fn a_list_that_may_revoke_more_than_is_understood_is_refused() {
        assert_eq!(
            refused(&list(&[(SHA1, string(&[0; 20]))])),
            "it revokes a key by its SHA-1, which hookbox does not take: revoke the key itself, or by `hash: SHA256:…`"
        );
        for kind in [0, 4, 6, 255] {
            assert!(refused(&list(&[(kind, vec![])])).contains("which hookbox does not know"), "{kind}");
        }
        let later = list(&[])
            .iter()
            .enumerate()
            .map(|(at, byte)| if at == 11 { 2 } else { *byte })
            .collect::<Vec<_>>();
        assert_eq!(refused(&later), "it has the version 2, and hookbox knows 1");
        assert_eq!(
            refused(b"ssh-ed25519 AAAA"),
            "it is not a revocation list; create one with `ssh-keygen -k -f revoked.krl KEY.pub`"
        );
    }

    #[test]
    fn an_authority_that_is_no_key_that_is_known_makes_a_list_that_is_not() {
        let of_anybody = (CERTIFICATES, [string(b""), string(b"")].concat());
        assert_eq!(Krl::parse(&list(&[of_anybody])), Ok(Krl::default()));
        let of_nobody = (CERTIFICATES, [string(b"authority"), string(b"")].concat());
        assert!(refused(&list(&[of_nobody])).contains("an authority whose key is not of Ed25519"));
    }

    #[test]
    fn every_beginning_of_a_list_is_refused_unless_it_ends_between_two_parts() {
        let first = list(&[(KEYS, string(key(1).as_bytes()))]);
        let whole = list(&[(KEYS, string(key(1).as_bytes())), (SHA256, string(&[0; 32]))]);
        for cut in 0..whole.len() {
            let is_whole = cut == first.len() || cut == list(&[]).len();
            assert_eq!(Krl::parse(&whole[..cut]).is_ok(), is_whole, "{cut}");
        }
    }
}
