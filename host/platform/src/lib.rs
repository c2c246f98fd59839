//! What hookbox needs of the operating system, and of no other kind.
//!
//! Whoever calls this names no platform. Each module says what it gives; where a platform lacks something, the answer is
//! [`Unsupported`], `None`, or a capability that says no. It is never silence where somebody's safety depends on it.
//!
//! There are up to three implementations of a thing: Linux's (`on_linux`), that of any Unix (`on_unix`), and what holds
//! everywhere. `HOOKBOX_PLATFORM=portable` chooses the last one for a build, and `any-unix` the second, so that they
//! are compiled and tested on Linux too.

pub mod access;
pub mod account;
pub mod confinement;
pub mod file;
pub mod folder;
pub mod process;
pub mod real_path;
pub mod signals;
pub mod socket;
pub mod stream;
mod unsupported;

pub use unsupported::Unsupported;
