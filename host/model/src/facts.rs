//! Facts about a command line: the types of the interface `facts` of `wit/`, and their form as JSON.

mod bounds;
mod error;

use serde::{Deserialize, Serialize};

pub use self::{bounds::MAX_FACTS_BYTES, error::FactsError};
use crate::words::words;

words! {
    /// Language of a command line.
    pub enum ShellLanguage {
        /// A POSIX shell or bash.
        Posix = "posix",
        /// PowerShell: no facts but `undetermined`.
        Powershell = "powershell",
        /// The Windows command interpreter: no facts but `undetermined`.
        Cmd = "cmd",
    }
}

words! {
    /// Kind of access to a path.
    pub enum PathUse {
        /// Prints or copies the content.
        Read = "read",
        /// Processes the content and shows none of it.
        Use = "use",
        /// Creates, changes or removes the file.
        Write = "write",
        /// Creates a folder.
        CreateFolder = "create-folder",
        /// Gives the file another name.
        Link = "link",
        /// Passes the file to a program whose effect on it is unknown.
        Unknown = "unknown",
    }
}

words! {
    /// Reason why a part is not determined.
    pub enum UnknownReason {
        /// The program's name is known only when the command runs.
        Program = "program",
        /// Code that the text does not show is executed.
        Code = "code",
        /// The text is not a command line that bash accepts.
        Syntax = "syntax",
        /// A bound of facts or of the analysis is exceeded.
        TooLarge = "too-large",
        /// The code is in a language that has no reader.
        Language = "language",
        /// The component that computes facts is missing, was replaced, or failed.
        Unavailable = "unavailable",
    }
}

/// Facts about one command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ShellFacts {
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FactWord {
    /// The text, with U+FFFD for each unknown part.
    pub text: String,
    /// True if the word is exactly the text.
    pub certain: bool,
}

/// A command as it would be started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SimpleCommand {
    /// The program's name without its folder, in lower case; empty if it is not known.
    pub program: String,
    /// The words of the command; the first is the program as the text has it.
    pub words: Vec<FactWord>,
    /// Variables that are set for this command alone: name and value.
    pub assignments: Vec<(String, FactWord)>,
    /// The folder that the command runs in; `None` if it is not known.
    pub folder: Option<String>,
    /// Programs through which the command is reached, outermost first.
    pub via: Vec<String>,
    /// True if the command may not run.
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

/// An access to a file or folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PathAccess {
    /// The path: absolute, or from `~`.
    pub path: String,
    /// True if the path is exactly this one.
    pub certain: bool,
    /// Kind of access.
    pub access: PathUse,
    /// True if everything below the path is affected, too.
    pub recursive: bool,
}

/// A host that a command contacts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct HostContact {
    /// Name or address in lower case, without port.
    pub host: String,
    /// True if the host is exactly this one.
    pub certain: bool,
    /// The program that contacts it.
    pub program: String,
}

/// A part that the text does not determine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Undetermined {
    /// Reason why the part is not determined.
    pub reason: UnknownReason,
    /// The part as the text has it, shortened.
    pub text: String,
}

impl ShellFacts {
    /// Parses facts from JSON.
    ///
    /// # Errors
    ///
    /// The text is not facts, or one of their bounds is exceeded.
    pub fn parse(text: &str) -> Result<Self, FactsError> {
        let facts: Self = serde_json::from_str(text).map_err(|error| FactsError::Json(error.to_string()))?;
        bounds::check_bounds(&facts)?;
        Ok(facts)
    }

    /// Returns the facts about a command line of a language that has no reader.
    pub fn in_unread_language(language: ShellLanguage) -> Self {
        Self::with_undetermined(language, UnknownReason::Language, "")
    }

    /// Returns the facts for a command line whose facts cannot be computed; `why` is for the user.
    pub fn from_failure(why: &str) -> Self {
        Self::with_undetermined(ShellLanguage::Posix, UnknownReason::Unavailable, why)
    }

    fn with_undetermined(language: ShellLanguage, reason: UnknownReason, text: &str) -> Self {
        let text = text.chars().take(bounds::MAX_TEXT).collect();
        let undetermined = vec![Undetermined { reason, text }];
        Self { language, commands: Vec::new(), paths: Vec::new(), hosts: Vec::new(), undetermined }
    }

    /// Returns the size of all texts, in bytes.
    pub fn size(&self) -> usize {
        bounds::size_of_facts(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: &str = r#"{"language":"posix","commands":[{"program":"curl","words":[{"text":"curl","certain":true},
        {"text":"https://h.example/","certain":true}],"assignments":[["A",{"text":"1","certain":true}]],"folder":"/code",
        "via":["sudo"],"guessed":false,"elsewhere":false,"piped-input":false,"writes":[],"reads":[]}],
        "paths":[{"path":"/code/f","certain":true,"access":"create-folder","recursive":false}],
        "hosts":[{"host":"h.example","certain":true,"program":"curl"}],
        "undetermined":[{"reason":"too-large","text":"…"}]}"#;

    fn read_error(text: &str) -> String {
        ShellFacts::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn facts_are_read_from_json_and_written_in_the_same_form() {
        let facts = ShellFacts::parse(FACTS).unwrap();
        assert_eq!(facts.commands[0].assignments[0].0, "A");
        assert_eq!(facts.paths[0].access, PathUse::CreateFolder);
        assert_eq!(ShellFacts::parse(&serde_json::to_string(&facts).unwrap()), Ok(facts));
    }

    #[test]
    fn json_that_is_not_facts_is_an_error() {
        for text in ["", "[]", "{}", &FACTS.replace("posix", "fish"), &FACTS.replace("\"via\"", "\"vias\"")] {
            assert!(ShellFacts::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn more_than_a_bound_is_an_error_that_names_the_list() {
        let mut facts = ShellFacts::parse(FACTS).unwrap();
        facts.hosts = vec![facts.hosts[0].clone(); 257];
        assert_eq!(
            read_error(&serde_json::to_string(&facts).unwrap()),
            "the facts have 257 `hosts`, the most is 256"
        );
        let mut facts = ShellFacts::parse(FACTS).unwrap();
        facts.paths[0].path = "x".repeat(MAX_FACTS_BYTES);
        let error = read_error(&serde_json::to_string(&facts).unwrap());
        assert!(error.ends_with("bytes of text, the most is 1048576"), "{error}");
        let mut facts = ShellFacts::parse(FACTS).unwrap();
        facts.undetermined[0].text = "ü".repeat(201);
        assert_eq!(
            read_error(&serde_json::to_string(&facts).unwrap()),
            "the facts have 201 `characters of an undetermined part`, the most is 200"
        );
    }

    #[test]
    fn facts_without_a_reader_have_one_undetermined_part() {
        let unread = ShellFacts::in_unread_language(ShellLanguage::Powershell);
        assert_eq!((unread.language, unread.undetermined.len()), (ShellLanguage::Powershell, 1));
        let unavailable = ShellFacts::from_failure(&"x".repeat(300));
        assert_eq!(unavailable.undetermined[0].text.len(), 200);
    }
}
