//! The program that agents are to start, and who else could change it: whoever can decides what an agent is told.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use hookbox_platform::access::other_writer;

use crate::{environment, places::Places, search_path::SearchPath};

/// The program's name.
const NAME: &str = "hookbox";
/// Folders that are emptied; whoever comes first may then put another program in the old one's place.
const TEMPORARY: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];

/// The file that an entry is to name: this program, by the link through which `PATH` leads to it if that is as safe, since
/// package managers keep the link and move the file.
pub(crate) fn named() -> Option<PathBuf> {
    let program = environment::program()?;
    let path = environment::variable("PATH").unwrap_or_default();
    let links = env::split_paths(&path).filter_map(|folder| Some(fs::canonicalize(folder).ok()?.join(NAME)));
    let mut links = links.filter(|link| fs::canonicalize(link).is_ok_and(|real| real == program));
    Some(links.find(|link| refusal(link).is_none()).unwrap_or(program))
}

/// Why agents should not start this file, and what to do about it; `None` if nobody else could change it.
pub(crate) fn refusal(file: &Path) -> Option<String> {
    if let Some(folder) = TEMPORARY.iter().find(|folder| file.starts_with(folder)) {
        return Some(advised(
            file,
            &format!("{folder} is emptied at times, and then anybody may put a file there"),
        ));
    }
    file.ancestors().find_map(|place| other_writer(place).map(|who| advised(file, &who)))
}

/// The project that a file is in: whoever works there could change it.
pub(crate) fn project_around(file: &Path, places: &Places) -> Option<PathBuf> {
    SearchPath::new(places, Path::new("/")).project_around(file)
}

/// What to do instead.
pub(crate) fn advised(file: &Path, why: &str) -> String {
    format!(
        "{} should not be what an agent asks: {why}. Put hookbox and hookbox-compile into a folder that is yours alone, such \
         as ~/.local/bin, and run `hookbox install` from there",
        file.display()
    )
}
