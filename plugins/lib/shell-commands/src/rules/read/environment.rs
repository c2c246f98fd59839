//! Variables that a secret file became, and commands that print them.

use super::{Read, Reading};
use crate::{
    arg::{Arg, ENVIRONMENT},
    call::Call,
    wrapper::{is_interpreter, option_values},
};

/// Options whose value is a file of variables for what a program runs.
const FILES: &[&str] = &["--env-file", "--env-path", "--envfile", "--dotenv", "--env-file-if-exists"];
/// Commands that print variables, as words of a program that runs them elsewhere.
const PRINTERS: &[&str] = &["env", "printenv", "export", "set"];
/// Builtins that make variables of their words.
const SETTERS: &[&str] = &["declare", "env", "eval", "export", "local", "readonly", "typeset"];
/// Text in code that prints, and in code that names its variables.
const PRINTING: &[&str] =
    &["print", "console.", "puts", "echo", "say ", "stdout", "write(", "dump", "inspect", "p ENV", "log("];
const VARIABLES: &[&str] = &[
    "environ",
    "getenv",
    "process.env",
    "ENV[",
    "ENV.",
    "%ENV",
    "$ENV{",
    "$_ENV",
    "Deno.env",
    "Bun.env",
    "ENVIRON",
    "dotenv_values",
    "$ENV",
];
/// Expressions that test whether a variable exists, or its length.
const ASKING: &[&str] =
    &["len(", "bool(", ".length", "!!process.env", " in os.environ", " if os.", " in process.env"];

/// Returns the secret file that a command loads into variables, with unknown names.
pub(crate) fn loads(call: &Call) -> Option<String> {
    let secret = match call.name() {
        "." | "source" => {
            let first = call.args().first()?;
            call.secret(first.as_str()).or_else(|| first.stream.as_ref()?.origin.secret.clone())
        }
        name if SETTERS.contains(&name) => call.args().iter().filter(|arg| !is_named(arg)).find_map(carried),
        _ => None,
    };
    secret.filter(|path| path != ENVIRONMENT)
}

fn carried(arg: &Arg) -> Option<String> {
    arg.origin.secret.clone()
}

/// `NAME=…`
fn is_named(arg: &Arg) -> bool {
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    arg.as_str().split_once('=').is_some_and(|(name, _)| !name.is_empty() && is_name(name))
}

/// The files whose content a command prints as variables.
pub(super) fn files(name: &str, call: &Call, printed: &Reading) -> Vec<Read> {
    let mut read = Vec::new();
    let reading = |path: &String| Read::new(path, printed.clone());
    let is_code = is_interpreter(name) || matches!(name, "awk" | "gawk" | "mawk" | "nawk" | "jq" | "gojq");
    let prints_code = || is_code && prints_variables(call);
    if call.loaded.as_deref().is_some_and(|path| path != ENVIRONMENT)
        && (prints_all(name, call.args()) || prints_code())
    {
        read.extend(call.loaded.as_ref().map(reading));
    }
    let own = option_values(call.args(), FILES);
    if !own.is_empty() && (prints_elsewhere(call.args()) || prints_code()) {
        read.extend(own.iter().map(reading));
    }
    if matches!(name, "echo" | "printf" | "print") || call.is_traced {
        let secrets = call.args().iter().filter_map(carried).filter(|path| path != ENVIRONMENT);
        read.extend(secrets.map(|path| reading(&path)));
    }
    read
}

/// Returns true if a command prints every variable, or one that it names.
fn prints_all(name: &str, args: &[Arg]) -> bool {
    let is_option = |arg: &Arg| arg.as_str().starts_with('-');
    match name {
        "printenv" => true,
        "env" | "genv" => args.iter().all(|arg| is_option(arg) || arg.as_str().contains('=')),
        "set" => args.is_empty(),
        "declare" | "export" | "local" | "readonly" | "typeset" => {
            args.iter().all(is_option) || args.iter().any(|arg| is_option(arg) && arg.as_str().contains('p'))
        }
        _ => false,
    }
}

/// `docker run --env-file .env image env`, `docker compose --env-file .env config`.
fn prints_elsewhere(args: &[Arg]) -> bool {
    let has_word = |words: &[&str]| args.iter().any(|arg| words.contains(&arg.as_str()));
    let is_brief =
        has_word(&["-q", "--quiet", "--services", "--images", "--volumes", "--profiles", "--hash"]);
    has_word(PRINTERS) || (has_word(&["config", "convert"]) && !is_brief)
}

fn prints_variables(call: &Call) -> bool {
    let is_printed = call.args().iter().any(|arg| matches!(arg.as_str(), "-p" | "--print" | "-pe"));
    let stdin = call.stdin.text.iter().filter(|_| call.has_stdin).cloned();
    let codes = call.args().iter().map(Arg::plain).chain(stdin);
    codes.flat_map(|code| code.lines().map(str::to_owned).collect::<Vec<_>>()).any(|line| {
        let first = |words: &[&str]| words.iter().filter_map(|word| line.find(word)).min();
        let named = VARIABLES.iter().filter_map(|word| line.rfind(word)).max();
        let asks = ASKING.iter().any(|word| line.contains(word));
        let is_behind = |named: usize| first(PRINTING).is_some_and(|at| at < named);
        !asks && named.is_some_and(|named| is_printed || is_behind(named))
    })
}
