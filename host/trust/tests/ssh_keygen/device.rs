//! A security key without the device: it signs as one does.

use base64ct::{Base64, Encoding as _};
use ed25519_dalek::Signer as _;
use hookbox_trust::{key::PublicKey, sshsig::Envelope};
use sha2::{Digest, Sha256};

const APPLICATION: &str = "ssh:";

pub(crate) enum Device {
    Ed25519(ed25519_dalek::SigningKey),
    EcdsaP256(p256::ecdsa::SigningKey),
}

impl Device {
    pub(crate) fn new_ed25519(secret: u8) -> Self {
        Self::Ed25519(ed25519_dalek::SigningKey::from_bytes(&[secret; 32]))
    }

    pub(crate) fn new_ecdsa(secret: u8) -> Self {
        Self::EcdsaP256(p256::ecdsa::SigningKey::from_slice(&[secret; 32]).unwrap())
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Ed25519(_) => "sk-ssh-ed25519@openssh.com",
            Self::EcdsaP256(_) => "sk-ecdsa-sha2-nistp256@openssh.com",
        }
    }

    /// Returns the line of its public key.
    pub(crate) fn line(&self) -> String {
        let kind = self.kind();
        let blob = match self {
            Self::Ed25519(key) => {
                encode_strings(&[kind.as_bytes(), key.verifying_key().as_bytes(), APPLICATION.as_bytes()])
            }
            Self::EcdsaP256(key) => {
                let point = key.verifying_key().to_encoded_point(false);
                encode_strings(&[kind.as_bytes(), b"nistp256", point.as_bytes(), APPLICATION.as_bytes()])
            }
        };
        format!("{kind} {}", Base64::encode_string(&blob))
    }

    /// Signs these bytes; `flags` states whether the device was touched.
    pub(crate) fn sign_data(&self, data: &[u8], flags: u8) -> Vec<u8> {
        let counter = [flags, 0, 0, 0, 7];
        let signed = [&Sha256::digest(APPLICATION)[..], &counter, &Sha256::digest(data)].concat();
        let signature = match self {
            Self::Ed25519(key) => key.sign(&signed).to_bytes().to_vec(),
            Self::EcdsaP256(key) => {
                let signature: p256::ecdsa::Signature = key.sign(&signed);
                let (r, s) = signature.split_bytes();
                encode_strings(&[&encode_number(&r), &encode_number(&s)])
            }
        };
        [encode_strings(&[self.kind().as_bytes(), &signature]), counter.to_vec()].concat()
    }

    /// Signs a statement, and returns the armored form.
    pub(crate) fn seal_statement(&self, statement: &[u8]) -> String {
        let key = PublicKey::parse_line(&self.line()).unwrap();
        let signature = self.sign_data(&hookbox_trust::sshsig::signed_data(statement), 1);
        Envelope::new(key, signature).unwrap().to_armored()
    }
}

/// Encodes a number as SSH does: no superfluous zeroes, and one before a bit that would make it negative.
fn encode_number(bytes: &[u8]) -> Vec<u8> {
    let start = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
    let bytes = &bytes[start..];
    let before: &[u8] = if bytes.first().is_some_and(|byte| *byte >= 0x80) { &[0] } else { &[] };
    [before, bytes].concat()
}

/// Strings one after another, each with its length.
pub(crate) fn encode_strings(parts: &[&[u8]]) -> Vec<u8> {
    parts
        .iter()
        .flat_map(|part| [&u32::try_from(part.len()).unwrap().to_be_bytes()[..], part].concat())
        .collect()
}
