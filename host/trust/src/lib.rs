//! Verification of plugin signatures and their signers.
//!
//! | task | module |
//! |---|---|
//! | signed statement of a release: an in-toto statement about the plugin's file | [`statement`] |
//! | signatures in the format of `ssh-keygen -Y sign` | [`sshsig`] |
//! | keys of signers, with purpose and time: OpenSSH's `allowed_signers` | [`allowed_signers`] |
//! | revoked keys: OpenSSH's revocation lists | [`revocation_list`] |
//! | accepted publishers, and the most that their plugins may request | [`policy`] |
//! | several policies together | [`policies`] |
#![cfg_attr(feature = "signatures", doc = "| all of it about one file | [`verify`] |")]
#![cfg_attr(feature = "sigstore-verify", doc = "| the same by a bundle of sigstore | [`sigstore`] |")]
//!
//! The input is bytes, the output a verdict: this crate opens no file, asks no user, and the caller passes the time of day. Input that
//! cannot be understood is refused: `ssh-keygen` may refuse less, and never more.

pub mod allowed_signers;
pub mod key;
mod members;
mod patterns;
pub mod policies;
pub mod policy;
#[cfg(feature = "signatures")]
mod private_key;
pub mod public_key_file;
mod refusal;
pub mod revocation_list;
#[cfg(feature = "signatures")]
pub mod signing;
#[cfg(feature = "sigstore-verify")]
pub mod sigstore;
pub mod sshsig;
pub mod statement;
mod times;
#[cfg(feature = "signatures")]
pub mod verify;
mod wire;

pub use self::refusal::{Refusal, RefusalKind};
