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
            return Err(make_file_error(&format!("it is longer than {MAX_KRL_BYTES} bytes")));
        }
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            return Err(make_file_error(
                "it is not a revocation list; create one with `ssh-keygen -k -f revoked.krl KEY.pub`",
            ));
        };
        parse_body(rest).map_err(|problem| match problem {
            Problem::Malformed => make_file_error("it is damaged"),
            Problem::Strange(why) => make_file_error(&why),
        })
    }

    /// Returns true if the key is revoked.
    pub fn revokes_key(&self, key: &PublicKey) -> bool {
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
fn parse_body(bytes: &[u8]) -> Result<Krl, Problem> {
    let mut wire = Wire::new(bytes);
    let version = wire.read_number()?;
    // A later version may revoke in a way that this parser would skip.
    if version != VERSION {
        return Err(Problem::Strange(format!(
            "it has the version {version}, and hookbox supports {VERSION}"
        )));
    }
    // The list's number, its creation time, and flags that have no meaning yet.
    for _ in 0..3 {
        wire.read_long()?;
    }
    if !wire.read_string()?.is_empty() {
        return Err(Problem::Strange("it has data in a reserved field".to_owned()));
    }
    wire.read_string()?;
    let mut krl = Krl::default();
    while !wire.is_empty() {
        let kind = wire.read_byte()?;
        krl.add_section(kind, wire.read_string()?)?;
    }
    Ok(krl)
}

impl Krl {
    fn add_section(&mut self, kind: u8, content: &[u8]) -> Result<(), Problem> {
        let mut wire = Wire::new(content);
        match kind {
            CERTIFICATES => return read_certificates(&mut wire),
            KEYS => {
                while !wire.is_empty() {
                    self.fingerprints.insert(key::format_fingerprint(wire.read_string()?));
                }
            }
            SHA256 => {
                while !wire.is_empty() {
                    let digest = wire.read_string()?;
                    // A cut digest would never equal that of a key: the entry would revoke nothing.
                    if digest.len() != 32 {
                        return Err(Problem::Malformed);
                    }
                    self.fingerprints.insert(key::fingerprint_of_digest(digest));
                }
            }
            // Ignored, the entry would leave a revoked key valid; honoured, it would need SHA-1 over every
            // key.
            SHA1 => {
                let why = "it revokes a key by its SHA-1, which hookbox does not take: revoke the key itself, or by `hash: SHA256:…`";
                return Err(Problem::Strange(why.to_owned()));
            }
            other => {
                let why = format!(
                    "it has a part of the kind {other}, which hookbox does not support: use a list without it for plugins"
                );
                return Err(Problem::Strange(why));
            }
        }
        Ok(())
    }
}

/// Parses the sections about certificates: a list that OpenSSH reports as damaged is refused here too.
fn read_certificates(wire: &mut Wire<'_>) -> Result<(), Problem> {
    let authority = wire.read_string()?;
    // OpenSSH reports a list as damaged if its authority is not a key; hookbox cannot check that for other kinds.
    let is_known = |key: PublicKey| matches!(key.kind(), KeyType::Ed25519 | KeyType::SecurityKeyEd25519);
    if !authority.is_empty() && !PublicKey::parse(authority).is_ok_and(is_known) {
        return Err(Problem::Strange(
            "it is about certificates of an authority whose key is not of Ed25519: use a list without them for plugins".to_owned(),
        ));
    }
    if !wire.read_string()?.is_empty() {
        return Err(Problem::Malformed);
    }
    while !wire.is_empty() {
        let kind = wire.read_byte()?;
        let mut part = Wire::new(wire.read_string()?);
        match kind {
            SERIALS => while_some(&mut part, |part| part.read_long().map(drop))?,
            RANGE => {
                let (from, to) = (part.read_long()?, part.read_long()?);
                // OpenSSH refuses these ranges; hookbox never accepts a list that OpenSSH reports as damaged.
                if from == 0 || from > to {
                    return Err(Problem::Malformed);
                }
            }
            BITMAP => {
                part.read_long()?;
                let bits = part.read_string()?;
                // A number without superfluous zeroes, and not negative.
                let is_number = matches!(bits, [1..=0x7f, ..] | [0, 0x80..=0xff, ..]);
                if !is_number || bits.len() > MAX_BITMAP_BYTES {
                    return Err(Problem::Malformed);
                }
            }
            NAMES => while_some(&mut part, |part| part.read_text().map(drop))?,
            other => {
                return Err(Problem::Strange(format!(
                    "it has a part of the kind {other} about certificates, which hookbox does not support"
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

fn make_file_error(why: &str) -> Refusal {
    Refusal::new(RefusalKind::File, why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::put_string;

    fn make_key(byte: u8) -> PublicKey {
        let mut blob = Vec::new();
        put_string(&mut blob, b"ssh-ed25519");
        put_string(&mut blob, &[byte; 32]);
        PublicKey::parse(&blob).unwrap()
    }

    fn encode_list(sections: &[(u8, Vec<u8>)]) -> Vec<u8> {
        let mut list = [MAGIC, &[0, 0, 0, 1], &[0; 24], &[0; 8]].concat();
        for (kind, content) in sections {
            list.push(*kind);
            put_string(&mut list, content);
        }
        list
    }

    fn encode_string(bytes: &[u8]) -> Vec<u8> {
        let mut string = Vec::new();
        put_string(&mut string, bytes);
        string
    }

    fn make_certificate(kind: u8, content: &[u8]) -> (u8, Vec<u8>) {
        (
            CERTIFICATES,
            [encode_string(make_key(9).as_bytes()), encode_string(b""), vec![kind], encode_string(content)]
                .concat(),
        )
    }

    fn read_error(bytes: &[u8]) -> String {
        Krl::parse(bytes).unwrap_err().to_string()
    }

    #[test]
    fn keys_are_revoked_by_themselves_and_by_their_digest() {
        use base64ct::Encoding;
        let fingerprint = make_key(2).fingerprint();
        let digest =
            base64ct::Base64Unpadded::decode_vec(fingerprint.strip_prefix("SHA256:").unwrap()).unwrap();
        let sections = [(KEYS, encode_string(make_key(1).as_bytes())), (SHA256, encode_string(&digest))];
        let krl = Krl::parse(&encode_list(&sections)).unwrap();
        assert!(
            krl.revokes_key(&make_key(1)) && krl.revokes_key(&make_key(2)) && !krl.revokes_key(&make_key(3))
        );
        assert!(krl.revokes_fingerprint(&fingerprint));
        assert_eq!((krl.len(), Krl::parse(&encode_list(&[])).unwrap().is_empty()), (2, true));
    }

    #[test]
    fn revocations_of_certificates_revoke_no_key_and_must_be_complete() {
        let one = 1_u64.to_be_bytes();
        let range = [one, 9_u64.to_be_bytes()].concat();
        for (kind, content) in [
            (SERIALS, one.to_vec()),
            (RANGE, range.clone()),
            (BITMAP, [&one[..], &encode_string(&[0, 0x80])].concat()),
            (NAMES, encode_string(b"me")),
        ] {
            let whole = encode_list(&[make_certificate(kind, &content)]);
            assert_eq!(Krl::parse(&whole), Ok(Krl::default()), "{kind}");
            let cut = encode_list(&[make_certificate(kind, &content[..content.len() - 1])]);
            assert_eq!(read_error(&cut), "it is damaged", "{kind}");
        }
        let backwards = [9_u64.to_be_bytes(), one].concat();
        assert_eq!(read_error(&encode_list(&[make_certificate(RANGE, &backwards)])), "it is damaged");
    }

    #[test]
    fn a_list_that_may_revoke_more_than_is_understood_is_refused() {
        assert_eq!(
            read_error(&encode_list(&[(SHA1, encode_string(&[0; 20]))])),
            "it revokes a key by its SHA-1, which hookbox does not take: revoke the key itself, or by `hash: SHA256:…`"
        );
        for kind in [0, 4, 6, 255] {
            assert!(
                read_error(&encode_list(&[(kind, vec![])])).contains("which hookbox does not support"),
                "{kind}"
            );
        }
        let later = encode_list(&[])
            .iter()
            .enumerate()
            .map(|(at, byte)| if at == 11 { 2 } else { *byte })
            .collect::<Vec<_>>();
        assert_eq!(read_error(&later), "it has the version 2, and hookbox supports 1");
        assert_eq!(
            read_error(b"ssh-ed25519 AAAA"),
            "it is not a revocation list; create one with `ssh-keygen -k -f revoked.krl KEY.pub`"
        );
    }

    #[test]
    fn a_revocation_list_with_an_unknown_authority_key_is_refused() {
        let of_anybody = (CERTIFICATES, [encode_string(b""), encode_string(b"")].concat());
        assert_eq!(Krl::parse(&encode_list(&[of_anybody])), Ok(Krl::default()));
        let of_nobody = (CERTIFICATES, [encode_string(b"authority"), encode_string(b"")].concat());
        assert!(read_error(&encode_list(&[of_nobody])).contains("an authority whose key is not of Ed25519"));
    }

    #[test]
    fn every_beginning_of_a_list_is_refused_unless_it_ends_between_two_parts() {
        let first = encode_list(&[(KEYS, encode_string(make_key(1).as_bytes()))]);
        let whole =
            encode_list(&[(KEYS, encode_string(make_key(1).as_bytes())), (SHA256, encode_string(&[0; 32]))]);
        for cut in 0..whole.len() {
            let is_whole = cut == first.len() || cut == encode_list(&[]).len();
            assert_eq!(Krl::parse(&whole[..cut]).is_ok(), is_whole, "{cut}");
        }
    }
}
