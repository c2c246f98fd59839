//! The user's off switches for hooks of projects.

use std::path::{Path, PathBuf};

/// Settings in the user's own files for hooks of projects.
#[derive(Clone, Debug, Default)]
pub struct ProjectSwitches {
    off: Option<String>,
    projects: Vec<ProjectSwitch>,
}

/// Settings for one project.
#[derive(Clone, Debug)]
pub struct ProjectSwitch {
    /// The project's folder; it includes the folders below it.
    pub path: PathBuf,
    /// True if none of its hooks is read.
    pub off: bool,
    /// The names of its hooks that are never called.
    pub disable: Vec<String>,
    /// Place of the setting.
    pub place: String,
}

impl ProjectSwitches {
    /// Creates the settings of one file. `off` is the place of a setting that turns off the hooks of all projects, if there is one.
    pub fn new(off: Option<String>) -> Self {
        Self { off, projects: Vec::new() }
    }

    /// Adds the settings of one project.
    pub fn add_project(&mut self, project: ProjectSwitch) {
        self.projects.push(project);
    }

    /// Returns the place of a setting that turns off all hooks of a project; `within` tests whether the project is in the folder of an
    /// entry. `None` if there is no such setting.
    pub fn find_off(&self, within: impl Fn(&Path) -> bool) -> Option<&str> {
        let one = self.projects.iter().find(|project| project.off && within(&project.path));
        self.off.as_deref().or(one.map(|project| project.place.as_str()))
    }

    /// Returns the place of a setting that disables this hook of such a project.
    pub fn find_disabling(&self, hook: &str, within: impl Fn(&Path) -> bool) -> Option<&str> {
        let names = |project: &&ProjectSwitch| project.disable.iter().any(|name| name == hook);
        self.projects
            .iter()
            .filter(names)
            .find(|project| within(&project.path))
            .map(|found| found.place.as_str())
    }

    /// Merges both settings: hooks that are off in one are off.
    pub fn join_with(&mut self, other: Self) {
        self.off = self.off.take().or(other.off);
        self.projects.extend(other.projects);
    }
}
