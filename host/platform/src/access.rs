//! Write access of other users to files and folders.

#[cfg(not(on_unix))]
mod portable;
#[cfg(on_unix)]
mod unix;

#[cfg(not(on_unix))]
pub use self::portable::{is_trusted_folder, other_writer};
#[cfg(on_unix)]
pub use self::unix::{is_trusted_folder, other_writer};
