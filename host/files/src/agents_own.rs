//! The hooks that a project brings for agents themselves, looked at for a person: hookbox is not asked about them. Nothing of them is
//! run, and no link of the project is followed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hookbox::{
    HookSpec, ShippedPlugins,
    dialect::{self, ProjectHooks, all_project_hooks},
    hookfile::Severity,
    model::Layer,
};

use crate::{closure::Closure, layers};

/// Most files of one folder that are looked at.
const MOST_FILES: usize = 64;

/// A file with such hooks.
#[derive(Debug)]
pub struct AgentsFile {
    /// The agent.
    pub agent: &'static str,
    /// What it does with them.
    pub facts: &'static ProjectHooks,
    /// The file, from the project's folder.
    pub file: PathBuf,
    /// What stands in it.
    pub hooks: Found,
}

/// What is known of the hooks in such a file.
#[derive(Debug)]
pub enum Found {
    /// Each, with the files of the project that it names; or why these cannot be said.
    Hooks(Vec<(HookSpec, Result<Closure, String>)>),
    /// hookbox does not read this agent's files, or it is not text.
    Unread,
    /// It cannot be read, for this reason.
    Wrong(String),
}

/// Those of the project with this real folder, in the order of the agents. A file without hooks is none of them.
pub fn of_project(root: &Path, shipped: &ShippedPlugins) -> Vec<AgentsFile> {
    let mut found = Vec::new();
    for (agent, facts) in all_project_hooks() {
        for file in facts.places.iter().flat_map(|place| files_at(root, place)) {
            let hooks = look(agent, root, &file, shipped);
            found.extend(hooks.map(|hooks| AgentsFile { agent, facts, file, hooks }));
        }
    }
    found
}

/// The file at a place, or the files in the folder there.
fn files_at(root: &Path, place: &str) -> Vec<PathBuf> {
    if !place.ends_with('/') {
        return vec![place.into()];
    }
    let entries = fs::read_dir(root.join(place)).into_iter().flatten().flatten();
    let entries = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_dir())).take(MOST_FILES);
    let mut files: Vec<PathBuf> = entries.map(|entry| Path::new(place).join(entry.file_name())).collect();
    files.sort();
    files
}

/// Nothing if there is no file, or none with hooks.
fn look(agent: &str, root: &Path, file: &Path, shipped: &ShippedPlugins) -> Option<Found> {
    let bytes = match layers::beside((Layer::Project, &root.join(file)), shipped) {
        Ok(bytes) => bytes?,
        Err(problem) => return Some(Found::Wrong(problem.message)),
    };
    let Some(own) = dialect::named(agent).and_then(|dialect| dialect.own_hooks()) else {
        // Settings say much that is none of a hook's.
        let speaks_of_hooks = file.to_string_lossy().contains("hook") || contains(&bytes, b"hook");
        return (speaks_of_hooks || !is_settings(file)).then_some(Found::Unread);
    };
    let source = match layers::strangers_source(root, &root.join(file), shipped).with_bytes(bytes) {
        Ok(source) => source,
        Err(problem) => return Some(Found::Wrong(problem.message)),
    };
    let loaded = own.load(&source);
    if loaded.hooks.is_empty() {
        let wrong = loaded.problems.into_iter().find(|problem| problem.severity == Severity::Error);
        return wrong.map(|problem| Found::Wrong(problem.message));
    }
    let closure = |hook: HookSpec| {
        let closure = Closure::of(&hook, "", root);
        (hook, closure)
    };
    Some(Found::Hooks(loaded.hooks.into_iter().map(closure).collect()))
}

fn is_settings(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("settings"))
}

fn contains(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}
