//! Hooks that a project configures for agents themselves, read so that the user can review them: agents run them without
//! calling hookbox. Nothing in these files is run here, and no link of the project is followed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hookbox::{
    HookSpec, ShippedPlugins,
    agents::{self, ProjectHooks, all_project_hooks},
    hookfile::Severity,
    model::Layer,
};

use crate::{
    closure::{ContentError, HookContent},
    layers,
};

/// Maximum number of files read per folder.
const MOST_FILES: usize = 64;

/// A file with an agent's own hooks.
#[derive(Debug)]
pub struct AgentsFile {
    /// The agent.
    pub agent: &'static str,
    /// How the agent treats these hooks.
    pub facts: &'static ProjectHooks,
    /// The file, relative to the project's folder.
    pub file: PathBuf,
    /// Hooks found in the file.
    pub hooks: AgentHooks,
}

/// Result of reading an agent's hook file.
#[derive(Debug)]
pub enum AgentHooks {
    /// Each hook, with the files of the project that it names, or the reason why these cannot be determined.
    Hooks(Vec<(HookSpec, Result<HookContent, ContentError>)>),
    /// hookbox has no reader for this agent's files, or the file is not text.
    Unread,
    /// The file cannot be read, for this reason.
    Unreadable(String),
}

/// Returns the agents' hook files of the project with this real folder, in the order of the agents. Files without hooks are
/// left out.
pub fn of_project(root: &Path, shipped: &ShippedPlugins) -> Vec<AgentsFile> {
    let mut found = Vec::new();
    for (agent, facts) in all_project_hooks() {
        for file in facts.places.iter().flat_map(|place| files_at(root, place)) {
            let hooks = find_hooks(agent, root, &file, shipped);
            found.extend(hooks.map(|hooks| AgentsFile { agent, facts, file, hooks }));
        }
    }
    found
}

/// Returns the file at a place, or the files in the folder there.
fn files_at(root: &Path, place: &str) -> Vec<PathBuf> {
    if !place.ends_with('/') {
        return vec![place.into()];
    }
    let entries = fs::read_dir(root.join(place)).into_iter().flatten().flatten();
    // A link stays in the list: an agent would follow it, so it is reported as an error and not left out.
    let entries = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_dir())).take(MOST_FILES);
    let mut files: Vec<PathBuf> = entries.map(|entry| Path::new(place).join(entry.file_name())).collect();
    files.sort();
    files
}

/// Reads one file. `None` if the file does not exist or has no hooks.
fn find_hooks(agent: &str, root: &Path, file: &Path, shipped: &ShippedPlugins) -> Option<AgentHooks> {
    let bytes = match layers::read_sidecar((Layer::Project, &root.join(file)), shipped) {
        Ok(bytes) => bytes?,
        Err(problem) => return Some(AgentHooks::Unreadable(problem.message)),
    };
    let Some(own) = agents::find_dialect(agent).and_then(|dialect| dialect.hook_file()) else {
        // Most of a settings file has nothing to do with hooks.
        let speaks_of_hooks = file.to_string_lossy().contains("hook") || contains_word(&bytes, b"hook");
        return (speaks_of_hooks || !is_settings(file)).then_some(AgentHooks::Unread);
    };
    let source = match layers::untrusted_source(root, &root.join(file), shipped).with_bytes(bytes) {
        Ok(source) => source,
        Err(problem) => return Some(AgentHooks::Unreadable(problem.message)),
    };
    let loaded = own.load(&source);
    if loaded.hooks.is_empty() {
        let wrong = loaded.problems.into_iter().find(|problem| problem.severity == Severity::Error);
        return wrong.map(|problem| AgentHooks::Unreadable(problem.message));
    }
    let closure = |hook: HookSpec| {
        let closure = HookContent::from_hook(&hook, "", root);
        (hook, closure)
    };
    Some(AgentHooks::Hooks(loaded.hooks.into_iter().map(closure).collect()))
}

fn is_settings(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("settings"))
}

fn contains_word(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}
