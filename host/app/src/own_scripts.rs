//! The scripts of the user's own commands.
//!
//! A command runs in the folder of the event, where a project may have a file of any name. So a script that an interpreter is
//! passed by a relative path is resolved from the folder of its configuration file, as a program is, and other words that name
//! a file there are reported.

use std::path::Path;

use hookbox::{
    HookSpec, Target,
    hook::{ShellCommand, ShellSpec},
    hookfile::{Loaded, Problem, Severity, Source},
    model::TrustLevel,
};
use shell_commands::{is_interpreter, is_shell};

use crate::command_files::{is_of_a_path, value_of};

/// Resolves the scripts of the hooks of the user's own file, and adds a warning for each other word that is ambiguous.
pub(crate) fn resolve_scripts(source: &Source, mut loaded: Loaded) -> Loaded {
    let Some(folder) = source.folder().filter(|_| source.trust_level == TrustLevel::Own).map(Path::to_owned)
    else {
        return loaded;
    };
    for hook in &mut loaded.hooks {
        let Target::Shell(shell) = &mut hook.target else { continue };
        // The entry sets the folder from which its words are resolved.
        if shell.cwd.is_some() {
            continue;
        }
        if let ShellCommand::Argv(words) = &mut shell.command {
            resolve_script(words, &folder);
        }
        let words = ambiguous_words(shell, &folder).into_iter();
        let ambiguous: Vec<_> =
            words.map(|word| (format_help(&shell.command, &word, &folder.join(&word)), word)).collect();
        let problems = ambiguous.into_iter().map(|word| make_ambiguity_problem(hook, word, source));
        loaded.problems.extend(problems);
    }
    loaded
}

/// Makes the path of an interpreter's script absolute.
fn resolve_script(words: &mut [String], folder: &Path) {
    let Some((program, arguments)) = words.split_first_mut() else { return };
    let name = file_name(program);
    // Such an option is followed by code, or the name of a module.
    let code: &[char] = match name {
        name if is_shell(name) => &['c'],
        name if is_interpreter(name) => &['c', 'e', 'm', 'p', 'r'],
        _ => return,
    };
    let is_code = |word: &str| word.starts_with('-') && !word.starts_with("--") && word.contains(code);
    for word in arguments {
        if is_code(word) {
            return;
        }
        if word.starts_with(['-', '+']) {
            continue;
        }
        let path = folder.join(&*word);
        if (word.contains(['/', '.']) || path.is_file())
            && let Some(path) = path.to_str()
        {
            path.clone_into(word);
        }
        return;
    }
}

/// Returns the relative words that name a file next to the configuration file, and the scripts of a shell line, whether they exist or not:
/// the folder of the event may have a file of that name later.
fn ambiguous_words(shell: &ShellSpec, folder: &Path) -> Vec<String> {
    let is_there =
        |word: &&str| !word.is_empty() && Path::new(word).is_relative() && folder.join(word).is_file();
    let of_line = |line: &str| -> Vec<String> {
        let named = line.split(|c| !is_of_a_path(c)).filter(is_there).map(str::to_owned);
        let mut words: Vec<String> = named.collect();
        words.extend(
            find_scripts(line)
                .filter(|script| !words.iter().any(|word| word == script))
                .map(str::to_owned)
                .collect::<Vec<_>>(),
        );
        words
    };
    match &shell.command {
        ShellCommand::Line(line) => of_line(line),
        ShellCommand::Argv(words) => {
            let named = words.iter().skip(1).map(|word| value_of(word)).filter(is_there).map(str::to_owned);
            named.chain(shell_line(words).map(of_line).unwrap_or_default()).collect()
        }
    }
}

/// Returns the line that a shell is passed by `-c`.
fn shell_line(words: &[String]) -> Option<&str> {
    let after = words.windows(3).find_map(|three| match three {
        [shell, option, line] if is_shell(file_name(shell)) && is_code_option(option) => Some(line),
        _ => None,
    });
    after.map(String::as_str)
}

fn is_code_option(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.ends_with('c')
}

/// Finds relative paths where a line names a program or the script of an interpreter: `hooks/a.sh`, `sh -e ./a.sh`.
fn find_scripts(line: &str) -> impl Iterator<Item = &str> {
    line.split([';', '&', '|', '\n', '(', ')']).filter_map(|command| {
        let mut words = command.split_whitespace().map(|word| word.trim_matches(['\'', '"']));
        let program = words.next()?;
        let name = file_name(program);
        let script = if is_shell(name) || is_interpreter(name) {
            words.find(|word| !word.starts_with(['-', '+']))?
        } else {
            program
        };
        let is_path = script.contains('/') && !script.starts_with('~') && script.chars().all(is_of_a_path);
        (is_path && Path::new(script).is_relative()).then_some(script)
    })
}

fn file_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or_default()
}

/// Returns the key to write, with the file's whole path in place of the word.
fn format_help(command: &ShellCommand, word: &str, file: &Path) -> String {
    let path = file.to_string_lossy();
    // A shell would split another path, and the word may be in quotes already.
    if !path.chars().all(is_of_a_path) {
        return format!("write {path}, or set `cwd` to the folder in which the command runs");
    }
    let replace = |text: &str| text.replacen(word, &path, 1);
    let key = match command {
        ShellCommand::Line(line) => {
            let is_word = |piece: &str| piece.trim_end_matches(|c| !is_of_a_path(c)) == word;
            let pieces = line.split_inclusive(|c| !is_of_a_path(c));
            let fixed = pieces.map(|piece| if is_word(piece) { replace(piece) } else { piece.to_owned() });
            format!("command = {}", toml::Value::from(fixed.collect::<String>()))
        }
        ShellCommand::Argv(words) => {
            let fix = |text: &String| if value_of(text) == word { replace(text) } else { text.clone() };
            format!("argv = {}", toml::Value::from(words.iter().map(fix).collect::<Vec<String>>()))
        }
    };
    format!("write `{key}`, or add `cwd = \".\"`: the command then runs in the folder of this file")
}

fn make_ambiguity_problem(hook: &HookSpec, (help, word): (String, String), source: &Source) -> Problem {
    let message = format!(
        "the command of `{}` names `{word}`, which is searched in the folder of the event: a project may have a file of that name there",
        hook.name
    );
    let problem = source.make_problem(Severity::Warning, message, Some(help));
    Problem { line: hook.origin.line, ..problem }
}
