//! Folders by a handle: what is done in one stays in it, whoever renames it or puts a link in its place meanwhile. No name in
//! it is followed if it is a link.

#[cfg(not(on_unix))]
mod portable;
#[cfg(on_unix)]
mod unix;

#[cfg(not(on_unix))]
pub use self::portable::Folder;
#[cfg(on_unix)]
pub use self::unix::Folder;
