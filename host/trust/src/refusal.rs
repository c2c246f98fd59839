//! Why something is not taken.

use std::fmt;

/// What is wrong, for who decides by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalKind {
    /// The statement is not what it has to be.
    Statement,
    /// The statement is about another file, or says of it what its manifest does not.
    Mismatch,
    /// A signature is not what it has to be, or not over this statement.
    Signature,
    /// A key is of a kind that is not taken.
    Key,
    /// The key is in a revocation list.
    Revoked,
    /// Somebody is known to have the key, and not for plugins, or not today.
    Signer,
    /// Nobody is known to have the key.
    UnknownSigner,
    /// Fewer keys have signed than the policy asks for.
    Threshold,
    /// A file of the user's own cannot be understood: signers, revocations, policy.
    File,
}

/// Why something is not taken: a sentence that says what happened to which thing, without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
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
