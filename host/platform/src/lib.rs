//! hookbox's interface to the operating system.
//!
//! Callers name no platform. Each module documents its functions; where a platform lacks something, the answer is [`Unsupported`],
//! `None`, or a capability that is false. Missing safety is never silent.
//!
//! There are up to three implementations of a function: Linux's (`on_linux`), that of any Unix (`on_unix`), and a portable one.
//! `HOOKBOX_PLATFORM=portable` chooses the last one for a build, and `any-unix` the second, so that they are compiled and tested on Linux
//! too.

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
