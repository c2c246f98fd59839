//! Folders that are this user's alone.

use std::{io, path::Path};

use hookbox_platform::{file::make_private_folders, folder::Folder};

/// Opens the folder, and creates it (mode 0700) if it does not exist. Refuses one that others could write to or read,
/// and returns the reason.
pub(super) fn open(path: &Path) -> Result<Folder, String> {
    // Without following a link in the place of the folder: a link could lead native code or entries
    // elsewhere.
    let opened = match Folder::open_itself(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make_private_folders(path).map_err(|error| format!("it cannot be made: {error}"))?;
            Folder::open_itself(path)
        }
        opened => opened,
    };
    let folder = opened.map_err(|error| error.to_string())?;
    let status = folder.status().map_err(|error| error.to_string())?;
    status.check_private().map_err(|error| error.to_string())?;
    Ok(folder)
}
