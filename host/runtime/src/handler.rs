//! The kinds of things that a hook calls outside the sandbox. None knows another, nor the chain that calls it.

pub mod shell;
pub mod webhook;
