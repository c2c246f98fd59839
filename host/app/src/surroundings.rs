//! Sources of the hooks of a folder: values of the program, and files.

use std::path::{Path, PathBuf};

use hookbox::{Machine, ShippedPlugins, agents::Dialect, hook::WasmSpec, sandbox::compile::Compiler};

use crate::{
    bundle::{BundleEvent, HOOKS},
    places::Places,
    trust_files, trusted_hooks,
};

/// Values that the program provides and no file contains.
#[derive(Clone)]
pub struct Surroundings {
    /// The user's folders.
    pub places: Places,
    /// The plugins that were installed with the program.
    pub shipped: ShippedPlugins,
    /// The file of the program `hookbox`, which confines commands where a hook requires it; without it the user is asked
    /// instead.
    pub program: Option<PathBuf>,
    /// The compiler of plugins.
    pub compiler: Compiler,
    /// The variables that the agent passed. A hook's configuration names those that it receives; variables that a project could
    /// have set to mislead a user's hook are determined from the disk instead.
    pub variables: Vec<(String, String)>,
    /// Folders in which the session was started, as the event names them ([`Dialect::session_folders`]).
    pub session_folders: Vec<PathBuf>,
}

/// Suffix of the variables in which agents name the project that a session was started in (`CLAUDE_PROJECT_DIR`).
const OF_PROJECT: &str = "_PROJECT_DIR";
/// Maximum number of these folders that are used.
const MOST_PROJECTS: usize = 8;

impl Surroundings {
    /// Returns a machine for facts about command lines, without hooks.
    pub fn build_facts_machine(&self) -> Machine {
        let builder = Machine::builder().compiler(self.compiler.clone());
        let builder = self.places.cache().iter().fold(builder, |builder, cache| builder.cache(cache));
        let plugin = WasmSpec::find_facts_plugin(&self.shipped);
        plugin.into_iter().fold(builder, hookbox::MachineBuilder::facts_plugin).build()
    }

    /// Returns the projects in which the session was started, if the agent names them.
    pub(crate) fn started_in(&self) -> Vec<PathBuf> {
        let named = self.variables.iter().filter(|(name, _)| name.ends_with(OF_PROJECT));
        let named = named.map(|(_, folder)| PathBuf::from(folder));
        let folders = named.chain(self.session_folders.iter().cloned()).filter(|folder| folder.is_absolute());
        folders.take(MOST_PROJECTS).collect()
    }
}

/// Source of hooks. A relative path is resolved from the working folder of this process.
#[derive(Clone, Copy)]
pub enum HookFiles<'a> {
    /// hookbox's own configuration, in its layers.
    Layers {
        /// The folder in which the event happens; its project is found from there.
        folder: &'a Path,
        /// One more file, for this session only.
        session: Option<&'a Path>,
    },
    /// The administrator's file, and one file of hookbox's configuration if it is named: neither the user's nor a project's.
    Alone {
        /// The folder in which the event happens.
        folder: &'a Path,
        /// The file.
        file: Option<&'a Path>,
    },
    /// The plugins of a folder that `hookbox export` made, and nothing else.
    Bundle {
        /// The folder in which the event happens.
        folder: &'a Path,
        /// The plugin's event.
        of: BundleEvent<'a>,
    },
    /// Hook files of an agent's own, in this order, and nothing else.
    Own {
        /// The agent.
        dialect: &'a dyn Dialect,
        /// Its files.
        files: &'a [PathBuf],
    },
    /// hookbox's own configuration, in its layers, and hook files of an agent's own, in one chain.
    Joined {
        /// The folder in which the event happens.
        folder: &'a Path,
        /// The agent.
        dialect: &'a dyn Dialect,
        /// Its files, in this order.
        files: &'a [PathBuf],
    },
}

impl HookFiles<'_> {
    /// Returns the file, or folder, of hookbox's that was named for this session.
    pub(crate) fn of_this_session(&self) -> Option<&Path> {
        match self {
            Self::Layers { session, .. } => *session,
            Self::Alone { file, .. } => *file,
            Self::Bundle { of, .. } => Some(of.bundle),
            Self::Own { .. } | Self::Joined { .. } => None,
        }
    }

    /// Returns the files that determine the hooks, without plugins. Most may not exist: a program that keeps hooks reads them
    /// again when one is created, removed or changed.
    pub fn list_watched_files(&self, places: &Places) -> Vec<PathBuf> {
        match self {
            Self::Layers { folder, session } => {
                let mut files = vec![Places::managed_config()];
                files.extend(places.user_config());
                files.extend(places.switches());
                files.extend(places.project_marks(folder));
                files.extend(session.map(Path::to_owned));
                let project = places.project_config(folder).map(|project| project.root);
                files.extend(trust_files::list_watched_files(places, project.as_deref()));
                files.extend(trusted_hooks::list_watched_files(places, folder));
                files
            }
            Self::Alone { file, .. } => {
                let managed = Places::managed_config();
                [managed].into_iter().chain(file.map(Path::to_owned)).collect()
            }
            Self::Bundle { folder, of } => {
                let mut files = Self::Layers { folder, session: None }.list_watched_files(places);
                files.push(of.bundle.join(HOOKS));
                files
            }
            Self::Own { files, .. } => files.to_vec(),
            Self::Joined { folder, files, .. } => {
                let mut all = Self::Layers { folder, session: None }.list_watched_files(places);
                all.extend_from_slice(files);
                all
            }
        }
    }
}
