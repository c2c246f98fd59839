//! What a setup is read from: values of the program, and files.

use std::path::{Path, PathBuf};

use hookbox::{ShippedPlugins, dialect::Dialect, sandbox::compile::Compiler};

use crate::{
    bundle::{BundleEvent, HOOKS},
    places::Places,
    trust_files, trusted_hooks,
};

/// What a program brings along, and no file says.
#[derive(Clone)]
pub struct Surroundings {
    /// Where the user's files are.
    pub places: Places,
    /// The plugins that were installed with the program.
    pub shipped: ShippedPlugins,
    /// The file of the program `hookbox`, by which commands are confined where a hook says so; without it the person is asked
    /// then.
    pub program: Option<PathBuf>,
    /// Who compiles plugins.
    pub compiler: Compiler,
    /// The variables that the agent gave. Which of them a hook gets, its configuration names; those that a project could have set
    /// to mislead a user's hook are looked up on the disk instead.
    pub variables: Vec<(String, String)>,
}

/// How the names of variables end by which agents say in which project a session was started (`CLAUDE_PROJECT_DIR`).
const OF_PROJECT: &str = "_PROJECT_DIR";
/// Most of them that are looked at.
const MOST_PROJECTS: usize = 8;

impl Surroundings {
    /// The projects in which the session was started, as far as the agent says so.
    pub(crate) fn started_in(&self) -> Vec<PathBuf> {
        let named = self.variables.iter().filter(|(name, _)| name.ends_with(OF_PROJECT));
        let folders = named.map(|(_, folder)| PathBuf::from(folder)).filter(|folder| folder.is_absolute());
        folders.take(MOST_PROJECTS).collect()
    }
}

/// Where hooks come from. A relative path is meant from the folder that this process works in.
#[derive(Clone, Copy)]
pub enum HookFiles<'a> {
    /// hookbox's own configuration, in its layers.
    Layers {
        /// The folder in which the event happens; its project is found from there.
        folder: &'a Path,
        /// One more file, for this session only.
        session: Option<&'a Path>,
    },
    /// The administrator's file, and one of hookbox's configuration if it is named: neither the user's nor a project's.
    Alone {
        /// The folder in which the event happens.
        folder: &'a Path,
        /// The file.
        file: Option<&'a Path>,
    },
    /// What a folder brings that `hookbox export` made: its plugins, and nothing else.
    Bundle {
        /// The folder in which the event happens.
        folder: &'a Path,
        /// Who asks, and about what.
        of: BundleEvent<'a>,
    },
    /// Hook files of an agent's own, in this order, and nothing else.
    Own {
        /// The agent.
        dialect: &'a dyn Dialect,
        /// Its files.
        files: &'a [PathBuf],
    },
}

impl HookFiles<'_> {
    /// The file, or folder, of hookbox's that was named for this session.
    pub(crate) fn of_this_session(&self) -> Option<&Path> {
        match self {
            Self::Layers { session, .. } => *session,
            Self::Alone { file, .. } => *file,
            Self::Bundle { of, .. } => Some(of.bundle),
            Self::Own { .. } => None,
        }
    }

    /// The files that say which hooks there are, plugins aside. Most may not be there: who keeps hooks reads them anew when one
    /// comes, goes or changes.
    pub fn watched(&self, places: &Places) -> Vec<PathBuf> {
        match self {
            Self::Layers { folder, session } => {
                let mut files = vec![Places::managed_config()];
                files.extend(places.user_config());
                files.extend(places.switches());
                files.extend(places.project_marks(folder));
                files.extend(session.map(Path::to_owned));
                let project = places.project_config(folder).map(|project| project.root);
                files.extend(trust_files::watched(places, project.as_deref()));
                files.extend(trusted_hooks::watched(places, folder));
                files
            }
            Self::Alone { file, .. } => {
                let managed = Places::managed_config();
                [managed].into_iter().chain(file.map(Path::to_owned)).collect()
            }
            Self::Bundle { folder, of } => {
                let mut files = Self::Layers { folder, session: None }.watched(places);
                files.push(of.bundle.join(HOOKS));
                files
            }
            Self::Own { files, .. } => files.to_vec(),
        }
    }
}
