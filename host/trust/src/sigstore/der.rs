//! The subset of DER that occurs in keys and signatures of the two kinds: each has one spelling.

use base64ct::{Base64, Encoding};

use crate::{key::KeyType, wire::put_string};

const BEGIN: &str = "-----BEGIN PUBLIC KEY-----\n";
const END: &str = "-----END PUBLIC KEY-----";

/// Bytes before the point of an Ed25519 key.
const ED25519: &[u8] = &[0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/// Bytes before the point of a P-256 key, whose curve is named.
const P256: &[u8] = &[
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
    0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

/// Converts the key in a PEM file to OpenSSH's format.
pub(super) fn decode_key(text: &str) -> Option<Vec<u8>> {
    let (body, end) = text.strip_prefix(BEGIN)?.split_once(END)?;
    let body = body.strip_suffix('\n')?;
    // Text around the block could hold a second key, which another reader might use.
    if !matches!(end, "" | "\n") || body.split('\n').any(|line| line.is_empty() || line.len() > 64) {
        return None;
    }
    let der = Base64::decode_vec(&body.replace('\n', "")).ok()?;
    let parts = match (der.strip_prefix(ED25519), der.strip_prefix(P256)) {
        (Some(point), _) => vec![KeyType::Ed25519.as_str().as_bytes(), point],
        (None, Some(point)) => vec![KeyType::EcdsaP256.as_str().as_bytes(), b"nistp256", point],
        (None, None) => return None,
    };
    let mut blob = Vec::new();
    for part in parts {
        put_string(&mut blob, part);
    }
    Some(blob)
}

/// Returns the two numbers of a signature in their shortest form, as OpenSSH writes them.
pub(super) fn read_signature_numbers(der: &[u8]) -> Option<[&[u8]; 2]> {
    let (inner, rest) = take_value(0x30, der)?;
    let (first, after) = take_value(0x02, inner)?;
    let (second, end) = take_value(0x02, after)?;
    (rest.is_empty() && end.is_empty()).then_some([first, second])
}

/// Returns the content of the first value, if it is of this kind and shorter than 128 bytes, and the bytes after it.
fn take_value(kind: u8, der: &[u8]) -> Option<(&[u8], &[u8])> {
    // The values of P-256 are shorter than 128 bytes, and DER then has one spelling of the length.
    let [found, length @ 0..0x80, rest @ ..] = der else { return None };
    if *found == kind { rest.split_at_checked(usize::from(*length)) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_two_numbers_and_nothing_else() {
        assert_eq!(read_signature_numbers(&[0x30, 6, 2, 1, 7, 2, 1, 9]), Some([&[7][..], &[9]]));
        for wrong in [
            &[0x30, 6, 2, 1, 7, 2, 1][..],
            &[0x30, 6, 2, 1, 7, 2, 1, 9, 0],
            &[0x30, 9, 2, 1, 7, 2, 1, 9, 2, 1, 1],
            &[0x31, 6, 2, 1, 7, 2, 1, 9],
            &[0x30, 6, 3, 1, 7, 2, 1, 9],
            &[0x30, 0x81, 6, 2, 1, 7, 2, 1, 9],
            &[0x30, 6, 2, 9, 7, 2, 1, 9],
            &[],
        ] {
            assert_eq!(read_signature_numbers(wrong), None, "{wrong:?}");
        }
    }
}
