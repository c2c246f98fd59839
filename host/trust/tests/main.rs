//! Signatures from outside, both ways between hookbox and the programs of others.

#[cfg(feature = "sigstore-verify")]
mod sigstore;
mod ssh_keygen;
