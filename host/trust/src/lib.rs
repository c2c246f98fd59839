//! Who signed a plugin, and whether that counts.
//!
//! | what | where |
//! |---|---|
//! | what is signed of a release: an in-toto statement about the plugin's file | [`statement`] |
//! | a signature, as `ssh-keygen -Y sign` makes it | [`sshsig`] |
//! | whose keys count for what and when: OpenSSH's `allowed_signers` | [`allowed_signers`] |
//! | which keys count no more: OpenSSH's revocation lists | [`krl`] |
//! | whose plugins are taken, and what these may ask for | [`policy`] |
//! | the same of several policies at a time | [`policies`] |
#![cfg_attr(feature = "signatures", doc = "| all of it about one file | [`verify`] |")]
#![cfg_attr(feature = "sigstore-verify", doc = "| the same by a bundle of sigstore | [`sigstore`] |")]
//!
//! Bytes in, a verdict out: no file is opened here, nobody is asked, and the time of day is told by the caller. Whatever cannot be
//! understood is refused: `ssh-keygen` may refuse less, and never more.

pub mod allowed_signers;
pub mod key;
pub mod krl;
mod members;
mod patterns;
pub mod policies;
pub mod policy;
mod refusal;
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
