//! Verification of one file: its statement, the signers, and whether they suffice.

use std::time::SystemTime;

use crate::{
    Refusal, RefusalKind,
    allowed_signers::{AllowedSigners, is_among},
    key::PublicKey,
    policy::Publisher,
    revocation_list::Krl,
    signing,
    sshsig::Envelope,
    statement::{Component, Release},
};

/// Most signatures that are checked.
pub const MAX_SIGNATURES: usize = 16;

/// A plugin's file with its statement and signatures.
#[derive(Clone, Copy, Debug)]
pub struct Bundle<'a> {
    /// The file.
    pub component: Component<'a>,
    /// The statement's bytes.
    pub statement: &'a [u8],
    /// The armored signatures.
    pub signatures: &'a [String],
}

/// The user's own data for the verification, independent of the bundle.
#[derive(Clone, Copy, Debug)]
pub struct VerificationData<'a> {
    /// Accepted keys.
    pub signers: &'a AllowedSigners,
    /// Revoked keys.
    pub revoked: &'a [Krl],
    /// The current time. It is never the statement's own time, which a thief of a key could choose.
    pub now: SystemTime,
}

/// Result of checking a bundle whose statement is about its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The statement about the file.
    pub release: Release,
    /// Results of the signatures.
    pub seals: Vec<Seal>,
}

/// Result of one signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    /// The key that the signature names, if it could be parsed.
    pub key: Option<PublicKey>,
    /// Ok if the signature is by that key and over the statement, and the key is not revoked. This alone proves nothing: everyone can
    /// make a key.
    pub genuine: Result<(), Refusal>,
    /// The key's principals: lists of patterns from the allowed signers.
    pub principals: Result<Vec<String>, Refusal>,
}

/// A signer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signer {
    /// Name of the signer: a principal from the policy, or else the patterns of the allowed signers.
    pub principal: String,
    /// The key.
    pub key: PublicKey,
}

/// A verified bundle and its signers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The statement about the file.
    pub release: Release,
    /// The signers, each with another key.
    pub signers: Vec<Signer>,
}

/// Checks a bundle. The error is a statement that is not valid for the file; the results of the signatures are part of the value.
pub fn check_bundle(bundle: Bundle<'_>, known: VerificationData<'_>) -> Result<Checked, Refusal> {
    let release = Release::parse(bundle.statement)?;
    // Before the signatures: a genuine signature over another file proves nothing about this one.
    release.check_component(bundle.component)?;
    // Each verification takes time, and the number is the sender's choice.
    if bundle.signatures.len() > MAX_SIGNATURES {
        let (there, most) = (bundle.signatures.len(), MAX_SIGNATURES);
        let why = format!("the number of signatures is {there}, and the maximum is {most}");
        return Err(Refusal::new(RefusalKind::Signature, why));
    }
    let seals = bundle.signatures.iter().map(|armored| Seal::from_armored(armored, bundle.statement, known));
    Ok(Checked { release, seals: seals.collect() })
}

impl Seal {
    /// Checks one signature over these bytes.
    pub fn from_armored(armored: &str, statement: &[u8], known: VerificationData<'_>) -> Self {
        let envelope = match Envelope::parse(armored) {
            Ok(envelope) => envelope,
            Err(refusal) => {
                return Self { key: None, genuine: Err(refusal.clone()), principals: Err(refusal) };
            }
        };
        let key = envelope.key();
        let genuine = signing::verify_signature(&envelope, statement)
            // Revocation is part of being genuine: a signature of a stolen key must not count by any rule.
            .and_then(|()| check_not_revoked(key, known.revoked));
        let principals = genuine.clone().and_then(|()| known.signers.find_principals(key, known.now));
        Self { key: Some(key.clone()), genuine, principals }
    }

    /// Returns the first of these principals that made the signature.
    pub fn find_signer<'a>(&self, principals: &'a [String]) -> Option<&'a String> {
        let lists = self.principals.as_ref().ok()?;
        principals.iter().find(|principal| lists.iter().any(|list| is_among(principal, list)))
    }
}

/// Checks that the key is in none of the lists.
pub fn check_not_revoked(key: &PublicKey, revoked: &[Krl]) -> Result<(), Refusal> {
    if !revoked.iter().any(|krl| krl.revokes_key(key)) {
        return Ok(());
    }
    let why = format!("the key {} ({}) is revoked", key.fingerprint(), key.kind());
    Err(Refusal::new(RefusalKind::Revoked, why))
}

impl Checked {
    /// Requires a signature of any allowed signer.
    pub fn by_somebody(self) -> Result<Verified, Refusal> {
        let principal = |seal: &Seal| Some(seal.principals.as_ref().ok()?.first()?.clone());
        let signers = self.collect_signers(principal);
        self.require_threshold(signers, 1)
    }

    /// Requires signatures of these principals with `threshold` different keys.
    pub fn require_principals(self, principals: &[String], threshold: usize) -> Result<Verified, Refusal> {
        let signers = self.collect_signers(|seal| seal.find_signer(principals).cloned());
        self.require_threshold(signers, threshold)
    }

    /// Requires the signatures that the policy demands of this publisher.
    pub fn by_publisher(self, publisher: &Publisher) -> Result<Verified, Refusal> {
        self.require_principals(publisher.principals(), publisher.threshold())
    }

    /// Returns the signers, one per key. One key that is written in two ways counts once.
    fn collect_signers(&self, principal: impl Fn(&Seal) -> Option<String>) -> Vec<Signer> {
        let mut signers: Vec<Signer> = Vec::new();
        for seal in &self.seals {
            let (Some(key), Some(principal)) = (&seal.key, principal(seal)) else { continue };
            // The same private key could otherwise be written as two kinds, and reach a threshold of two.
            if signers.iter().all(|signer| signer.key.point() != key.point()) {
                signers.push(Signer { principal, key: key.clone() });
            }
        }
        signers
    }

    fn require_threshold(self, signers: Vec<Signer>, threshold: usize) -> Result<Verified, Refusal> {
        // A threshold of 0 must not accept an unsigned file.
        if signers.len() >= threshold.max(1) {
            return Ok(Verified { release: self.release, signers });
        }
        Err(self.make_threshold_error(signers.len(), threshold.max(1)))
    }

    /// Returns the reason for too few signers: the error of the signature, if there is only one.
    fn make_threshold_error(&self, found: usize, wanted: usize) -> Refusal {
        let first = self.seals.iter().find_map(|seal| seal.principals.as_ref().err());
        match (self.seals.as_slice(), first) {
            ([], _) => Refusal::new(RefusalKind::Signature, "it is not signed"),
            ([_], Some(refusal)) if wanted == 1 => refusal.clone(),
            (_, Some(refusal)) => {
                let why = format!("{found} of {wanted} required trusted keys signed: {refusal}");
                Refusal::new(RefusalKind::Threshold, why)
            }
            (_, None) if found == 0 => {
                Refusal::new(RefusalKind::Signer, "it is signed, but not by an allowed signer")
            }
            (_, None) => {
                let why = format!("{found} of {wanted} required trusted keys signed");
                Refusal::new(RefusalKind::Threshold, why)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use hookbox_core::digest::Sha256Digest;
    use hookbox_model::Manifest;

    use super::*;

    #[test]
    fn more_signatures_than_are_looked_at_are_refused() {
        let text = r#"{"schema":1,"name":"acme/guard","version":"1.0.0"}"#;
        let (manifest, digest) =
            (Manifest::parse(text.as_bytes()).unwrap(), Sha256Digest::of_content(b"component"));
        let component = Component { digest: &digest, manifest: &manifest, manifest_bytes: text.as_bytes() };
        let statement =
            Release::of_component(component, "stable", SystemTime::UNIX_EPOCH, None).to_statement();
        let known = VerificationData {
            signers: &AllowedSigners::default(),
            revoked: &[],
            now: SystemTime::UNIX_EPOCH,
        };
        for (count, is_taken) in [(MAX_SIGNATURES, true), (MAX_SIGNATURES + 1, false)] {
            let signatures = vec![String::new(); count];
            let bundle = Bundle { component, statement: statement.as_bytes(), signatures: &signatures };
            assert_eq!(check_bundle(bundle, known).is_ok(), is_taken, "{count}");
        }
    }
}
