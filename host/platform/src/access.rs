//! Who beside this user and the system may change what is on the disk.

#[cfg(not(on_unix))]
mod portable;
#[cfg(on_unix)]
mod unix;

#[cfg(not(on_unix))]
pub use self::portable::{is_trusted_folder, other_writer};
#[cfg(on_unix)]
pub use self::unix::{is_trusted_folder, other_writer};
