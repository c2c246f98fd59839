//! The second signature format: a sigstore bundle, version 0.3, signed with a publisher's own key.
//!
//! The bundle is an envelope (DSSE) with the statement in it, or a signature over the statement's file. Keys are of the kinds that sign
//! by ssh, too: ECDSA with P-256, and Ed25519. The user names the key; the bundle's own information about it proves nothing and is
//! ignored. Certificates are refused. Entries of transparency logs and time stamps are not checked: with a key that the user trusts they
//! add nothing.

mod der;
mod read;

use ssh_key::Signature;

use crate::{
    Refusal, RefusalKind,
    key::{KeyType, PublicKey},
    signing,
    wire::put_string,
};

/// Required media type of a bundle.
pub const MEDIA_TYPE: &str = "application/vnd.dev.sigstore.bundle.v0.3+json";
/// Required payload type of its envelope.
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";
/// Longest bundle, bytes: one with the longest statement, in base64, and entries of logs.
pub const MAX_BUNDLE_BYTES: usize = 1 << 20;
/// Longest file of a public key, bytes.
pub const MAX_KEY_FILE_BYTES: usize = 16 << 10;

/// A parsed bundle, not verified yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigstoreBundle {
    content: Content,
    signature: Vec<u8>,
    /// Number of log entries and time stamps in it, which are not checked.
    pub unchecked: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    Envelope(Vec<u8>),
    /// The statement is in a separate file, with this SHA-256.
    Message(Vec<u8>),
}

impl SigstoreBundle {
    /// Parses a bundle.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        read::parse_bundle(bytes).map_err(|why| make_signature_error(format!("the bundle {why}")))
    }

    /// Returns true if the statement is in a separate file.
    pub fn is_over_a_file(&self) -> bool {
        matches!(self.content, Content::Message(_))
    }

    /// Returns the statement that was signed with this key: the one in the envelope, or else this file.
    pub fn read_signed_statement<'a>(&'a self, key: &PublicKey, file: &'a [u8]) -> Result<&'a [u8], Refusal> {
        let (statement, is_signed) = match &self.content {
            Content::Envelope(statement) => {
                (statement.as_slice(), self.is_by(key, &encode_envelope(statement)))
            }
            // Sigstore signs files with Ed25519 in another way, over their digest.
            Content::Message(_) if key.kind() != KeyType::EcdsaP256 => (file, false),
            Content::Message(digest) => (file, is_digest(digest, file) && self.is_by(key, file)),
        };
        if is_signed {
            return Ok(statement);
        }
        let (kind, fingerprint) = (key.kind(), key.fingerprint());
        Err(make_signature_error(format!(
            "the signature in the bundle is not over this, or not by the key {fingerprint} ({kind})"
        )))
    }

    fn is_by(&self, key: &PublicKey, data: &[u8]) -> bool {
        to_ssh_signature(key.kind(), &self.signature)
            .is_some_and(|signature| signing::verifies_bytes(key, data, &signature))
    }
}

/// Parses a public key as `openssl` and `cosign` write it: PEM, with one of the two ways to write such a key in it.
pub fn parse_key(text: &str) -> Result<PublicKey, Refusal> {
    let key = der::decode_key(text).ok_or_else(|| {
        Refusal::new(
            RefusalKind::Key,
            "it is not a P-256 or Ed25519 public key in PEM (`-----BEGIN PUBLIC KEY-----`), with nothing around it",
        )
    })?;
    PublicKey::parse(&key)
}

/// Returns the bytes that are signed for a statement in an envelope.
pub fn encode_envelope(statement: &[u8]) -> Vec<u8> {
    // DSSE signs the lengths and the type, too: the same bytes cannot be taken for a document of another
    // type.
    let head = format!("DSSEv1 {} {PAYLOAD_TYPE} {} ", PAYLOAD_TYPE.len(), statement.len());
    [head.as_bytes(), statement].concat()
}

fn is_digest(digest: &[u8], file: &[u8]) -> bool {
    use sha2::Digest as _;
    sha2::Sha256::digest(file).as_slice() == digest
}

fn to_ssh_signature(kind: KeyType, bytes: &[u8]) -> Option<Signature> {
    let data = match kind {
        KeyType::Ed25519 => bytes.to_vec(),
        KeyType::EcdsaP256 => {
            let mut data = Vec::new();
            der::read_signature_numbers(bytes)?.into_iter().for_each(|number| put_string(&mut data, number));
            data
        }
        // A security key signs more than the data (flags and a counter), for which a bundle has no place.
        KeyType::SecurityKeyEd25519 | KeyType::SecurityKeyEcdsaP256 => return None,
    };
    let algorithm = ssh_key::Algorithm::new(kind.as_str()).ok()?;
    Signature::new(algorithm, data).ok()
}

fn make_signature_error(why: impl Into<String>) -> Refusal {
    Refusal::new(RefusalKind::Signature, why)
}
