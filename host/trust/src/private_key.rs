//! Short private scalars of ECDSA keys.
//!
//! OpenSSH writes the scalar as a number without leading zeroes (PROTOCOL.key, `mpint` of RFC 4251), so one key of 256 has 31 bytes or
//! fewer. The crate `ssh-key` reads 32 bytes, or 33 with a zero for the sign.

use base64ct::{Base64, Encoding};

use crate::{
    key::KeyType,
    wire::{Malformed, Wire, put_string},
};

const MAGIC: &[u8] = b"openssh-key-v1\0";
const BEGIN: &str = "-----BEGIN OPENSSH PRIVATE KEY-----";
const END: &str = "-----END OPENSSH PRIVATE KEY-----";
/// Bytes of a scalar of P-256.
const SCALAR: usize = 32;
/// Block size of a private section without a passphrase, bytes.
const BLOCK: usize = 8;

/// Returns the bytes of the key with its scalar padded to 32 bytes; `None` if the file has no short scalar.
pub(crate) fn pad_scalar(text: &str) -> Option<Vec<u8>> {
    let inside = text.trim().strip_prefix(BEGIN)?.strip_suffix(END)?;
    let encoded: String = inside.split_ascii_whitespace().collect();
    let bytes = Base64::decode_vec(&encoded).ok()?;
    pad_container(&bytes).ok()?
}

fn pad_container(bytes: &[u8]) -> Result<Option<Vec<u8>>, Malformed> {
    let mut wire = Wire::new(bytes);
    if wire.take_bytes(MAGIC.len())? != MAGIC {
        return Err(Malformed);
    }
    let (cipher, derivation, options) = (wire.read_text()?, wire.read_text()?, wire.read_string()?);
    let (count, public) = (wire.read_number()?, wire.read_string()?);
    let section = wire.read_string()?;
    wire.end()?;
    // An encrypted section cannot be padded, and hookbox does not sign with such keys.
    if (cipher, derivation, options, count) != ("none", "none", b"", 1) {
        return Ok(None);
    }
    let Some(section) = pad_section(section)? else { return Ok(None) };
    let mut padded = MAGIC.to_vec();
    for part in [cipher.as_bytes(), derivation.as_bytes(), options] {
        put_string(&mut padded, part);
    }
    padded.extend_from_slice(&count.to_be_bytes());
    put_string(&mut padded, public);
    put_string(&mut padded, &section);
    Ok(Some(padded))
}

/// Pads the scalar of a private section and its end; `None` if the section has no short scalar.
fn pad_section(section: &[u8]) -> Result<Option<Vec<u8>>, Malformed> {
    let mut wire = Wire::new(section);
    // Two equal numbers, which let a reader detect a wrong passphrase.
    let check = wire.read_long()?;
    let kind = wire.read_text()?;
    if kind != KeyType::EcdsaP256.as_str() {
        return Ok(None);
    }
    let (curve, point) = (wire.read_string()?, wire.read_string()?);
    let (scalar, comment) = (wire.read_string()?, wire.read_string()?);
    let Some(missing) = SCALAR.checked_sub(scalar.len()).filter(|missing| *missing > 0) else {
        return Ok(None);
    };
    let mut padded = check.to_be_bytes().to_vec();
    for part in [kind.as_bytes(), curve, point, &[&vec![0; missing], scalar].concat(), comment] {
        put_string(&mut padded, part);
    }
    let end = padded.len().next_multiple_of(BLOCK) - padded.len();
    // The format pads with the numbers 1, 2, 3, …, and readers check them.
    padded.extend((1u8..).take(end));
    Ok(Some(padded))
}
