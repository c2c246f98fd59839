//! Code of other languages: where an interpreter finds it.

use super::words::join_words;
use crate::{
    arg::Arg,
    call::Call,
    wrapper::{STDIN, is_interpreter},
};

/// The code that an interpreter is started with.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ForeignCode {
    /// Code in an argument.
    Argument(Arg),
    /// A file.
    File(Arg),
    /// The standard input.
    Input,
}

/// An interpreter: the letters of options behind which code follows, those of options with another value, and those with a value that
/// is part of the same word.
struct Interpreter {
    name: &'static str,
    code: &'static str,
    valued: &'static str,
    glued: &'static str,
}

const INTERPRETERS: &[Interpreter] = &[
    Interpreter { name: "python", code: "c", valued: "WXQ", glued: "" },
    Interpreter { name: "pypy", code: "c", valued: "WXQ", glued: "" },
    Interpreter { name: "perl", code: "eE", valued: "", glued: "MmIixDFlC0" },
    Interpreter { name: "ruby", code: "e", valued: "rIECx", glued: "WKTFi0" },
    Interpreter { name: "node", code: "ep", valued: "rC", glued: "" },
    Interpreter { name: "nodejs", code: "ep", valued: "rC", glued: "" },
    Interpreter { name: "php", code: "rBRE", valued: "cdz", glued: "" },
    Interpreter { name: "lua", code: "e", valued: "l", glued: "" },
    Interpreter { name: "osascript", code: "e", valued: "ls", glued: "" },
    Interpreter { name: "bun", code: "ep", valued: "rc", glued: "" },
    Interpreter { name: "rscript", code: "e", valued: "", glued: "" },
];
/// Long options behind which code follows.
const CODE_OPTIONS: &[&str] = &["--eval", "--print", "--run"];
/// Options of PowerShell behind which code follows, in lower case.
const POWERSHELL_CODE: &[&str] = &["-c", "-command", "-e", "-ec", "-enc", "-encodedcommand"];
/// Options of PowerShell with another value, in lower case.
const POWERSHELL_VALUES: &[&str] = &[
    "-configurationname",
    "-ep",
    "-executionpolicy",
    "-outputformat",
    "-version",
    "-windowstyle",
    "-workingdirectory",
];
/// Options that name a module, and options after which the interpreter only prints something about itself.
const OTHER_USES: &[&str] = &["-m", "--version", "-V", "-v", "--help", "-h", "--test", "--check"];
/// Subcommands of interpreters that are also package managers: the operand behind one is a file, or code.
const RUNNING: &[&str] = &["eval", "run"];

/// Returns the code that a call of an interpreter runs.
pub(super) fn foreign_code(call: &Call) -> Option<ForeignCode> {
    let name = without_extension(call.name());
    match name {
        "pwsh" | "powershell" => return powershell_code(call),
        "cmd" => return command_interpreter_code(call),
        name if !is_interpreter(name) => return None,
        _ => {}
    }
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let interpreter = INTERPRETERS.iter().find(|interpreter| interpreter.name == base);
    let mut rest = call.args().iter();
    while let Some(arg) = rest.next() {
        let text = arg.as_str();
        let (name, glued) = text.split_once('=').map_or((text, None), |(name, glued)| (name, Some(glued)));
        if CODE_OPTIONS.contains(&name) {
            let code = glued.map(Arg::new).or_else(|| rest.next().cloned());
            return code.map(ForeignCode::Argument);
        }
        if OTHER_USES.contains(&text) {
            return None;
        }
        match text.strip_prefix('-') {
            Some("") => return input_of(call),
            Some(long) if long.starts_with('-') => {}
            Some(letters) => match interpreter.map_or(Letters::None, |own| own.read_letters(letters)) {
                Letters::Code("") => return rest.next().cloned().map(ForeignCode::Argument),
                Letters::Code(code) => {
                    return Some(ForeignCode::Argument(Arg { text: code.to_owned(), ..arg.clone() }));
                }
                Letters::Value => drop(rest.next()),
                Letters::None => {}
            },
            None => return operand_code(base, arg, rest.next(), call),
        }
    }
    input_of(call)
}

/// Returns the name of a program of Windows without its extension.
pub(super) fn without_extension(name: &str) -> &str {
    name.strip_suffix(".exe").unwrap_or(name)
}

/// `cmd.exe /c command`: the rest of the words is the command.
fn command_interpreter_code(call: &Call) -> Option<ForeignCode> {
    let is_switch = |word: &Arg| matches!(word.text.to_lowercase().as_str(), "/c" | "/k" | "//c" | "//k");
    let at = call.args().iter().position(is_switch)?;
    let code = call.args().get(at + 1..)?;
    let is_open = code.iter().find(|word| word.literal().is_none());
    let text = join_words(code);
    Some(ForeignCode::Argument(Arg { text, ..is_open.cloned().unwrap_or_default() }))
}

fn powershell_code(call: &Call) -> Option<ForeignCode> {
    let mut rest = call.args().iter();
    while let Some(arg) = rest.next() {
        let name = arg.text.to_lowercase();
        if POWERSHELL_CODE.contains(&name.as_str()) {
            return rest.next().cloned().map(ForeignCode::Argument);
        }
        if matches!(name.as_str(), "-f" | "-file") {
            return rest.next().cloned().map(ForeignCode::File);
        }
        if POWERSHELL_VALUES.contains(&name.as_str()) {
            rest.next();
        } else if !name.starts_with('-') {
            return Some(ForeignCode::File(arg.clone()));
        }
    }
    input_of(call)
}

/// Meaning of a cluster of letters.
enum Letters<'a> {
    /// Code follows: the rest of the word, or the next word if that is empty.
    Code(&'a str),
    /// The next word is a value.
    Value,
    /// Nothing follows.
    None,
}

impl Interpreter {
    fn read_letters<'a>(&self, letters: &'a str) -> Letters<'a> {
        for (at, letter) in letters.char_indices() {
            let behind = letters.get(at + letter.len_utf8()..).unwrap_or_default();
            if self.code.contains(letter) {
                // `node -pe code`
                return Letters::Code(
                    behind.trim_start_matches(|c| self.name.starts_with("node") && self.code.contains(c)),
                );
            }
            if self.valued.contains(letter) {
                return if behind.is_empty() { Letters::Value } else { Letters::None };
            }
            if self.glued.contains(letter) {
                return Letters::None;
            }
        }
        Letters::None
    }
}

/// Returns the code that the first operand names, or the one behind a subcommand.
fn operand_code(base: &str, operand: &Arg, next: Option<&Arg>, call: &Call) -> Option<ForeignCode> {
    if STDIN.contains(&operand.as_str()) {
        return input_of(call);
    }
    if !matches!(base, "bun" | "deno") {
        return Some(ForeignCode::File(operand.clone()));
    }
    let next = next.filter(|_| RUNNING.contains(&operand.as_str()))?.clone();
    Some(if operand.as_str() == "eval" { ForeignCode::Argument(next) } else { ForeignCode::File(next) })
}

fn input_of(call: &Call) -> Option<ForeignCode> {
    call.has_stdin.then_some(ForeignCode::Input)
}
