//! Code of Lisps that a program is passed: `emacs --eval '(delete-file "x")'`.

/// Programs that are passed such code.
const PROGRAMS: &[&str] = &["emacs", "emacsclient", "guile", "sbcl"];
/// Functions that only look at files, or at none. All others may write what they name.
const LOOKING: &[&str] = &[
    "+",
    "-",
    "/",
    "=",
    "car",
    "cdr",
    "cons",
    "concat",
    "defun",
    "defvar",
    "directory-files",
    "display",
    "dolist",
    "expand-file-name",
    "file-exists-p",
    "find-file-noselect",
    "format",
    "getenv",
    "if",
    "insert-file-contents",
    "kill-emacs",
    "lambda",
    "let",
    "let*",
    "list",
    "load",
    "load-file",
    "message",
    "not",
    "prin1",
    "princ",
    "print",
    "progn",
    "require",
    "setq",
    "unless",
    "when",
    "with-temp-buffer",
    "buffer-string",
];
/// Text in the names of functions that start a program.
const STARTING: &[&str] =
    &["command", "compile", "exec", "process", "run-program", "shell", "system", "term"];

/// Returns true if a program is passed code of a Lisp.
pub(super) fn runs_lisp(name: &str) -> bool {
    PROGRAMS.contains(&name)
}

/// Returns the files that the code may write.
pub(super) fn paths(code: &str) -> Vec<String> {
    if !code.trim_start().starts_with('(') || functions(code).all(|name| LOOKING.contains(&name)) {
        return Vec::new();
    }
    literals(code).into_iter().filter(|text| text.contains(['.', '/'])).collect()
}

/// The commands that the code starts, as shell text.
pub(super) fn commands(code: &str) -> Vec<String> {
    let starts = |name: &str| STARTING.iter().any(|part| name.contains(part));
    if !code.trim_start().starts_with('(') || !functions(code).any(starts) {
        return Vec::new();
    }
    let literals = literals(code);
    let all = literals.join(" ");
    literals.into_iter().chain([all]).collect()
}

/// Returns the names behind opening parentheses.
fn functions(code: &str) -> impl Iterator<Item = &str> {
    let name =
        |rest: &str| rest.find(|c: char| c.is_whitespace() || "()\"".contains(c)).unwrap_or(rest.len());
    code.split('(')
        .skip(1)
        .map(move |rest| rest.get(..name(rest)).unwrap_or_default())
        .filter(|name| !name.is_empty())
}

fn literals(code: &str) -> Vec<String> {
    code.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}
