//! The kinds of things that a hook calls outside the sandbox. None knows another, nor the chain that calls it.

#[cfg(feature = "shell")]
pub mod python;
#[cfg(feature = "shell")]
pub mod shell;
mod shell_spec;
#[cfg(feature = "webhook")]
pub mod webhook;

pub use self::shell_spec::ShellSpecError;
pub(crate) use self::shell_spec::check as check_shell;
