//! Ways in which agents start the command of an entry, and variables that could interfere.

use super::SettingsError;

/// Way in which an agent starts the command of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    shell: Option<&'static [&'static str]>,
    has_variables: bool,
    set_by_project: SetByProject,
}

/// A hook's variables that a project can set through the agent's own configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetByProject {
    /// Every variable.
    All,
    /// Variables that are unset in the agent's own environment.
    Unset,
    /// No known variable.
    None,
}

/// Variables with the folders in which zsh looks for a file to run before any line.
const BEFORE_ZSH: [&str; 2] = ["HOME", "ZDOTDIR"];

/// Variables that a shell, or the loader of its program, evaluates before it runs a command: files to run first, options such as `noexec`,
/// libraries, and a switch that makes the loader print its help and nothing else.
const BEFORE_A_SHELL: [&str; 6] =
    ["BASH_ENV", "SHELLOPTS", "LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "LD_DEBUG"];

/// Variable that makes the loader list the libraries of a program instead of running it. Any value has this effect, even an empty one, so
/// neither an entry nor the user can neutralize it.
const IN_PLACE_OF_A_SHELL: &str = "LD_TRACE_LOADED_OBJECTS";

impl Launch {
    /// Starts the program itself, with the entry's `args`.
    pub(crate) const fn exec(set_by_project: SetByProject) -> Self {
        Self { shell: None, has_variables: false, set_by_project }
    }

    /// Starts a shell, with this program and these arguments before the line.
    pub(crate) const fn shell(shell: &'static [&'static str], set_by_project: SetByProject) -> Self {
        Self { shell: Some(shell), has_variables: false, set_by_project }
    }

    /// Starts the command as before, with variables in the entry's `env`, which override all others.
    pub(crate) const fn with_variables(self) -> Self {
        Self { has_variables: true, ..self }
    }

    /// Returns true if the agent starts the program itself.
    pub fn is_exec(&self) -> bool {
        self.shell.is_none()
    }

    /// Returns the shell and its arguments before the line; empty without a shell. A name that begins with `$` is a variable that names the
    /// shell.
    pub fn shell_words(&self) -> &'static [&'static str] {
        self.shell.unwrap_or_default()
    }

    /// Returns the variables that a project can set.
    pub fn set_by_project(&self) -> SetByProject {
        self.set_by_project
    }

    /// Returns variables that an entry sets to the empty text, since they would make the shell do something else first.
    pub fn cleared(&self) -> &'static [&'static str] {
        // The variables mislead a shell, and only some agents let an entry set variables.
        if self.shell.is_some() && self.has_variables { &BEFORE_A_SHELL } else { &[] }
    }

    /// Returns the variable that prevents the start of the shell if it is set to any value.
    pub fn in_its_place(&self) -> Option<&'static str> {
        self.shell.is_some().then_some(IN_PLACE_OF_A_SHELL)
    }

    /// Returns variables that interfere with hookbox regardless of its entry, if they are set.
    pub fn open_to(&self) -> Vec<&'static str> {
        let Some(program) = self.shell.and_then(<[_]>::first) else { return Vec::new() };
        let named = program.strip_prefix('$');
        // Looked up in `PATH` by the agent.
        let looked_up = (named.is_none() && !program.starts_with('/')).then_some("PATH");
        let before = if self.has_variables { [].iter() } else { BEFORE_A_SHELL.iter() };
        // The shell that the user has chosen may be zsh.
        let zsh = BEFORE_ZSH.into_iter().filter(|_| named.is_some());
        named.into_iter().chain(looked_up).chain(zsh).chain(before.copied()).collect()
    }
}

/// Checks that the program and arguments can be in an entry without a shell. Older versions that do not know `args` pass the command alone
/// to one: it must be a word there too, so that hookbox is started, without arguments, and refuses. Placeholders are replaced in each of
/// the words.
pub(super) fn check_exec(program: &str, arguments: &[String]) -> Result<(), SettingsError> {
    let unfit = |path: &str, problem| Err(SettingsError::Unfit { path: path.to_owned(), problem });
    let is_word = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    // An older version that does not know `args` has a shell split this text.
    if !program.chars().all(is_word) {
        return unfit(
            program,
            "older versions of the agent would have a shell read it: put hookbox where the path has letters, digits \
             and `._-+=:,@%` only",
        );
    }
    // Claude Code replaces placeholders in each argument, also in those that are a path by chance.
    match arguments.iter().find(|argument| argument.contains("${")) {
        Some(argument) => unfit(argument, "the agent would replace what stands after `${` in it"),
        None => Ok(()),
    }
}
