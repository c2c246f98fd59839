//! The types of facts.

use serde::{Deserialize, Serialize};

/// Language of a command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShellLanguage {
    /// A POSIX shell or bash.
    #[default]
    Posix,
    /// PowerShell: no facts but `undetermined`.
    Powershell,
    /// The Windows command interpreter: no facts but `undetermined`.
    Cmd,
}

/// Facts about one command line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Facts {
    /// The language that the command line was read in.
    pub language: ShellLanguage,
    /// The simple commands, in the order in which a shell reaches them.
    pub commands: Vec<SimpleCommand>,
    /// Files and folders that the commands touch.
    pub paths: Vec<PathAccess>,
    /// Hosts that the commands contact, where the text shows them.
    pub hosts: Vec<HostContact>,
    /// The parts that the text does not determine.
    pub undetermined: Vec<Undetermined>,
}

/// A word after expansion.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct FactWord {
    /// The text, with U+FFFD for each unknown part.
    pub text: String,
    /// True if the word is exactly the text.
    pub certain: bool,
}

/// A command as it would be started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SimpleCommand {
    /// The program's name without its folder, in lower case; empty if it is not known.
    pub program: String,
    /// The words of the command; the first is the program as the text has it. Without words the command sets variables of the shell.
    pub words: Vec<FactWord>,
    /// Variables that are set for this command alone, or without words for the shell: name and value.
    pub assignments: Vec<(String, FactWord)>,
    /// The folder that the command runs in; none if it is not known.
    pub folder: Option<String>,
    /// Programs through which the command is reached, outermost first.
    pub via: Vec<String>,
    /// True if the command may not run: it is text that a program or a variable was given and that may be a command.
    pub guessed: bool,
    /// True if the command runs in a container or on another machine.
    pub elsewhere: bool,
    /// True if its standard input comes from a pipe, a file or a here-document.
    pub piped_input: bool,
    /// Files that its redirections write.
    pub writes: Vec<FactWord>,
    /// Files that its redirections read.
    pub reads: Vec<FactWord>,
}

/// Kind of access to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AccessKind {
    /// Prints or copies the content.
    Read,
    /// Processes the content and shows none of it.
    Use,
    /// Creates, changes or removes the file.
    Write,
    /// Creates a folder.
    CreateFolder,
    /// Gives the file another name: a link, a mount, a volume of a container.
    Link,
    /// Passes the file to a program whose effect on it is unknown.
    Unknown,
}

/// An access to a file or folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct PathAccess {
    /// The path: absolute, or from `~`.
    pub path: String,
    /// True if the path is exactly this one.
    pub certain: bool,
    /// Kind of access.
    pub access: AccessKind,
    /// True if everything below the path is affected, too.
    pub recursive: bool,
}

/// A host that a command contacts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct HostContact {
    /// Name or address in lower case, without port.
    pub host: String,
    /// True if the host is exactly this one.
    pub certain: bool,
    /// The program that contacts it.
    pub program: String,
}

/// Reason why a part is not determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownReason {
    /// The program's name is known only when the command runs.
    Program,
    /// Code that the text does not show is executed.
    Code,
    /// The text is not a command line that bash accepts.
    Syntax,
    /// A bound of facts or of the analysis is exceeded.
    TooLarge,
    /// The code is in a language that has no reader.
    Language,
    /// The component that computes facts is missing, was replaced, or failed.
    Unavailable,
}

/// A part that the text does not determine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Undetermined {
    /// Reason why the part is not determined.
    pub reason: UnknownReason,
    /// The part as the text has it, shortened.
    pub text: String,
}
