//! The program that agents start, and others who could change it: they would control its answers to the agent.

use std::{
    env,
    error::Error,
    ffi::OsStr,
    fmt, fs,
    path::{Path, PathBuf},
};

use hookbox::agents::settings;
use hookbox_platform::access::other_writer;

use crate::{install_layouts, places::Places, search_path::SearchPath};

const NAME: &str = "hookbox";
const COMPILER: &str = "hookbox-compile";
/// Folders that are emptied; anybody may then put another program in the old one's place.
const TEMPORARY: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];

/// Reason why agents should not start a file. Its text includes advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExposedProgram {
    /// The file.
    pub file: PathBuf,
    /// How others than the user can change it.
    pub how: Exposure,
}

/// Way in which others than the user can change a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// The file is below this folder for temporary files.
    Temporary(&'static str),
    /// Another account could write to it, or to a folder above it: a sentence with the account and the place.
    Writable(String),
    /// The file is in a project: in this folder.
    Project(PathBuf),
    /// The file is in the project whose agent would start it.
    SameProject,
}

impl fmt::Display for ExposedProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = self.file.parent().unwrap_or(&self.file).display().to_string();
        let [program, compiler] =
            [NAME, COMPILER].map(|name| settings::quoted_word(&format!("{folder}/{name}")));
        write!(
            f,
            "{} is not safe as the program of an agent's hooks: {}. Put the programs into a folder that only you can write to, with \
             `install -D -t ~/.local/bin {program} {compiler}`, and run `~/.local/bin/hookbox setup`",
            self.file.display(),
            self.how
        )
    }
}

impl fmt::Display for Exposure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Temporary(folder) => {
                write!(f, "{folder} is emptied at times, and then any user may put a file there")
            }
            Self::Writable(who) => f.write_str(who),
            Self::Project(root) => write!(f, "users who work in {} could change it", root.display()),
            Self::SameProject => f.write_str("it is in the project whose agent would call it"),
        }
    }
}

impl Error for ExposedProgram {}

/// Returns the path for an entry: a path that leads to the running `program` and survives an upgrade, else the program itself. The
/// places of package managers come first, then the links in `path`, the variable `PATH`. A path that is less safe than the
/// program is not used.
pub fn find_entry_path(program: PathBuf, path: &OsStr, places: &Places) -> PathBuf {
    let stable = install_layouts::list_stable_paths(&program, places);
    let links = env::split_paths(path).filter_map(|folder| Some(fs::canonicalize(folder).ok()?.join(NAME)));
    let is_program = |link: &Path| fs::canonicalize(link).is_ok_and(|real| real == program);
    let found = stable
        .into_iter()
        .chain(links)
        .find(|link| is_program(link.as_path()) && find_exposure(link, places).is_none());
    found.unwrap_or(program)
}

/// Reports why agents should not start this file; `None` if only the user could change it, by its place and the modes above it.
/// A folder that the user has declared private is not checked, nor is any folder above it.
pub fn find_exposure(file: &Path, places: &Places) -> Option<ExposedProgram> {
    let private = places.private().filter(|private| file.starts_with(private));
    let temporary = TEMPORARY.into_iter().find(|folder| file.starts_with(folder));
    let mut checked = file.ancestors().take_while(|place| Some(*place) != private);
    let how = match temporary.filter(|_| private.is_none()) {
        Some(folder) => Exposure::Temporary(folder),
        None => Exposure::Writable(checked.find_map(other_writer)?),
    };
    Some(ExposedProgram { file: file.to_owned(), how })
}

/// Reports that a file is in a project, where anybody who works there could change it; `None` otherwise.
pub fn in_project(file: &Path, places: &Places) -> Option<ExposedProgram> {
    let project = SearchPath::new(places, Path::new("/")).project_around(file)?;
    Some(ExposedProgram { file: file.to_owned(), how: Exposure::Project(project) })
}

#[cfg(test)]
mod tests {
    use std::{
        fs::{self, Permissions},
        os::unix::fs::PermissionsExt as _,
    };

    use super::{TEMPORARY, find_exposure};
    use crate::places::{NamedPlaces, Places};

    #[test]
    fn a_private_folder_excuses_itself_and_those_above_and_nothing_below() {
        let usual = Places::of_account(&NamedPlaces::default());
        // Tests run in any temporary folder; below this one, a program is refused for its place.
        let temporary = tempfile::Builder::new().prefix("hookbox-private-").tempdir_in(TEMPORARY[0]).unwrap();
        let (private, bin) = (temporary.path().join("private"), temporary.path().join("private/bin"));
        fs::create_dir_all(&bin).unwrap();
        let set = |place, mode| fs::set_permissions(place, Permissions::from_mode(mode)).unwrap();
        let program = bin.join("hookbox");
        fs::write(&program, "").unwrap();
        set(&private, 0o777);
        set(&bin, 0o755);
        set(&program, 0o755);
        let assuming = |folder: &str| usual.clone().assuming_private(Some(temporary.path().join(folder)));
        assert!(find_exposure(&program, &usual).is_some());
        assert!(find_exposure(&program, &assuming("other")).is_some());
        assert_eq!(find_exposure(&program, &assuming("private")), None);
        assert!(find_exposure(&private.with_file_name("private-too"), &assuming("private")).is_some());
        set(&bin, 0o777);
        let message = find_exposure(&program, &assuming("private")).unwrap().to_string();
        assert!(
            message.contains("others may write to ") && message.contains("private/bin (its mode is 777"),
            "{message}"
        );
        assert_eq!(assuming("private").arguments(), usual.arguments(), "no entry names it");
    }
}
