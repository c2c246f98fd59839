//! Parsing of bundles. An unknown member could change how the bundle is to be verified, so it is refused.

use serde_json::Value;

use super::{Content, MAX_BUNDLE_BYTES, MEDIA_TYPE, PAYLOAD_TYPE, SigstoreBundle};
use crate::members::{Object, Read, of_bytes};

pub(super) fn parse_bundle(bytes: &[u8]) -> Read<SigstoreBundle> {
    let value = of_bytes(bytes, MAX_BUNDLE_BYTES)?;
    let top = Object::from_value("", &value)?;
    top.check_keys(&["mediaType", "verificationMaterial", "dsseEnvelope", "messageSignature"])?;
    top.require_text("mediaType", MEDIA_TYPE)?;
    let unchecked = read_material(&top.read_object("verificationMaterial")?)?;
    let (content, signature) = match (top.find_member("dsseEnvelope"), top.find_member("messageSignature")) {
        (Some(_), None) => read_envelope(&top.read_object("dsseEnvelope")?)?,
        (None, Some(_)) => read_message(&top.read_object("messageSignature")?)?,
        _ => return Err("has to have one of `dsseEnvelope` and `messageSignature`".to_owned()),
    };
    Ok(SigstoreBundle { content, signature, unchecked })
}

/// Returns the number of unchecked entries. The bundle must be signed with a key.
fn read_material(material: &Object<'_>) -> Read<usize> {
    if ["certificate", "x509CertificateChain"].iter().any(|key| material.find_member(key).is_some()) {
        return Err("is signed by a certificate, and hookbox checks bundles with a key of the publisher's own: sign with \
                    a key (`cosign attest-blob --key`)"
            .to_owned());
    }
    material.check_keys(&["publicKey", "tlogEntries", "timestampVerificationData"])?;
    let key = material.read_object("publicKey")?;
    key.check_keys(&["hint"])?;
    key.optional_text("hint")?;
    let entries = read_list(material, "tlogEntries")?.len();
    let Some(_) = material.find_member("timestampVerificationData") else { return Ok(entries) };
    let stamps = material.read_object("timestampVerificationData")?;
    stamps.check_keys(&["rfc3161Timestamps"])?;
    Ok(entries + read_list(&stamps, "rfc3161Timestamps")?.len())
}

fn read_list<'a>(object: &Object<'a>, key: &str) -> Read<&'a [Value]> {
    let Some(value) = object.find_member(key) else { return Ok(&[]) };
    value.as_array().map(Vec::as_slice).ok_or_else(|| object.reject_member(key, "that is not a list"))
}

fn read_envelope(envelope: &Object<'_>) -> Read<(Content, Vec<u8>)> {
    envelope.check_keys(&["payload", "payloadType", "signatures"])?;
    envelope.require_text("payloadType", PAYLOAD_TYPE)?;
    // With several signatures it would be ambiguous which one the named key has to match.
    let [signature] = read_list(envelope, "signatures")? else {
        let there = read_list(envelope, "signatures")?.len();
        return Err(format!("has {there} signatures, and one is to be there"));
    };
    let signature = Object::from_value("dsseEnvelope.signatures", signature)?;
    signature.check_keys(&["sig", "keyid"])?;
    signature.optional_text("keyid")?;
    Ok((Content::Envelope(envelope.read_bytes("payload")?), signature.read_bytes("sig")?))
}

fn read_message(message: &Object<'_>) -> Read<(Content, Vec<u8>)> {
    message.check_keys(&["messageDigest", "signature"])?;
    let digest = message.read_object("messageDigest")?;
    digest.check_keys(&["algorithm", "digest"])?;
    // The digest is compared by hookbox, which must know how it was made.
    digest.require_text("algorithm", "SHA2_256")?;
    Ok((Content::Message(digest.read_bytes("digest")?), message.read_bytes("signature")?))
}
