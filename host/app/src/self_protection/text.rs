//! Facts in a command's text that the walk through it does not follow: the target of `~` after a new `HOME`, a path that only a
//! variable or a setting names, and text of unknown origin that is passed to a shell.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use shell_commands::{is_interpreter, is_shell};

/// The variable whose value `~` stands for.
const HOME: &str = "HOME";
/// Maximum number of readings of one command.
const MOST: usize = 4;
/// Longest text that is checked, bytes. Each rule reads it a few times.
pub(super) const MOST_BYTES: usize = 256 << 10;
/// Most bytes that home folders may add in place of their variable.
const MOST_ADDED: usize = 4 << 20;
/// Programs in front of the actual one.
pub(super) const CARRIERS: [&str; 5] = ["sudo", "env", "command", "exec", "nohup"];
/// Texts that pass a shell its input from elsewhere, anywhere in a command.
const HANDING: [&str; 8] =
    ["BASH_ENV=", "ENV=<(", "--rcfile", "--init-file", "LESSOPEN=", "fc -s", "-f <(", "-f -"];
/// Texts that do so behind the name of a shell.
const SUBSTITUTED: [&str; 5] = [" -c \"$(", " -c $(", " -c \"`", " <(", " -i <("];
/// Commands that set variables.
const SETTING: [&str; 5] = ["export", "declare", "typeset", "readonly", "local"];
/// Keywords that may precede the called program.
pub(super) const KEYWORDS: [&str; 6] = ["do", "then", "else", "!", "{", "time"];
/// hookbox's commands that are reserved for the user.
const OF_A_PERSON: [&str; 6] = ["trust", "untrust", "allow", "disable", "enable", "uninstall"];
/// Words of code that changes something.
const CHANGING: [&str; 22] = [
    "write", "'w", "\"w", "'a'", "\"a\"", "unlink", "remove", "rename", "move", "rmtree", "rmSync", "rmdir",
    "copy", "cpSync", "symlink", "link(", "chdir", "cwd=", "cwd:", "system", "exec", "truncate",
];
/// Words of code that reads its input or arguments.
const INPUT_MARKERS: [&str; 5] = ["stdin", "STDIN", "argv", "ARGV", "input("];
/// hookbox's commands that write to a given path.
const WRITING: [&str; 7] = ["pull", "new", "push", "export", "build", "sign", "manifest"];
/// git's commands that write to a given file.
const GIT: [&str; 7] = [
    "fast-export",
    "credential-store",
    "credential.helper",
    "pack-objects",
    "init",
    "bundle",
    "checkout-index",
];
const PROGRAM: &str = "hookbox";

/// Returns the text with each home folder in place of `$HOME`, if it is used: behind a slash or a dot the variable is more than
/// a beginning. `None` if that would be too long.
pub(super) fn expand_home(command: &str, homes: &[PathBuf]) -> Option<Vec<String>> {
    let mut all = vec![command.to_owned()];
    // Patterns then match names with a leading dot, too.
    if command.contains("GLOBIGNORE=") {
        all.push(format!("shopt -s dotglob; {command}"));
    }
    let times = command.matches("HOME").count();
    if times == 0 {
        return Some(all);
    }
    let longest = homes.iter().map(|home| home.as_os_str().len()).max().unwrap_or_default();
    if times.saturating_mul(longest) > MOST_ADDED {
        return None;
    }
    for home in homes.iter().filter_map(|home| home.to_str()) {
        let bare = home.trim_start_matches('/');
        let above = Path::new(home).parent().and_then(Path::to_str).unwrap_or("/");
        let read = [
            ("${HOME:1}", bare),
            ("${HOME#/}", bare),
            ("$(dirname $HOME)", above),
            ("$(dirname \"$HOME\")", above),
            ("${HOME%/*}", above),
            ("${HOME}", home),
        ];
        let read = read.into_iter().fold(command.to_owned(), |text, (form, value)| text.replace(form, value));
        let read = with_home(&read, home);
        all.extend((read != command).then_some(read));
    }
    all.truncate(MOST);
    Some(all)
}

/// Replaces `$HOME`, but not variables with a longer name.
fn with_home(text: &str, home: &str) -> String {
    let mut parts = text.split("$HOME");
    let mut read = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_longer = part.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
        read.push_str(if is_longer { "$HOME" } else { home });
        read.push_str(part);
    }
    read
}

/// Returns true if the text sets `HOME`. The walk knows the effect.
pub(super) fn sets_home(command: &str) -> bool {
    split_words(&remove_quotes(command)).filter_map(split_assignment).any(|(name, _)| name == HOME)
}

/// Returns true if the text sets `HOME` to an empty value. `~` is the root then.
pub(super) fn empties_home(command: &str) -> bool {
    split_words(&remove_quotes(command)).filter_map(split_assignment).any(|pair| pair == (HOME, ""))
}

/// Returns paths that a program receives in a variable or a setting, and where it may write.
pub(super) fn find_handed_paths(command: &str) -> Vec<String> {
    let command = &remove_quotes(command);
    let (asked_for, mut all, mut runs_hookbox) = (asked_for(command), Vec::new(), false);
    for simple in command.split([';', '&', '|', '\n', '(', ')', '`']) {
        let words: Vec<&str> = split_words(simple).collect();
        let is_before = |word: &str| {
            split_assignment(word).is_some() || CARRIERS.contains(&word) || word.starts_with('-')
        };
        let before = words.iter().take_while(|word| is_before(word)).count();
        let is_setting = before == words.len() || words.first().is_some_and(|word| SETTING.contains(word));
        for (at, (name, value)) in
            words.iter().enumerate().filter_map(|(at, word)| Some((at, split_assignment(word)?)))
        {
            // A variable that the line itself never uses is meant for a program.
            if (at < before && before < words.len()) || (is_setting && !asked_for.contains(name)) {
                all.push(value);
            }
        }
        if find_arguments(&words, "git").is_some_and(|arguments| {
            arguments.iter().any(|word| GIT.contains(&word.split('=').next().unwrap_or_default()))
        }) {
            all.extend(words.iter().map(|word| word.split_once('=').map_or(*word, |(_, value)| value)));
        }
        if find_arguments(&words, PROGRAM)
            .is_some_and(|arguments| arguments.iter().take(2).any(|word| WRITING.contains(word)))
        {
            let values = words.iter().map(|word| word.split_once('=').map_or(*word, |(_, value)| value));
            all.extend(values.map(|word| word.strip_prefix("oci-layout:").unwrap_or(word)));
            runs_hookbox = true;
        }
    }
    if runs_hookbox {
        // The folder in which it runs.
        all.extend(command_words_behind(command, "cd"));
    }
    // `-Xlog:all:file=/a/b`
    let parts = all.into_iter().flat_map(|value| [value].into_iter().chain(value.split([':', '=', ','])));
    parts.filter(|value| value.contains('/')).map(str::to_owned).collect()
}

/// Returns the variables that the text uses.
fn asked_for(text: &str) -> BTreeSet<&str> {
    let names = text.split('$').skip(1).map(|rest| rest.strip_prefix('{').unwrap_or(rest));
    let is_over = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    names.filter_map(|rest| rest.split(is_over).next()).collect()
}

/// Returns folders into which files with unknown names are put.
pub(super) fn find_filled_folders(command: &str) -> Vec<String> {
    let command = &remove_quotes(command);
    let words: Vec<&str> = split_words(command).collect();
    let mut all = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied();
        let value = word.split_once('=').map(|(_, value)| value);
        if word.contains("core.worktree") {
            all.extend(value.or(next));
        }
        if word.starts_with("--one-top-level=") {
            all.extend(value);
        }
        if word.starts_with("--prefix") && words.contains(&"checkout-index") {
            all.extend(value.or(next));
        }
    }
    all.into_iter().map(str::to_owned).collect()
}

/// Returns paths next to an interpreter's code that does more than read: its effect on them is unknown.
pub(super) fn find_coded_paths(command: &str) -> Vec<String> {
    let is_code = split_words(command).map(name_of).any(is_interpreter);
    if !is_code || !CHANGING.iter().any(|word| command.contains(word)) {
        return Vec::new();
    }
    let ends = |c: char| c.is_whitespace() || "'\"`()[]{},;=+".contains(c);
    // The walk sees the files of hookbox's that the code itself names.
    let reads_input = INPUT_MARKERS.iter().any(|word| command.contains(word));
    let is_meant =
        |word: &&str| word.starts_with(['/', '~']) && (reads_input || !word.to_lowercase().contains(PROGRAM));
    command.split(ends).filter(is_meant).map(str::to_owned).collect()
}

/// Returns true if a shell receives text of unknown origin.
pub(super) fn is_handed_on(command: &str) -> bool {
    let piped = command.split('|').skip(1).any(|behind| {
        let mut words = split_words(behind).skip_while(|word| CARRIERS.contains(word));
        words.next().is_some_and(|word| is_shell(name_of(word)))
    });
    let substituted = SUBSTITUTED.iter().any(|form| {
        let called = command.match_indices(form).filter_map(|(at, _)| command.get(..at));
        // Only the word at its end: searching backwards for one would read a long text once per occurrence.
        called.filter_map(|before| before.rsplit(ends_word).next()).any(|word| is_shell(name_of(word)))
    });
    let evaluated = ["eval \"$(", "eval $(", "source <(", ". <("].iter().any(|form| command.contains(form));
    piped || substituted || evaluated || HANDING.iter().any(|form| command.contains(form))
}

/// Describes a command of hookbox that is reserved for the user, with a hidden program name.
pub(super) fn find_reserved_command(command: &str) -> Option<String> {
    remove_quotes(command).split([';', '&', '|', '\n', '(', '`']).find_map(|simple| {
        let words: Vec<&str> = split_words(simple).skip_while(|word| KEYWORDS.contains(word)).collect();
        let mut pairs = words.windows(2).enumerate();
        pairs.find_map(|(at, pair)| match pair {
            [program, verb] if OF_A_PERSON.contains(verb) && may_be_hookbox(program, at == 0) => {
                Some(format!("`{program} {verb}` may be hookbox's own"))
            }
            _ => None,
        })
    })
}

/// Returns true for a pattern that matches hookbox's name or, as the called program, a variable.
fn may_be_hookbox(program: &str, is_called: bool) -> bool {
    let name = name_of(program);
    let is_pattern = name.contains(['*', '?', '[']) && !program.starts_with('-');
    program == "{}"
        || (is_called && program.starts_with('$'))
        || (is_pattern && shell_commands::is_matched(&shell_commands::pattern(name), PROGRAM))
}

/// Returns the arguments of a program, if it is called.
fn find_arguments<'w, 't>(words: &'w [&'t str], program: &str) -> Option<&'w [&'t str]> {
    let at = words.iter().position(|word| name_of(word) == program)?;
    words.get(at + 1..)
}

/// Returns the word behind each call of this program.
fn command_words_behind<'t>(command: &'t str, name: &str) -> Vec<&'t str> {
    let words: Vec<&str> = split_words(command).collect();
    words
        .windows(2)
        .filter_map(|pair| match pair {
            [first, folder] if *first == name => Some(*folder),
            _ => None,
        })
        .collect()
}

pub(super) fn name_of(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or_default()
}

fn split_assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_name && !name.is_empty()).then_some((name, value))
}

/// Removes quotes: the text between them may be one word or a command.
pub(super) fn remove_quotes(command: &str) -> String {
    command.replace(['"', '\''], "")
}

/// Splits the text into words at blanks and the marks that end a command.
pub(super) fn split_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(ends_word).filter(|word| !word.is_empty())
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, ';' | '&' | '|' | '(' | ')' | '`' | '<' | '>' | '"' | '\'')
}
