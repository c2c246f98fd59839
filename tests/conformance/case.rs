//! One case: a folder.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hookbox::{
    dialect::{Arrival, Dialect},
    model::{EventName, Json},
};
use serde::Deserialize;

/// One case.
pub(crate) struct Case {
    pub(crate) dialect: String,
    /// The name of its folder.
    pub(crate) name: String,
    pub(crate) file: CaseFile,
    pub(crate) folder: PathBuf,
}

/// `case.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseFile {
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
    pub(crate) fn all() -> Vec<Self> {
        Self::folders().iter().map(|folder| Self::read(folder)).collect()
    }

    /// The folders of all cases.
    pub(crate) fn folders() -> Vec<PathBuf> {
        let dialects = folders(&root().join("tests/conformance/cases"));
        dialects.iter().flat_map(|dialect| folders(dialect)).collect()
    }

    /// `dialect/case`.
    pub(crate) fn name_of(folder: &Path) -> String {
        format!("{}/{}", name(folder.parent().unwrap()), name(folder))
    }

    pub(crate) fn read(folder: &Path) -> Self {
        let path = folder.join("case.toml");
        let text = fs::read_to_string(&path).unwrap();
        let file = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self { dialect: name(folder.parent().unwrap()), name: name(folder), file, folder: folder.to_owned() }
    }

    /// The agent's name for the event, and ours; `None` if it is not acceptable, as the case may be about that.
    pub(crate) fn event(&self, dialect: &dyn Dialect) -> Option<(String, EventName)> {
        let text = self.text("event.json").unwrap();
        let event = dialect.read(Json::parse_object(&text).ok()?, &Arrival::default()).ok()?;
        Some((event.agent_event, event.name))
    }

    /// Names and values of the variables that the agent has.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        self.file.variables.lines().map(|line| line.split_once('=').unwrap())
    }

    /// A file of the case; `None` if it has none of this name.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.folder.join(name)).ok()
    }
}

/// Are the answers to be written anew?
pub(crate) fn blessing() -> bool {
    std::env::var_os("HOOKBOX_BLESS").is_some()
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn any_server() -> String {
    "[SERVER]".to_owned()
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<_> = fs::read_dir(of).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

fn name(folder: &Path) -> String {
    folder.file_name().unwrap().to_str().unwrap().to_owned()
}
