//! Handlers outside the sandbox, and the files that handlers run. They depend neither on each other nor on the chain that calls them.

mod program_files;
#[cfg(feature = "shell")]
pub mod python;
#[cfg(feature = "shell")]
pub mod shell;
mod shell_spec;
#[cfg(feature = "webhook")]
pub mod webhook;

pub(crate) use self::program_files::program_files;
pub use self::shell_spec::ShellSpecError;
pub(crate) use self::shell_spec::check_shell;
