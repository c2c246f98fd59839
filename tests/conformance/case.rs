//! One case: an archive of its files.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hookbox::{
    agents::{Dialect, ReadContext},
    model::{EventName, Json},
};
use serde::Deserialize;

use crate::case_archive;

/// One case.
pub(crate) struct Case {
    pub(crate) dialect: String,
    pub(crate) name: String,
    pub(crate) file: CaseToml,
    /// Where its files are unpacked, for its hooks to read.
    pub(crate) folder: PathBuf,
    pub(crate) archive: PathBuf,
    /// Are there no hooks in its hook file?
    pub(crate) is_emptied: bool,
}

/// `case.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseToml {
    /// The sentence of the contract that the case proves.
    pub(crate) rule: String,
    /// The agent's own hook file.
    pub(crate) source: Option<String>,
    #[serde(default)]
    pub(crate) exit: i32,
    /// What the agent reads on standard error, if the answer is there.
    pub(crate) stderr: Option<String>,
    /// The address in the hook file that the case's own server stands for.
    #[serde(default = "any_server")]
    pub(crate) server: String,
    /// Variables that the agent has: `NAME=value`, a line each.
    #[serde(default)]
    variables: String,
    /// The hooks that must have been called, in their order, where nothing else of the case shows it.
    pub(crate) called: Option<Vec<String>>,
    /// Why it is the same without any hook, if it is: what it shows is that none runs.
    pub(crate) without_hooks: Option<String>,
    #[serde(default)]
    pub(crate) import: Import,
}

/// What `hookbox import` makes of the agent's own hook file.
#[derive(Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Import {
    /// Hooks that decide the same.
    #[default]
    Same,
    /// Hooks that decide otherwise, and why: a difference that `import` tells.
    Otherwise(String),
    /// Not all of it: hookbox's configuration has no words for some of the file, which `import` tells.
    LosesSomething,
}

impl Case {
    /// All cases, by dialect and name.
    pub(crate) fn read_all() -> Vec<Self> {
        case_archive::list_archives(&manifest_folder().join("tests/conformance/cases"))
            .unwrap()
            .iter()
            .map(|archive| Self::read_archive(archive))
            .collect()
    }

    /// The cases of one dialect, by name; the one that the variable `HOOKBOX_CASE` names if it is set.
    pub(crate) fn of_dialect(folder: &Path) -> Vec<Self> {
        let one = std::env::var("HOOKBOX_CASE").ok();
        let cases =
            case_archive::of_dialect(folder).unwrap().into_iter().map(|archive| Self::read_archive(&archive));
        cases.filter(|case| one.as_ref().is_none_or(|one| *one == case.title())).collect()
    }

    /// `dialect/case`.
    pub(crate) fn title(&self) -> String {
        format!("{}/{}", self.dialect, self.name)
    }

    fn read_archive(archive: &Path) -> Self {
        let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
        let (dialect, name) = (name(archive.parent().unwrap()), name(archive));
        let text = case_archive::read_file(archive, "case.toml").unwrap().unwrap();
        let file = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", archive.display()));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance").join(&dialect).join(&name);
        Self { dialect, name, file, folder, archive: archive.to_owned(), is_emptied: false }
    }

    /// The same case without its hooks, in a folder of its own.
    pub(crate) fn emptied(self) -> Self {
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("emptied").join(&self.dialect).join(&self.name);
        Self { folder, is_emptied: true, ..self }
    }

    /// Writes the files of the case into its folder.
    pub(crate) fn unpack(&self) {
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder).unwrap();
        }
        case_archive::unpack_case(&self.archive, &self.folder).unwrap();
    }

    /// The agent's name for the event, and ours; `None` if it is not acceptable, as the case may be about that.
    pub(crate) fn read_event(&self, dialect: &dyn Dialect) -> Option<(String, EventName)> {
        let text = self.read_text("event.json").unwrap();
        let event = dialect.read(Json::parse_object(&text).ok()?, &ReadContext::default()).ok()?;
        Some((event.agent_event, event.name))
    }

    /// Names and values of the variables that the agent has.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        self.file.variables.lines().map(|line| line.split_once('=').unwrap())
    }

    /// A file of the case; `None` if it has none of this name.
    pub(crate) fn read_text(&self, name: &str) -> Option<String> {
        case_archive::read_file(&self.archive, name).unwrap()
    }
}

/// Are the answers to be written anew?
pub(crate) fn is_blessing() -> bool {
    std::env::var_os("HOOKBOX_BLESS").is_some()
}

pub(crate) fn manifest_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn any_server() -> String {
    "[SERVER]".to_owned()
}
