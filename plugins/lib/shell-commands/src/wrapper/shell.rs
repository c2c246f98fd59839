//! Shells, `source`, and interpreters of other languages.

use super::{Inner, Wrapped};
use crate::{arg::Arg, call::Call};

const SHELLS: &[&str] = &[
    "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "yash", "fish", "csh", "tcsh", "ksh93",
    "lksh", "oksh", "loksh", "rksh", "rzsh", "hush", "osh", "ysh", "elvish", "nu", "xonsh",
];
/// Names of the standard input.
pub(crate) const STDIN: &[&str] = &["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
const INTERPRETERS: &[&str] = &[
    "python",
    "pypy",
    "node",
    "nodejs",
    "perl",
    "ruby",
    "php",
    "deno",
    "bun",
    "lua",
    "tclsh",
    "osascript",
    "powershell",
    "pwsh",
    "rscript",
];

pub(super) fn unwrap(name: &str, call: &Call) -> Option<Wrapped> {
    match name {
        "." | "source" => {
            let (path, rest) = call.args().split_first()?;
            let positional = (!rest.is_empty()).then(|| rest.to_vec());
            let file = Inner::File { path: path.clone(), positional };
            Some(Wrapped::new(name, file).in_shell())
        }
        name if SHELLS.contains(&name) => {
            let is_traced = is_traced(call.args());
            shell(name, call.args()).map(|wrapped| Wrapped { is_traced, ..wrapped })
        }
        name if is_interpreter(name) => interpreter(name, call.args()),
        _ => None,
    }
}

/// Returns the script that a shell runs with these arguments. With `-n` it only reads.
pub(super) fn shell(name: &str, args: &[Arg]) -> Option<Wrapped> {
    let (letters, rest) = options(args);
    if letters.contains('n') {
        return None;
    }
    if letters.contains('c') {
        let (text, after) = rest.split_first()?;
        let positional = Some(after.get(1..).unwrap_or_default().to_vec());
        let script = Inner::Script { text: text.clone(), zero: after.first().cloned(), positional };
        return Some(Wrapped::new(&format!("{name} -c"), script));
    }
    let inner = match rest.split_first() {
        Some((path, after)) if !letters.contains('s') && !STDIN.contains(&path.as_str()) => {
            Inner::File { path: path.clone(), positional: Some(after.to_vec()) }
        }
        _ => Inner::Stdin { positional: rest.to_vec() },
    };
    Some(Wrapped::new(name, inner))
}

/// Returns true if a program of this name, without its folder, is a shell.
pub fn is_shell(name: &str) -> bool {
    SHELLS.contains(&name)
}

/// Returns true if a shell's arguments switch tracing on.
pub(crate) fn is_traced(args: &[Arg]) -> bool {
    let (letters, rest) = options(args);
    let own = args.get(..args.len() - rest.len()).unwrap_or_default();
    letters.contains(['x', 'v'])
        || own.iter().any(|arg| matches!(arg.as_str(), "xtrace" | "verbose" | "--verbose"))
}

/// The letters of a shell's options, and what follows them.
fn options(args: &[Arg]) -> (String, &[Arg]) {
    let mut letters = String::new();
    let mut rest = args;
    while let Some((first, after)) = rest.split_first() {
        let text = first.as_str();
        if text == "--" || text == "-" {
            return (letters, after);
        }
        let values;
        if text.starts_with("--") {
            values = usize::from(matches!(text, "--rcfile" | "--init-file"));
        } else if let Some(flags) = text.strip_prefix(['-', '+']) {
            if text.starts_with('-') {
                letters.push_str(flags);
            }
            values = flags.matches(['o', 'O']).count();
        } else {
            break;
        }
        rest = after.get(values..).unwrap_or_default();
    }
    (letters, rest)
}

/// Returns true if a program of this name, without its folder, runs code of another language; `python3.12` is
/// `python`.
pub fn is_interpreter(name: &str) -> bool {
    INTERPRETERS.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

fn is_powershell(name: &str) -> bool {
    matches!(name, "pwsh" | "powershell")
}

/// Only where its code comes from: the code itself is another language's.
fn interpreter(name: &str, args: &[Arg]) -> Option<Wrapped> {
    let in_argument =
        args.iter().any(|arg| matches!(arg.as_str(), "-c" | "-e" | "-m" | "-p" | "-r" | "eval"));
    let code = args.iter().find(|arg| arg.origin.is_unseen());
    let inner = if in_argument {
        Inner::Script { text: code?.clone(), zero: None, positional: None }
    } else {
        match args.iter().find(|arg| !arg.as_str().starts_with('-')) {
            Some(path) if !STDIN.contains(&path.as_str()) => Inner::Foreign(Some(path.clone())),
            // The options of others may be code; those of PowerShell are words.
            None if !is_powershell(name) && args.iter().any(|arg| arg.as_str().len() > 2) => return None,
            _ => Inner::Foreign(None),
        }
    };
    Some(Wrapped::new(name, inner))
}
