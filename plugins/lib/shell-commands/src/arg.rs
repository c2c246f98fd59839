//! Words after expansion, and the streams between commands.
//!
//! What can not be known stays visible in the text: six noncharacters stand for an unknown part, for
//! the home folder, for the three glob operators and for any folders between two. A command line that contains them is refused
//! before it is parsed, so none of them ever comes from the caller.

/// Text that is only known when the command runs.
pub(crate) const UNKNOWN: char = '\u{FDD0}';
/// The user's home folder.
pub(crate) const HOME: char = '\u{FDD1}';
/// An unquoted `*`.
pub(crate) const STAR: char = '\u{FDD2}';
/// An unquoted `?`.
pub(crate) const ONE: char = '\u{FDD3}';
/// An unquoted `[` that opens a bracket expression.
pub(crate) const SET: char = '\u{FDD4}';

/// Placeholder for a secret file where the environment was printed.
pub(crate) const ENVIRONMENT: &str = "the environment";

/// As a component of a path: any number of folders.
pub(crate) const BELOW: char = '\u{FDD5}';

/// All that is below a folder: each of it is meant.
pub(crate) fn all_below(folder: &str) -> String {
    format!("{folder}/{BELOW}/{STAR}")
}

/// Returns a pattern for unknown entries below a folder.
pub(crate) fn some_below(folder: &str) -> String {
    format!("{folder}/{BELOW}/{BELOW}/{STAR}")
}

/// Returns true if a character is one of the six placeholders.
pub(crate) fn is_mark(c: char) -> bool {
    (UNKNOWN..=BELOW).contains(&c)
}

/// Returns true if a redirection to this name opens a connection: bash does so itself.
pub(crate) fn is_network(path: &str) -> bool {
    path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/")
}

/// Sources of bytes, where they matter to a rule.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Origin {
    /// True if the bytes were downloaded.
    pub(crate) network: bool,
    /// True if the bytes were decoded or rewritten on the way, so that the command line does not show them.
    pub(crate) decoded: bool,
    /// Secret file that the bytes contain.
    pub(crate) secret: Option<String>,
    /// True if the bytes are names of files, one on each line.
    pub(crate) files: bool,
    /// True if the bytes are the names of all files of the working folder, of a folder above it or of the system.
    pub(crate) everything: bool,
    /// True if a program printed the bytes, so that the command line does not show them.
    pub(crate) printed: bool,
    /// True if the bytes are numbers of hookbox's own processes.
    pub(crate) own_processes: bool,
    /// True if the bytes are hookbox's own program.
    pub(crate) own_program: bool,
    /// True if the bytes are the whole output of a well-known program for the shell to evaluate.
    pub(crate) made_for_eval: bool,
}

impl Origin {
    /// Adds what is known of other bytes that were mixed in.
    pub(crate) fn join(&mut self, other: &Self) {
        self.network |= other.network;
        self.decoded |= other.decoded;
        self.files |= other.files;
        self.everything |= other.everything;
        self.printed |= other.printed;
        self.own_processes |= other.own_processes;
        self.own_program |= other.own_program;
        self.made_for_eval &= other.made_for_eval;
        if self.secret.is_none() {
            self.secret.clone_from(&other.secret);
        }
    }

    /// Returns true if code with this origin must not run unseen.
    pub(crate) fn is_unseen(&self) -> bool {
        self.network || self.decoded
    }
}

/// Data that a command reads or prints.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Stream {
    /// The text, if the command line determines it.
    pub(crate) text: Option<String>,
    /// Origin of the data.
    pub(crate) origin: Origin,
    /// The file that it is, if a redirection opened one.
    pub(crate) file: Option<String>,
}

impl Stream {
    /// A stream whose whole content is known.
    pub(crate) fn of(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// A stream of which only the origin is known.
    pub(crate) fn from_origin(origin: Origin) -> Self {
        Self { origin, ..Self::default() }
    }

    /// Puts another stream's content after this one's.
    pub(crate) fn append(&mut self, other: &Self) {
        if *self == Self::of("") {
            return self.clone_from(other);
        }
        self.text = match (self.text.take(), &other.text) {
            (Some(mut text), Some(more)) => {
                text.push_str(more);
                Some(text)
            }
            _ => None,
        };
        self.origin.join(&other.origin);
    }
}

/// One word of a command, after expansion.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Arg {
    /// Its text, with marks for what is not known.
    pub(crate) text: String,
    /// Origin of the parts from substitutions.
    pub(crate) origin: Origin,
    /// The content behind the name, for a process substitution.
    pub(crate) stream: Option<Box<Stream>>,
    /// True if the text holds only if a variable from outside is set, or only if it is not.
    pub(crate) guessed: bool,
    /// True if all unknown parts of the text are variables from outside, or the text is one of the names that a loop's
    /// pattern matches.
    pub(crate) from_outside: bool,
    /// True if such a variable has no quotes, so that it may be several words.
    pub(crate) may_be_several: bool,
    /// True if the word begins with a variable that the command line does not set: without a value, that part is
    /// empty.
    pub(crate) may_be_unset: bool,
}

impl Arg {
    /// A word that is known completely.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A word of which nothing is known.
    pub(crate) fn unknown() -> Self {
        Self::new(UNKNOWN)
    }

    /// Takes over what is known about where another word's text, now part of this one, came from.
    pub(crate) fn inherit(&mut self, other: &Self) {
        self.origin.join(&other.origin);
        // Nothing but the other word is in this one so far.
        self.origin.made_for_eval |= other.origin.made_for_eval && self.text == other.text;
        self.guessed |= other.guessed;
    }

    /// The text with its marks.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The text, if all of it is known and it is not a pattern.
    pub(crate) fn literal(&self) -> Option<&str> {
        (!self.text.contains(is_mark)).then_some(&self.text)
    }

    /// Returns true if every part is unknown, blanks aside.
    pub(crate) fn is_all_unknown(&self) -> bool {
        let text = self.text.trim();
        !text.is_empty() && text.chars().all(|c| c == UNKNOWN)
    }

    /// Returns true if the word names hookbox's own program.
    pub(crate) fn is_own_program(&self) -> bool {
        self.base_name().is_some_and(|name| name == "hookbox")
    }

    /// Returns true if the word is only the output of a well-known program that prints text to be evaluated.
    pub(crate) fn is_made_for_eval(&self) -> bool {
        self.origin.made_for_eval && !self.origin.is_unseen() && self.text.trim().chars().eq([UNKNOWN])
    }

    /// The text as a script: patterns are characters again, unknown parts stay marked.
    pub(crate) fn plain(&self) -> String {
        self.text.chars().map(unglob).collect()
    }

    /// The last component of the word as a path, in lower case: file systems that ignore case exist.
    pub(crate) fn base_name(&self) -> Option<String> {
        let base = self.text.rsplit('/').next().unwrap_or_default();
        let base = base.strip_prefix('=').filter(|rest| !rest.is_empty()).unwrap_or(base);
        (!base.contains(is_mark) && !base.is_empty()).then(|| base.to_lowercase())
    }
}

/// The character that a glob mark was written as.
pub(crate) fn unglob(c: char) -> char {
    match c {
        STAR => '*',
        ONE => '?',
        SET => '[',
        other => other,
    }
}
