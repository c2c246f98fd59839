//! Public keys of the kinds that may sign a plugin.

use std::fmt;

use base64ct::{Base64, Base64Unpadded, Encoding};
use sha2::{Digest, Sha256};

use crate::{
    Refusal, RefusalKind,
    wire::{Malformed, Wire},
};

/// Longest key in bytes; keys of the kinds below are shorter than 512 with any application name of a security key.
pub const MAX_KEY_BYTES: usize = 4096;

/// Longest application name of a security key, bytes. The name is `ssh:` and a text of the user.
const MAX_APPLICATION_BYTES: usize = 256;

/// Kind of a key that may sign a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyType {
    /// Ed25519.
    Ed25519,
    /// Ed25519 in a security key.
    SecurityKeyEd25519,
    /// ECDSA with P-256.
    EcdsaP256,
    /// ECDSA with P-256 in a security key.
    SecurityKeyEcdsaP256,
}

impl KeyType {
    /// All kinds.
    pub const ALL: [Self; 4] =
        [Self::Ed25519, Self::SecurityKeyEd25519, Self::EcdsaP256, Self::SecurityKeyEcdsaP256];

    /// Returns OpenSSH's name of the kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ed25519 => "ssh-ed25519",
            Self::SecurityKeyEd25519 => "sk-ssh-ed25519@openssh.com",
            Self::EcdsaP256 => "ecdsa-sha2-nistp256",
            Self::SecurityKeyEcdsaP256 => "sk-ecdsa-sha2-nistp256@openssh.com",
        }
    }

    /// Returns true if the private key is in a device that has to be touched.
    pub const fn is_in_a_security_key(self) -> bool {
        matches!(self, Self::SecurityKeyEd25519 | Self::SecurityKeyEcdsaP256)
    }

    /// Returns the kind of this name; otherwise the reason why it is not supported.
    pub fn from_name(name: &str) -> Result<Self, Refusal> {
        let found = Self::ALL.into_iter().find(|kind| kind.as_str() == name);
        found.ok_or_else(|| Refusal::new(RefusalKind::Key, reject_key_type(name)))
    }
}

impl fmt::Display for KeyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn reject_key_type(name: &str) -> String {
    // The name is foreign text for a terminal.
    let name: String = name.chars().filter(char::is_ascii_graphic).take(64).collect();
    if name.contains("-cert-v") {
        return format!(
            "{name} is a certificate, which hookbox does not support yet: sign with the key itself"
        );
    }
    let known = KeyType::ALL.map(KeyType::as_str).join(", ");
    format!("keys of the kind {name} are not supported; supported kinds: {known}")
}

/// A public key that may sign a plugin, as OpenSSH writes it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PublicKey {
    kind: KeyType,
    blob: Vec<u8>,
}

impl PublicKey {
    /// Parses the key's bytes: the base64 content in files of OpenSSH.
    pub fn parse(blob: &[u8]) -> Result<Self, Refusal> {
        let malformed = |Malformed| Refusal::new(RefusalKind::Key, "a key is damaged");
        if blob.len() > MAX_KEY_BYTES {
            return Err(malformed(Malformed));
        }
        let mut wire = Wire::new(blob);
        let kind = KeyType::from_name(wire.read_text().map_err(malformed)?)?;
        read_point(kind, &mut wire).and_then(|_| wire.end()).map_err(malformed)?;
        Ok(Self { kind, blob: blob.to_vec() })
    }

    /// Parses the line of a `.pub` file: kind, base64, and a comment, which is ignored.
    pub fn parse_line(line: &str) -> Result<Self, Refusal> {
        let mut words = line.split_ascii_whitespace();
        let (kind, text) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let kind = KeyType::from_name(kind)?;
        let key = Self::parse_base64(text)?;
        // The name before the key is what a user sees; it must not hide another kind.
        if key.kind != kind {
            return Err(Refusal::new(
                RefusalKind::Key,
                format!("a key is declared to be of the kind {kind}, but is {}", key.kind),
            ));
        }
        Ok(key)
    }

    pub(crate) fn parse_base64(text: &str) -> Result<Self, Refusal> {
        let damaged = |_| Refusal::new(RefusalKind::Key, "a key is not base64");
        Self::parse(&Base64::decode_vec(text).map_err(damaged)?)
    }

    /// Returns the kind.
    pub fn kind(&self) -> KeyType {
        self.kind
    }

    /// Returns its bytes, as OpenSSH writes them.
    pub fn as_bytes(&self) -> &[u8] {
        &self.blob
    }

    /// Returns the fingerprint: `SHA256:` and 43 characters, as `ssh-keygen -l` prints it.
    pub fn fingerprint(&self) -> String {
        format_fingerprint(&self.blob)
    }

    /// Returns the line of a `.pub` file.
    pub fn to_line(&self) -> String {
        format!("{} {}", self.kind, Base64::encode_string(&self.blob))
    }

    /// Returns the key's point on its curve. A key written in two ways, with and without a security key, is one key.
    pub fn point(&self) -> &[u8] {
        let mut wire = Wire::new(&self.blob);
        // `parse` has read it before.
        wire.read_string().and_then(|_| read_point(self.kind, &mut wire)).unwrap_or_default()
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.fingerprint())
    }
}

pub(crate) fn format_fingerprint(blob: &[u8]) -> String {
    fingerprint_of_digest(&Sha256::digest(blob))
}

pub(crate) fn fingerprint_of_digest(digest: &[u8]) -> String {
    format!("SHA256:{}", Base64Unpadded::encode_string(digest))
}

/// Parses the rest of a key, after its kind.
fn read_point<'a>(kind: KeyType, wire: &mut Wire<'a>) -> Result<&'a [u8], Malformed> {
    let point = match kind {
        KeyType::Ed25519 | KeyType::SecurityKeyEd25519 => check_size(wire.read_string()?, 32)?,
        KeyType::EcdsaP256 | KeyType::SecurityKeyEcdsaP256 => {
            let curve = wire.read_string()?;
            let point = check_size(wire.read_string()?, 65)?;
            // Both coordinates: the only form that OpenSSH accepts.
            if curve != b"nistp256" || point.first() != Some(&4) {
                return Err(Malformed);
            }
            point
        }
    };
    if kind.is_in_a_security_key() {
        let application = wire.read_text()?;
        if application.is_empty() || application.len() > MAX_APPLICATION_BYTES {
            return Err(Malformed);
        }
    }
    Ok(point)
}

fn check_size(bytes: &[u8], length: usize) -> Result<&[u8], Malformed> {
    if bytes.len() == length { Ok(bytes) } else { Err(Malformed) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::put_string;

    fn encode_blob(parts: &[&[u8]]) -> Vec<u8> {
        let mut blob = Vec::new();
        for part in parts {
            put_string(&mut blob, part);
        }
        blob
    }

    #[test]
    fn one_key_has_one_point_however_it_is_written_down() {
        let plain = PublicKey::parse(&encode_blob(&[b"ssh-ed25519", &[7; 32]])).unwrap();
        let device =
            PublicKey::parse(&encode_blob(&[b"sk-ssh-ed25519@openssh.com", &[7; 32], b"ssh:"])).unwrap();
        assert_ne!((plain.kind(), plain.fingerprint()), (device.kind(), device.fingerprint()));
        assert_eq!((plain.point(), device.point()), (&[7; 32][..], &[7; 32][..]));
        assert_eq!(PublicKey::parse_line(&format!("{} me@here", plain.to_line())), Ok(plain));
    }

    #[test]
    fn a_key_has_exactly_the_form_of_its_type() {
        let point = [&[4][..], &[7; 64]].concat();
        for parts in [
            [&b"ssh-ed25519"[..], &[7; 31], b""],
            [b"ssh-ed25519", &[7; 32], b"more"],
            [b"sk-ssh-ed25519@openssh.com", &[7; 32], b""],
            [b"ecdsa-sha2-nistp256", b"nistp384", &point],
            [b"ecdsa-sha2-nistp256", b"nistp256", &[2; 33]],
            [b"sk-ecdsa-sha2-nistp256@openssh.com", b"nistp256", &point],
        ] {
            assert_eq!(
                PublicKey::parse(&encode_blob(&parts)).unwrap_err().to_string(),
                "a key is damaged",
                "{parts:?}"
            );
        }
        assert!(PublicKey::parse(&encode_blob(&[b"ecdsa-sha2-nistp256", b"nistp256", &point])).is_ok());
    }

    #[test]
    fn unsupported_key_types_are_refused_with_the_supported_ones() {
        let refused =
            |kind: &str| PublicKey::parse(&encode_blob(&[kind.as_bytes()])).unwrap_err().to_string();
        assert_eq!(
            refused("ssh-rsa"),
            "keys of the kind ssh-rsa are not supported; supported kinds: ssh-ed25519, sk-ssh-ed25519@openssh.com, \
             ecdsa-sha2-nistp256, sk-ecdsa-sha2-nistp256@openssh.com"
        );
        assert_eq!(
            refused("ssh-ed25519-cert-v01@openssh.com"),
            "ssh-ed25519-cert-v01@openssh.com is a certificate, which hookbox does not support yet: sign with the key itself"
        );
    }
}
