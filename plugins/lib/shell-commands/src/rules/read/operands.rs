//! The words of programs that are on no list: any of them may be a file.

use super::{COPIERS, silent, tables};
use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
    rules::is_in_place,
    wrapper::{Inner, is_interpreter, is_shell, unwrap},
};

/// Words of long options whose value a program loads and shows nothing of: `--env-file`, `--ssl-keyfile`, `--identity`.
const LOADING: &[&str] = &[
    "ca",
    "credential",
    "credentials",
    "dotenv",
    "identity",
    "kubeconfig",
    "password",
    "pem",
    "secret",
    "secrets",
];
const LOADING_BEGINS: &[&str] = &["cert", "env", "key", "ssl", "tls"];
/// Words of options whose value is left out of what is read.
const EXCLUDING: &[&str] = &["exclude", "ignore", "skip", "without"];
/// More blanks than a path has.
const MAX_BLANKS: usize = 3;

/// The words of a program on no list that may be files which it prints.
pub(super) fn printed(name: &str, call: &Call) -> Vec<String> {
    if is_listed(name, call) { Vec::new() } else { words(call.args()) }
}

/// Returns the words of a program that may be files which it writes, because its effect on them is unknown.
pub(crate) fn given(name: &str, call: &Call) -> Vec<String> {
    if silent::fetches(name) {
        return words(call.args()).into_iter().filter(|word| !word.contains(':')).collect();
    }
    if is_listed(name, call) {
        return Vec::new();
    }
    if is_filter(name, call.args()) {
        return Vec::new();
    }
    let script = if runs_file(name) { script(name, call.args()) } else { None };
    let mut words = words(call.args());
    words.retain(|word| Some(word.as_str()) != script);
    words
}

/// Returns true if a program's use of its words is known: it is on a list, or exists to run another program.
fn is_listed(name: &str, call: &Call) -> bool {
    let first = call.args().first().map_or("", Arg::as_str);
    name.is_empty()
        || call.is_guessed
        || silent::keeps_operands(name, first)
        || tables::find(name).is_some()
        || COPIERS.contains(&name)
        || matches!(name, "." | "source" | "xargs" | "parallel")
        || is_shell(name)
        || (!is_interpreter(name) && runs_another(call))
}

fn runs_another(call: &Call) -> bool {
    let is_known = |inner: &Inner| !matches!(inner, Inner::Foreign(_));
    unwrap(call).is_some_and(|wrapped| wrapped.inner.iter().all(is_known))
}

/// `perl -ne 'print' file`: what its code writes is looked at for itself.
fn is_filter(name: &str, args: &[Arg]) -> bool {
    let options = Options::parse(args, Grammar { short: "eEIMm", long: &[], anywhere: false });
    matches!(name, "perl" | "ruby") && options.has_letter("np") && !is_in_place(name, args)
}

/// Returns true if the first word of a program is the file that it runs.
fn runs_file(name: &str) -> bool {
    is_interpreter(name)
        || matches!(name, "go" | "java" | "swift" | "ts-node" | "tsx" | "wasmtime" | "wasmer")
}

/// The program that an interpreter is to run: `python3 file`, `deno run file`.
fn script<'a>(name: &str, args: &'a [Arg]) -> Option<&'a str> {
    let has_verbs = matches!(name, "bun" | "deno" | "go" | "swift" | "wasmer" | "wasmtime");
    let is_verb = |arg: &&Arg| has_verbs && matches!(arg.as_str(), "check" | "run" | "test");
    // `-` is the standard input in the place of a file.
    let is_word = |arg: &&Arg| arg.as_str() == "-" || !arg.as_str().starts_with('-');
    let mut words = args.iter().filter(is_word).peekable();
    let verb = words.next_if(is_verb);
    let first = words.next().or(verb);
    let is_code = args.iter().any(|arg| matches!(arg.as_str(), "-c" | "-e" | "-m" | "-p" | "-r"));
    first.filter(|_| !is_code).map(Arg::as_str)
}

fn words(args: &[Arg]) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_loaded = false;
    for arg in args {
        let text = arg.as_str();
        let was_loaded = std::mem::take(&mut is_loaded);
        let Some(option) = text.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
            found.extend((!was_loaded).then(|| text.trim_start_matches('@').to_owned()));
            continue;
        };
        let (option, value) =
            option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
        if loads(option) {
            is_loaded = value.is_none();
        } else if let Some(value) = value {
            found.push(value.trim_start_matches('@').to_owned());
        } else if !option.starts_with('-') {
            // `-ofile`
            found.push(option.chars().skip(1).collect());
        }
    }
    found.retain(|text| may_be_path(text));
    found
}

fn loads(option: &str) -> bool {
    let words = option.to_lowercase();
    let mut words = words.split(['-', '_']).filter(|word| !word.is_empty());
    option.len() > 1
        && words.any(|word| {
            LOADING.contains(&word)
                || EXCLUDING.contains(&word)
                || LOADING_BEGINS.iter().any(|begin| word.starts_with(begin))
        })
}

/// Code and prose name files, too, but not as a whole.
fn may_be_path(text: &str) -> bool {
    let blanks = text.chars().filter(|c| c.is_whitespace()).count();
    !text.is_empty()
        && blanks <= MAX_BLANKS
        && !text.contains(['\n', '"', '\'', '(', ')', '|', ';', '<', '>'])
}
