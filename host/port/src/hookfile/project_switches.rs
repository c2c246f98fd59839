//! The user's off switches for hooks that projects bring.

use std::path::{Path, PathBuf};

/// What the user's own files say about hooks that projects bring.
#[derive(Clone, Debug, Default)]
pub struct ProjectSwitches {
    off: Option<String>,
    projects: Vec<ProjectSwitch>,
}

/// What they say about one project.
#[derive(Clone, Debug)]
pub struct ProjectSwitch {
    /// The project's folder; it stands for those below it, too.
    pub path: PathBuf,
    /// Is none of its hooks read?
    pub off: bool,
    /// The names of those that are never called.
    pub disable: Vec<String>,
    /// Where it is said.
    pub place: String,
}

impl ProjectSwitches {
    /// Those of a file that says of all projects at `off` that none of their hooks runs, if it says so.
    pub fn new(off: Option<String>) -> Self {
        Self { off, projects: Vec::new() }
    }

    /// What the file says of one project.
    pub fn add(&mut self, project: ProjectSwitch) {
        self.projects.push(project);
    }

    /// Where it is said that no hook of a project runs that is `within` the folders of such entries; `None` if it is not
    /// said.
    pub fn off(&self, within: impl Fn(&Path) -> bool) -> Option<&str> {
        let one = self.projects.iter().find(|project| project.off && within(&project.path));
        self.off.as_deref().or(one.map(|project| project.place.as_str()))
    }

    /// Where it is said that this hook of such a project does not run.
    pub fn disables(&self, hook: &str, within: impl Fn(&Path) -> bool) -> Option<&str> {
        let names = |project: &&ProjectSwitch| project.disable.iter().any(|name| name == hook);
        self.projects
            .iter()
            .filter(names)
            .find(|project| within(&project.path))
            .map(|found| found.place.as_str())
    }

    /// Both together: what is off in one is off.
    pub fn join(&mut self, other: Self) {
        self.off = self.off.take().or(other.off);
        self.projects.extend(other.projects);
    }
}
