//! The decision: a pure function over the facts about a command line.

use shell_commands::facts::{
    AccessKind, Facts, PathAccess, ShellLanguage, SimpleCommand, Undetermined, UnknownReason,
};

use crate::{
    places::{is_readable, is_sink, is_writable, names_secret},
    policy::Policy,
    programs::check_program,
    variables::{is_harmless_for_command, is_harmless_for_shell},
    wrappers::is_reached_by_wrappers,
};

/// Maximum length of a text in a doubt, in characters.
const MAX_SHOWN: usize = 80;

/// Programs whose words may name a secret, because they print names or words only.
const LISTING: &[&str] = &[
    "[", "basename", "chmod", "dirname", "du", "echo", "find", "ls", "printf", "readlink", "realpath",
    "stat", "test", "tree",
];

/// A command in its command line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    /// All commands of the line.
    pub(crate) commands: &'a [SimpleCommand],
    /// The project's folder.
    pub(crate) workspace: &'a str,
    pub(crate) policy: &'a Policy,
}

/// Returns the first doubt about a command line; none if it only reads, or writes only inside the project.
pub fn find_doubt(facts: &Facts, workspace: &str, policy: &Policy) -> Option<String> {
    if facts.language != ShellLanguage::Posix {
        return Some("the language has no reader".to_owned());
    }
    let context = Context { commands: &facts.commands, workspace, policy };
    let undetermined = facts.undetermined.iter().find(|part| !is_users_command(part, &context));
    if let Some(part) = undetermined {
        return Some(format!("undetermined: {}", shown(&part.text)));
    }
    if let Some(host) = facts.hosts.first() {
        return Some(format!("contacts the host {}", shown(&host.host)));
    }
    let command = facts.commands.iter().find_map(|command| find_doubt_of_command(command, &context));
    command.or_else(|| facts.paths.iter().find_map(|access| find_doubt_of_path(access, &context)))
}

/// Returns true if a part is undetermined only because a command of the user's list runs it.
fn is_users_command(part: &Undetermined, context: &Context<'_>) -> bool {
    let is_part = |command: &SimpleCommand| {
        let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
        let is_prefix = |text: &str| !part.text.is_empty() && text.starts_with(&part.text);
        let is_allowed = match part.reason {
            UnknownReason::Code => context.policy.allows_command(command),
            UnknownReason::Language => context.policy.allows_code(command),
            _ => false,
        };
        is_allowed
            && !command.piped_input
            && (words.iter().any(|word| is_prefix(word)) || is_prefix(&words.join(" ")))
    };
    context.commands.iter().any(is_part)
}

fn find_doubt_of_command(command: &SimpleCommand, context: &Context<'_>) -> Option<String> {
    let line = || shown(&command.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "));
    if command.guessed && matches!(command.words.as_slice(), [only] if only.certain && only.text == "cat") {
        // The pager of `GIT_PAGER=cat`.
        return None;
    }
    if command.guessed || command.elsewhere {
        return Some(format!("guessed, or elsewhere: {}", line()));
    }
    if command.words.is_empty() {
        let doubtful = command.assignments.iter().find(|(name, _)| !is_harmless_for_shell(name));
        return doubtful.map(|(name, _)| format!("sets the variable {}", shown(name)));
    }
    let doubtful = command.assignments.iter().find(|(name, value)| !is_harmless_for_command(name, value));
    if let Some((name, _)) = doubtful {
        return Some(format!("sets the variable {}", shown(name)));
    }
    if let Some(word) = command.words.iter().find(|word| names_descriptor(&word.text)) {
        return Some(format!("sets the variable {}", shown(&word.text)));
    }
    if !is_reached_by_wrappers(command, context) {
        return Some(format!("reached in an unknown way: {}", line()));
    }
    // A program that lists names shows no content.
    let lists_names = LISTING.contains(&command.program.as_str());
    if let Some(word) = command.words.iter().skip(1).find(|word| !lists_names && names_secret(&word.text)) {
        return Some(format!("names a secret: {}", shown(&word.text)));
    }
    let is_listed = context.policy.allows_command(command) && is_in_project(command, context);
    (!is_listed && !check_program(command, context)).then(|| format!("not known as safe: {}", line()))
}

/// Returns true if a word is `{NAME}`, which in front of a redirection sets a variable to the number of the descriptor.
fn names_descriptor(word: &str) -> bool {
    let name = word.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).filter(|name| !name.is_empty());
    name.is_some_and(|name| {
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !is_harmless_for_shell(name)
    })
}

/// Returns true if a command of the user's list runs inside the project, with known words.
fn is_in_project(command: &SimpleCommand, context: &Context<'_>) -> bool {
    let is_inside = command.folder.as_deref().is_some_and(|folder| {
        folder == context.workspace || folder.starts_with(&format!("{}/", context.workspace))
    });
    is_inside && command.words.iter().all(|word| word.certain)
}

/// Returns true if commands may write a path of the project.
pub(crate) fn may_write(path: &str, context: &Context<'_>) -> bool {
    context.policy.write && is_writable(path, context.workspace)
}

fn find_doubt_of_path(access: &PathAccess, context: &Context<'_>) -> Option<String> {
    let is_fine = match access.access {
        AccessKind::Read | AccessKind::Use | AccessKind::Unknown => is_readable(access, context),
        AccessKind::Write | AccessKind::CreateFolder => {
            access.certain && (is_sink(&access.path) || may_write(&access.path, context))
        }
        AccessKind::Link => false,
    };
    (!is_fine).then(|| format!("{:?} of {}", access.access, shown(&access.path)))
}

fn shown(text: &str) -> String {
    text.chars().take(MAX_SHOWN).flat_map(char::escape_debug).collect()
}
