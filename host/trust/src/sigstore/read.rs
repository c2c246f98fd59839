//! Parsing of bundles. An unknown member could change how the bundle is to be verified, so it is refused.

use serde_json::Value;

use super::{Content, MAX_BUNDLE_BYTES, MEDIA_TYPE, PAYLOAD_TYPE, SigstoreBundle};
use crate::members::{Object, Read, of_bytes};

pub(super) fn bundle(bytes: &[u8]) -> Read<SigstoreBundle> {
    let value = of_bytes(bytes, MAX_BUNDLE_BYTES)?;
    let top = Object::of("", &value)?;
    top.only(&["mediaType", "verificationMaterial", "dsseEnvelope", "messageSignature"])?;
    top.exactly("mediaType", MEDIA_TYPE)?;
    let unchecked = material(&top.object("verificationMaterial")?)?;
    let (content, signature) = match (top.find("dsseEnvelope"), top.find("messageSignature")) {
        (Some(_), None) => envelope(&top.object("dsseEnvelope")?)?,
        (None, Some(_)) => message(&top.object("messageSignature")?)?,
        _ => return Err("has to have one of `dsseEnvelope` and `messageSignature`".to_owned()),
    };
    Ok(SigstoreBundle { content, signature, unchecked })
}

/// Returns the number of unchecked entries. The bundle must be signed with a key.
fn material(material: &Object<'_>) -> Read<usize> {
    if ["certificate", "x509CertificateChain"].iter().any(|key| material.find(key).is_some()) {
        return Err("is signed by a certificate, and hookbox checks bundles with a key of the publisher's own: sign with \
                    a key (`cosign attest-blob --key`)"
            .to_owned());
    }
    material.only(&["publicKey", "tlogEntries", "timestampVerificationData"])?;
    let key = material.object("publicKey")?;
    key.only(&["hint"])?;
    key.optional_text("hint")?;
    let entries = list(material, "tlogEntries")?.len();
    let Some(_) = material.find("timestampVerificationData") else { return Ok(entries) };
    let stamps = material.object("timestampVerificationData")?;
    stamps.only(&["rfc3161Timestamps"])?;
    Ok(entries + list(&stamps, "rfc3161Timestamps")?.len())
}

fn list<'a>(object: &Object<'a>, key: &str) -> Read<&'a [Value]> {
    let Some(value) = object.find(key) else { return Ok(&[]) };
    value.as_array().map(Vec::as_slice).ok_or_else(|| object.has(key, "that is not a list"))
}

fn envelope(envelope: &Object<'_>) -> Read<(Content, Vec<u8>)> {
    envelope.only(&["payload", "payloadType", "signatures"])?;
    envelope.exactly("payloadType", PAYLOAD_TYPE)?;
    let [signature] = list(envelope, "signatures")? else {
        let there = list(envelope, "signatures")?.len();
        return Err(format!("has {there} signatures, and one is to be there"));
    };
    let signature = Object::of("dsseEnvelope.signatures", signature)?;
    signature.only(&["sig", "keyid"])?;
    signature.optional_text("keyid")?;
    Ok((Content::Envelope(envelope.bytes("payload")?), signature.bytes("sig")?))
}

fn message(message: &Object<'_>) -> Read<(Content, Vec<u8>)> {
    message.only(&["messageDigest", "signature"])?;
    let digest = message.object("messageDigest")?;
    digest.only(&["algorithm", "digest"])?;
    digest.exactly("algorithm", "SHA2_256")?;
    Ok((Content::Message(digest.bytes("digest")?), message.bytes("signature")?))
}
