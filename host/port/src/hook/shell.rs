//! A child process, as a hook calls it.

use std::path::PathBuf;

use super::Confinement;

/// A child process as configured.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShellSpec {
    /// What to run.
    pub command: ShellCommand,
    /// Its working directory; the event's if `None`, or `/` if that does not exist.
    pub cwd: Option<PathBuf>,
    /// Names of variables that it gets from our environment, besides the few that every process needs.
    pub env: Vec<String>,
    /// Variables that its entry sets for it, with their values.
    pub variables: Vec<(String, String)>,
    /// What it is kept from; `None` if it is a hook of another system's file, which runs as that system would run it.
    pub confinement: Option<Confinement>,
    /// True if its entry states that it reads files of its project, whatever is in them later (`reads = ["project"]`).
    pub reads_project: bool,
    /// The project whose files it may neither read nor run, where the kernel can prevent that.
    pub closed: Option<ClosedProject>,
}

/// A project of which a trusted hook reads and runs nothing but what was trusted with it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClosedProject {
    /// The project's folder.
    pub folder: PathBuf,
    /// Where the copies of the files are that were trusted; they stay open wherever that is.
    pub copies: PathBuf,
}

impl ShellSpec {
    /// A command line, without variables of our environment and kept from nothing.
    pub fn line(command: &str) -> Self {
        Self::new(ShellCommand::Line(command.to_owned()))
    }

    /// A command of whatever kind, without variables of our environment and kept from nothing.
    pub fn new(command: ShellCommand) -> Self {
        Self {
            command,
            cwd: None,
            env: Vec::new(),
            variables: Vec::new(),
            confinement: None,
            reads_project: false,
            closed: None,
        }
    }
}

/// What to run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ShellCommand {
    /// A command line for the shell of its contract: `sh -c`, or what an agent runs its own hooks by. Nothing of an event
    /// is ever substituted into it, but for what an agent's own contract has: the folder, quoted.
    Line(String),
    /// A program and its arguments, without a shell. A name without a slash is looked up in `PATH`.
    Argv(Vec<String>),
}
