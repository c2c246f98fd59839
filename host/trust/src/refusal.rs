//! Refusals of the verification.

use std::fmt;

/// Kind of a refusal, for callers that decide by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalKind {
    /// The statement is malformed.
    Statement,
    /// The statement is about another file, or differs from its manifest.
    Mismatch,
    /// A signature is malformed, or not over this statement.
    Signature,
    /// A key is of an unsupported kind.
    Key,
    /// The key is in a revocation list.
    Revoked,
    /// The signer's key is not valid for plugins, or not at this time, or not one that may sign this file.
    Signer,
    /// The key belongs to no known signer.
    UnknownSigner,
    /// Fewer keys have signed than the policy requires.
    Threshold,
    /// A file of the user's own cannot be understood: signers, revocations, policy.
    File,
}

/// Reason of a refusal: a sentence with the failure and the affected thing, without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Its kind.
    pub kind: RefusalKind,
    why: String,
}

impl Refusal {
    pub(crate) fn new(kind: RefusalKind, why: impl Into<String>) -> Self {
        Self { kind, why: why.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Refusal {}
