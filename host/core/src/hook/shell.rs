//! A child process, as a hook calls it.

use std::path::PathBuf;

use super::Confinement;

/// A child process as configured.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShellSpec {
    /// The command.
    pub command: ShellCommand,
    /// Its working directory; the event's if `None`, or `/` if that does not exist.
    pub cwd: Option<PathBuf>,
    /// Names of variables that it gets from hookbox's environment, besides the few that every process needs.
    pub env: Vec<String>,
    /// Variables that its entry sets, with their values.
    pub variables: Vec<(String, String)>,
    /// Its confinement; `None` if it is a hook of another system's file, which runs as that system would run it.
    pub confinement: Option<Confinement>,
    /// True if its entry states that it reads files of its project, whatever is in them later (`reads = ["project"]`).
    pub reads_project: bool,
    /// The project whose files it may neither read nor run, where the kernel can prevent that.
    pub closed: Option<ClosedProject>,
}

/// A project of which a trusted hook reads and runs only the files that were trusted with the hook.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClosedProject {
    /// The project's folder.
    pub folder: PathBuf,
    /// Folder with the copies of the trusted files; it stays accessible wherever it is.
    pub copies: PathBuf,
}

impl ShellSpec {
    /// Creates a command line, without variables of hookbox's environment and unconfined.
    pub fn from_line(command: &str) -> Self {
        Self::new(ShellCommand::Line(command.to_owned()))
    }

    /// Creates a command of any kind, without variables of hookbox's environment and unconfined.
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

/// A command of a child process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ShellCommand {
    /// A command line for the shell of its contract: `sh -c`, or the shell with which an agent runs its own hooks. Nothing of an event is
    /// ever substituted into it, except the folder, quoted, where an agent's own contract does so.
    Line(String),
    /// A program and its arguments, without a shell. A name without a slash is looked up in `PATH`.
    Argv(Vec<String>),
}
