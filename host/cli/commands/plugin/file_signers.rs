//! The signers of an inspected file. `hookbox-bundle` verifies the signatures next to the file, as for `plugin verify`.

use std::path::Path;

use hookbox_app::places::Places;
use hookbox_trust::allowed_signers::AllowedSigners;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{added_plugins::read_signers, companions, fetch::is_signed};
use crate::environment;

/// Result of verifying the signatures next to a file.
pub(super) enum FileSigners {
    /// A statement is missing.
    Unsigned,
    /// A statement is missing, and the file is shipped with this hookbox.
    Shipped,
    /// The signatures cannot be verified, for this reason.
    Unverified(String),
    Verified(SignatureReport),
}

/// The report of `hookbox-bundle verify --json`, without the members that are not used here.
#[derive(Deserialize)]
pub(super) struct SignatureReport {
    sha256: String,
    signatures: Vec<Signature>,
    verified: bool,
    why: Option<String>,
}

#[derive(Deserialize)]
struct Signature {
    /// Fingerprint of the key, if it can be read.
    key: Option<String>,
    /// Names of the key in the user's and the administrator's `allowed_signers`.
    principals: Vec<String>,
    /// True if the signature is by that key and over the statement.
    verified: bool,
    why: Option<String>,
    /// True if `allowed_signers` does not have the key.
    #[serde(skip)]
    is_unknown: bool,
}

impl FileSigners {
    /// Verifies the signatures next to the file with this digest.
    pub(super) fn of_file(file: &Path, sha256: &str, places: &Places) -> Self {
        if is_signed(file) {
            return SignatureReport::read_report(file, sha256, &read_signers(places).0)
                .map_or_else(Self::Unverified, Self::Verified);
        }
        let is_shipped = environment::shipped_plugins().iter().any(|plugin| plugin.sha256.as_str() == sha256);
        if is_shipped { Self::Shipped } else { Self::Unsigned }
    }

    /// Returns true if a known signer has signed the file, and with it its manifest, and the user's policy accepts that.
    pub(super) fn is_accepted(&self) -> bool {
        matches!(self, Self::Verified(report) if report.verified)
    }

    /// Describes the signers, a line each.
    pub(super) fn describe(&self) -> Vec<String> {
        match self {
            Self::Unsigned => vec!["not signed".to_owned()],
            Self::Shipped => vec!["not signed: it comes with this hookbox, which has its SHA-256".to_owned()],
            Self::Unverified(why) => vec![format!("not verified: {why}")],
            Self::Verified(report) => report.describe(),
        }
    }

    /// Returns the result for programs; `null` for an unsigned file.
    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::Unsigned | Self::Shipped => Value::Null,
            Self::Unverified(why) => json!({ "verified": false, "why": why, "signatures": [] }),
            Self::Verified(SignatureReport { signatures, verified, why, .. }) => {
                let signatures: Vec<_> = signatures.iter().map(Signature::to_json).collect();
                json!({ "verified": verified, "why": why, "signatures": signatures })
            }
        }
    }
}

impl SignatureReport {
    fn read_report(file: &Path, sha256: &str, known: &AllowedSigners) -> Result<Self, String> {
        let report = companions::verify_signatures(file)?;
        let mut report: Self = serde_json::from_str(&report)
            .map_err(|error| format!("hookbox-bundle is of another version than hookbox: {error}"))?;
        // The file was read twice, and the signatures must be those of the inspected bytes.
        if report.sha256 != sha256 {
            return Err("the file is being written; try again when that is done".to_owned());
        }
        for signature in &mut report.signatures {
            let key = signature.key.as_ref();
            signature.is_unknown = key.is_some_and(|key| known.names_of(key).is_empty());
        }
        Ok(report)
    }

    fn describe(&self) -> Vec<String> {
        let mut lines: Vec<_> = self.signatures.iter().map(Signature::describe).collect();
        // Otherwise the reason is that of a signature.
        let is_by_policy = self.signatures.is_empty() || self.signatures.iter().any(Signature::has_signer);
        if let Some(why) = self.why.as_ref().filter(|_| is_by_policy) {
            lines.push(format!("not accepted: {why}"));
        }
        lines
    }
}

impl Signature {
    fn has_signer(&self) -> bool {
        self.verified && !self.principals.is_empty()
    }

    fn describe(&self) -> String {
        let why = self.why.as_deref().unwrap_or("the reason is unknown");
        match &self.key {
            Some(key) if self.has_signer() => format!("{}, {key}", self.principals.join(", ")),
            Some(key) if self.verified && self.is_unknown => format!(
                "by an unknown key {key}; `hookbox plugin signer add KEY.pub --as NAME` accepts the key of a publisher"
            ),
            Some(key) => format!("not accepted from the key {key}: {why}"),
            None => format!("not accepted: {why}"),
        }
    }

    fn to_json(&self) -> Value {
        let Self { key, principals, verified, why, .. } = self;
        json!({ "key": key, "principals": principals, "genuine": verified, "why": why })
    }
}
