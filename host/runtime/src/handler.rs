//! Handlers outside the sandbox. They depend neither on each other nor on the chain that calls them.

#[cfg(feature = "shell")]
pub mod python;
#[cfg(feature = "shell")]
pub mod shell;
mod shell_spec;
#[cfg(feature = "webhook")]
pub mod webhook;

pub use self::shell_spec::ShellSpecError;
pub(crate) use self::shell_spec::check as check_shell;
