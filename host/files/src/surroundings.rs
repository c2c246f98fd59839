//! What a setup is read from: values of the program, and files.

use std::path::{Path, PathBuf};

use hookbox::{ShippedPlugins, dialect::Dialect, sandbox::compile::Compiler};

use crate::places::Places;

/// What a program brings along, and no file says.
#[derive(Clone)]
pub struct Surroundings {
    /// Where the user's files are.
    pub places: Places,
    /// The plugins that were installed with the program.
    pub shipped: ShippedPlugins,
    /// Who compiles plugins.
    pub compiler: Compiler,
    /// The variables that the agent gave. Which of them a hook gets, its configuration names; those that a project could have set
    /// to mislead a user's hook are looked up on the disk instead.
    pub variables: Vec<(String, String)>,
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
    /// Hook files of an agent's own, in this order, and nothing else.
    Own {
        /// The agent.
        dialect: &'a dyn Dialect,
        /// Its files.
        files: &'a [PathBuf],
    },
}
