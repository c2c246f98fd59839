//! Folders by a handle: operations stay in the folder, even if it is renamed or replaced by a link meanwhile. Links in it are not
//! followed.

#[cfg(not(on_unix))]
mod portable;
#[cfg(on_unix)]
mod unix;

#[cfg(not(on_unix))]
pub use self::portable::Folder;
#[cfg(on_unix)]
pub use self::unix::Folder;
