//! Programs that are passed code of another language, and the files that such code names.

use super::{debugger, foreign, lisp, powershell, shell::is_interpreter, tcl};
use crate::{
    arg::{Arg, HOME},
    call::Call,
};

/// Programs that take code as interpreters do, and are not known to run what was downloaded.
const CODED: &[&str] = &[
    "elixir", "ghc", "groovy", "ipython", "jshell", "julia", "luajit", "pypy", "r", "runghc", "ts-node",
    "tsx",
];
/// Maximum length of a path; a longer word is ignored.
const MAX_PATH: usize = 512;
/// Letters behind which code may begin in the same word: `-c"…"`, `-pe'…'`.
const LETTERS: &str = "ceEprx";

/// Returns true if words of a program may be code.
pub(super) fn is_coded(name: &str) -> bool {
    is_interpreter(name) || CODED.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

/// The files that the code of another language, in an argument or on the standard input, may write.
pub(crate) fn written_by_code(call: &Call) -> Vec<String> {
    let name = call.name();
    let codes = codes(call);
    let paths: Vec<String> = match name {
        "pwsh" | "powershell" => codes.iter().flat_map(|code| powershell::paths(code)).collect(),
        name if tcl::runs_tcl(name) => codes.iter().flat_map(|code| tcl::paths(code)).collect(),
        name if debugger::is_debugger(name) => codes.iter().flat_map(|code| debugger::paths(code)).collect(),
        name if lisp::runs_lisp(name) => codes.iter().flat_map(|code| lisp::paths(code)).collect(),
        _ => codes.iter().flat_map(|code| foreign::paths(code)).collect(),
    };
    paths.into_iter().map(from_home).collect()
}

/// The files that the code of another language opens by a plain name.
pub(crate) fn opened_by_code(call: &Call) -> Vec<String> {
    if !is_interpreter(call.name()) {
        return Vec::new();
    }
    codes(call).iter().flat_map(|code| foreign::opened(code)).map(from_home).collect()
}

/// The texts that may be code.
pub(super) fn codes(call: &Call) -> Vec<String> {
    let runs_code: [fn(&str) -> bool; 5] =
        [is_coded, lisp::runs_lisp, tcl::runs_tcl, debugger::is_debugger, super::is_editor];
    if !runs_code.iter().any(|runs| runs(call.name())) {
        return Vec::new();
    }
    let stdin = call.stdin.text.iter().filter(|_| call.has_stdin).cloned();
    call.args().iter().filter_map(code).chain(stdin).collect()
}

/// How many bytes those have.
pub(crate) fn code_bytes(call: &Call) -> usize {
    if !is_coded(call.name()) {
        return 0;
    }
    let stdin = call.stdin.text.as_ref().filter(|_| call.has_stdin).map_or(0, String::len);
    call.args().iter().map(|arg| arg.text.len()).sum::<usize>() + stdin
}

/// A word, without the option that it is the value of.
fn code(arg: &Arg) -> Option<String> {
    let text = arg.plain();
    if text.starts_with("--") {
        return text.split_once('=').map(|(_, code)| code.to_owned());
    }
    let Some(letters) = text.strip_prefix('-') else { return Some(text) };
    let at = letters.find(|c| LETTERS.contains(c))?;
    // `-pe'…'`
    let behind = letters.get(at..)?.trim_start_matches(|c| LETTERS.contains(c));
    let whole = letters.get(at + 1..)?;
    (!whole.is_empty()).then(|| format!("{whole}\n{behind}"))
}

/// Returns the words of the code that may be paths, without the quotes and brackets around them.
pub(super) fn path_words(code: &str) -> Vec<String> {
    let code = code.replace("$env(HOME)", "~");
    let words = code.split(|c: char| c.is_whitespace() || "\"'`(){}[]<>,;|&=".contains(c));
    words.filter(|word| word.contains(['.', '/']) && word.len() < MAX_PATH).map(str::to_owned).collect()
}

fn from_home(path: String) -> String {
    match path.strip_prefix("~/") {
        Some(below) => format!("{HOME}/{below}"),
        None => path,
    }
}
