//! Signatures in the format of `ssh-keygen -Y sign`: an armored envelope with the key, a namespace, and the signature over both and over
//! the SHA-512 of the message. Exactly one spelling is accepted.

use base64ct::{Base64, Encoding};
use sha2::{Digest, Sha512};

use crate::{
    Refusal, RefusalKind,
    key::{KeyType, PublicKey},
    wire::{Malformed, Wire, put_string},
};

/// Namespace of the signatures: a signature over a mail, a commit or a login is not valid for a plugin.
pub const NAMESPACE: &str = "release@hookbox";

/// Longest signature with its armor, bytes.
pub const MAX_SIGNATURE_BYTES: usize = 16 << 10;

const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----\n";
const END: &str = "-----END SSH SIGNATURE-----";
/// Line length of `ssh-keygen`.
const LINE: usize = 70;
/// Line length of other programs.
const MAX_LINE: usize = 76;
const MAGIC: &[u8] = b"SSHSIG";
const VERSION: u32 = 1;
const HASH: &str = "sha512";
/// Flag: the user touched the security key.
const PRESENT: u8 = 1;

/// A parsed signature, not verified yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    key: PublicKey,
    signature: Vec<u8>,
}

impl Envelope {
    /// Parses an armored signature without any text around it.
    pub fn parse(armored: &str) -> Result<Self, Refusal> {
        if armored.len() > MAX_SIGNATURE_BYTES {
            return Err(make_signature_error(format!(
                "the signature is longer than {MAX_SIGNATURE_BYTES} bytes"
            )));
        }
        let bytes = decode_armor(armored).ok_or_else(|| {
            make_signature_error("the signature is not a single block of BEGIN and END SSH SIGNATURE, with nothing before, between or after")
        })?;
        Self::parse_bytes(&bytes)
    }

    fn parse_bytes(bytes: &[u8]) -> Result<Self, Refusal> {
        let damaged = |Malformed| make_signature_error("the signature is damaged");
        let mut wire = Wire::new(bytes);
        if wire.take_bytes(MAGIC.len()).map_err(damaged)? != MAGIC {
            return Err(damaged(Malformed));
        }
        let version = wire.read_number().map_err(damaged)?;
        if version != VERSION {
            return Err(make_signature_error(format!(
                "the signature has the version {version}, and hookbox supports {VERSION}"
            )));
        }
        let key = PublicKey::parse(wire.read_string().map_err(damaged)?)?;
        let namespace = wire.read_string().map_err(damaged)?;
        // A signature of the same key over a commit or a mail must not count for a plugin.
        if namespace != NAMESPACE.as_bytes() {
            let namespace: String = String::from_utf8_lossy(namespace).chars().take(64).collect();
            let namespace = namespace.escape_debug();
            return Err(make_signature_error(format!(
                "the signature is for `{namespace}`, and those over plugins are for `{NAMESPACE}`: sign with `-n {NAMESPACE}`"
            )));
        }
        if !wire.read_string().map_err(damaged)?.is_empty() {
            return Err(make_signature_error("the signature has data in a reserved field"));
        }
        let hash = wire.read_string().map_err(damaged)?;
        if hash != HASH.as_bytes() {
            return Err(make_signature_error(
                "the signature is over another digest than sha512: sign with `-O hashalg=sha512`",
            ));
        }
        let signature = wire.read_string().map_err(damaged)?;
        wire.end().map_err(damaged)?;
        check_form(key.kind(), signature)?;
        Ok(Self { key, signature: signature.to_vec() })
    }

    /// Wraps a signature that another program made with the key, as an agent does.
    pub fn new(key: PublicKey, signature: Vec<u8>) -> Result<Self, Refusal> {
        check_form(key.kind(), &signature)?;
        Ok(Self { key, signature })
    }

    /// Returns the key that the signature names. Neither its owner nor its use is verified yet.
    pub fn key(&self) -> &PublicKey {
        &self.key
    }

    /// Returns the signature itself, as OpenSSH writes it.
    #[cfg(feature = "signatures")]
    pub(crate) fn signature(&self) -> &[u8] {
        &self.signature
    }

    /// Returns the armored form, as `ssh-keygen` writes it.
    pub fn to_armored(&self) -> String {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_be_bytes());
        for part in [self.key.as_bytes(), NAMESPACE.as_bytes(), b"", HASH.as_bytes(), &self.signature] {
            put_string(&mut bytes, part);
        }
        let mut armored = BEGIN.to_owned();
        for (at, character) in Base64::encode_string(&bytes).chars().enumerate() {
            if at > 0 && at % LINE == 0 {
                armored.push('\n');
            }
            armored.push(character);
        }
        armored.push('\n');
        armored.push_str(END);
        armored.push('\n');
        armored
    }
}

/// Returns the bytes that are signed for a statement.
pub fn signed_data(statement: &[u8]) -> Vec<u8> {
    let mut data = MAGIC.to_vec();
    for part in [NAMESPACE.as_bytes(), b"", HASH.as_bytes(), &Sha512::digest(statement)] {
        put_string(&mut data, part);
    }
    data
}

fn decode_armor(armored: &str) -> Option<Vec<u8>> {
    let rest = armored.strip_prefix(BEGIN)?;
    let (body, end) = rest.split_once(END)?;
    // `ssh-keygen` accepts text around the block; a second block there could be the one that a user looks at.
    if !matches!(end, "" | "\n") {
        return None;
    }
    let body = body.strip_suffix('\n')?;
    if body.split('\n').any(|line| line.is_empty() || line.len() > MAX_LINE) {
        return None;
    }
    Base64::decode_vec(&body.replace('\n', "")).ok()
}

fn check_form(kind: KeyType, signature: &[u8]) -> Result<(), Refusal> {
    let mut wire = Wire::new(signature);
    let read = read_flags(kind, &mut wire).and_then(|flags| wire.end().map(|()| flags));
    let flags = read.map_err(|Malformed| {
        make_signature_error(format!("the signature does not have the form for a key of the kind {kind}"))
    })?;
    // A key that signs without a touch can be used by any program on its owner's machine.
    if flags.is_some_and(|flags| flags & PRESENT == 0) {
        return Err(make_signature_error(
            "the security key was not touched for the signature: sign with a key that requires a touch",
        ));
    }
    Ok(())
}

/// Returns the flags of a security key, if the key is in one.
fn read_flags(kind: KeyType, wire: &mut Wire<'_>) -> Result<Option<u8>, Malformed> {
    if wire.read_string()? != kind.as_str().as_bytes() {
        return Err(Malformed);
    }
    let signature = wire.read_string()?;
    match kind {
        KeyType::Ed25519 | KeyType::SecurityKeyEd25519 if signature.len() != 64 => return Err(Malformed),
        KeyType::Ed25519 | KeyType::SecurityKeyEd25519 => {}
        KeyType::EcdsaP256 | KeyType::SecurityKeyEcdsaP256 => {
            let mut numbers = Wire::new(signature);
            check_positive(numbers.read_string()?)?;
            check_positive(numbers.read_string()?)?;
            numbers.end()?;
        }
    }
    if !kind.is_in_a_security_key() {
        return Ok(None);
    }
    let flags = wire.read_byte()?;
    // Number of uses of the key.
    wire.read_number()?;
    Ok(Some(flags))
}

/// Checks for a number above zero of at most 256 bits, without superfluous zeroes.
fn check_positive(number: &[u8]) -> Result<(), Malformed> {
    match number {
        [1..=0x7f, ..] if number.len() <= 32 => Ok(()),
        [0, 0x80..=0xff, ..] if number.len() <= 33 => Ok(()),
        _ => Err(Malformed),
    }
}

fn make_signature_error(why: impl Into<String>) -> Refusal {
    Refusal::new(RefusalKind::Signature, why)
}
