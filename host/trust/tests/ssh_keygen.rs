//! Comparison of hookbox and OpenSSH: each accepts the signatures of the other, and hookbox accepts none that OpenSSH refuses.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests and their helpers")]
#![expect(clippy::disallowed_methods, reason = "ssh-keygen is a process")]

mod device;
mod differential;
mod interoperability;
mod mutants;
mod openssh;

/// A statement that is good enough for a signature.
const STATEMENT: &[u8] = b"{\"_type\":\"https://in-toto.io/Statement/v1\"}\n";
/// 2026-06-01, at noon.
const NOON: &str = "20260601120000Z";
