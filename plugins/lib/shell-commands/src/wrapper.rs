//! Commands that run another command: which words, or which text.

mod awk;
mod carrier;
mod clients;
mod coded;
mod debugger;
mod env;
mod find;
mod foreign;
mod handed;
mod lisp;
mod loader;
mod make;
mod powershell;
mod runner;
mod sed;
mod selection;
mod shell;
mod table;
mod tcl;
mod typed;
mod user;
mod xargs;

pub(crate) use awk::awk_effects;
pub(crate) use carrier::{carried, git_options, is_editor, is_run};
pub(crate) use coded::{code_bytes, opened_by_code, written_by_code};
pub(crate) use find::search;
pub(crate) use handed::option_values;
pub(crate) use make::{recipes, rule_files};
pub(crate) use powershell::is_unread;
pub use powershell::only_reads;
pub(crate) use sed::sed_files;
pub(crate) use shell::{STDIN, is_traced};
pub use shell::{is_interpreter, is_shell};

use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
};

/// A command or script that a wrapper runs.
#[derive(Clone, Debug)]
pub(crate) enum Inner {
    /// A command with its arguments.
    Words(Vec<Arg>),
    /// Shell text in an argument.
    Script {
        /// The text.
        text: Arg,
        /// `$0`.
        zero: Option<Arg>,
        /// `$1` and so on, if they are new.
        positional: Option<Vec<Arg>>,
    },
    /// Shell text that is read from the standard input.
    Stdin {
        /// `$1` and so on.
        positional: Vec<Arg>,
    },
    /// Shell text in a file.
    File {
        /// The file.
        path: Arg,
        /// `$1` and so on, if they are new.
        positional: Option<Vec<Arg>>,
    },
    /// A program in another language, in a file or on the standard input.
    Foreign(Option<Arg>),
}

/// A wrapper, unwrapped.
#[derive(Clone, Debug)]
pub(crate) struct Wrapped {
    /// Label of the wrapper in messages.
    pub(crate) label: String,
    /// Commands and scripts that the wrapper runs.
    pub(crate) inner: Vec<Inner>,
    /// True if the inner command can change the shell itself.
    pub(crate) same_process: bool,
    /// Variables that it sets.
    pub(crate) variables: Vec<(String, Arg)>,
    /// The folder that it changes to.
    pub(crate) folder: Option<Arg>,
    /// True if the wrapper prints the commands that it runs: `bash -x`.
    pub(crate) is_traced: bool,
}

impl Wrapped {
    fn new(label: &str, inner: Inner) -> Self {
        Self::each(label, vec![inner])
    }

    fn each(label: &str, inner: Vec<Inner>) -> Self {
        Self {
            label: label.to_owned(),
            inner,
            same_process: false,
            variables: Vec::new(),
            folder: None,
            is_traced: false,
        }
    }

    fn words(label: &str, words: &[Arg]) -> Option<Self> {
        (!words.is_empty()).then(|| Self::new(label, Inner::Words(words.to_vec())))
    }

    fn script(label: &str, text: Arg) -> Self {
        Self::new(label, Inner::Script { text, zero: None, positional: None })
    }

    /// A shell that runs what it reads.
    fn of_input(label: &str) -> Self {
        Self::new(label, Inner::Stdin { positional: Vec::new() })
    }

    fn in_shell(mut self) -> Self {
        self.same_process = true;
        self
    }
}

/// Returns the commands inside a wrapper; `None` if the command is not one.
pub(crate) fn unwrap(call: &Call) -> Option<Wrapped> {
    let name = call.name();
    match name {
        "env" | "genv" => env::unwrap(call),
        "eval" => Some(Wrapped::script("eval", joined(call.args())).in_shell()),
        "find" | "gfind" => find::unwrap(call),
        "at" | "batch" | "newgrp" => Some(Wrapped::of_input(name)),
        "xargs" | "gxargs" => xargs::unwrap(call),
        "parallel" => Some(xargs::parallel(call)),
        "ssh" => ssh(call),
        "watch" => watch(call),
        "su" | "runuser" => user::switch(name, call),
        "sg" => user::group(call),
        "git" => carrier::bisect(call),
        // Git's own programs lie in a folder of theirs: `/usr/lib/git-core/git-reset`.
        name if name.starts_with("git-") => carrier::own_program_of_git(name, call),
        "fd" | "fdfind" => find::fd(call),
        name if ARCHITECTURES.contains(&name) => Some(architecture(name, call)),
        "script" => record(call),
        "flock" => flock(call),
        "hookbox" => confined(call),
        "cmake" => cmake(call),
        "cargo" if call.touches => built(call),
        "sudo" | "doas" if shell_only(call) => Some(Wrapped::of_input(name)),
        "command" if Options::parse(call.args(), Grammar::default()).has_letter("vV") => None,
        _ => shell::unwrap(name, call)
            .or_else(|| runner::unwrap(name, call))
            .or_else(|| loader::unwrap(name, call))
            .or_else(|| table::unwrap(name, call)),
    }
}

/// Several words as the one text that a shell makes of them.
fn joined(words: &[Arg]) -> Arg {
    if let [word] = words {
        return Arg { text: word.plain(), origin: word.origin.clone(), ..Arg::default() };
    }
    let mut all = Arg::default();
    for (at, word) in words.iter().enumerate() {
        all.text.extend((at > 0).then_some(' '));
        all.text.push_str(&word.plain());
        all.origin.join(&word.origin);
    }
    all
}

/// Takes `NAME=value` words from the front.
fn take_variables(words: &[Arg]) -> (Vec<(String, Arg)>, &[Arg]) {
    let is_name =
        |name: &str| !name.is_empty() && !name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let mut variables = Vec::new();
    let mut rest = words;
    while let Some((first, after)) = rest.split_first() {
        let Some((name, value)) = first.as_str().split_once('=').filter(|(name, _)| is_name(name)) else {
            break;
        };
        variables.push((name.to_owned(), Arg { text: value.to_owned(), ..first.clone() }));
        rest = after;
    }
    (variables, rest)
}

/// The command runs on another machine, with that machine's files.
fn ssh(call: &Call) -> Option<Wrapped> {
    let grammar = Grammar { short: "BbcDEeFIiJLlmOoPpQRSWw", ..Grammar::default() };
    let options = Options::parse(call.args(), grammar);
    // Options may stand on both sides of the host.
    let after = Options::parse(options.operands.get(1..)?, grammar);
    if after.operands.is_empty() {
        return Some(Wrapped::of_input("ssh"));
    }
    Some(Wrapped::script("ssh", joined(&after.operands)))
}

fn watch(call: &Call) -> Option<Wrapped> {
    let grammar = Grammar { short: "nqs", long: &["interval", "equexit", "shotsdir"], anywhere: false };
    let options = Options::parse(call.args(), grammar);
    if options.has_letter("x") || options.has_long("--exec") {
        return Wrapped::words("watch", &options.operands);
    }
    (!options.operands.is_empty()).then(|| Wrapped::script("watch", joined(&options.operands)))
}

/// `setarch` under all of its names.
const ARCHITECTURES: &[&str] = &["setarch", "linux32", "linux64", "i386", "i686", "x86_64", "aarch64"];

/// The first word may be an architecture or already the command.
fn architecture(name: &str, call: &Call) -> Wrapped {
    let options = Options::parse(call.args(), Grammar::default());
    let Some((_, behind)) = options.operands.split_first() else { return Wrapped::of_input(name) };
    if behind.is_empty() && ARCHITECTURES.first() == Some(&name) {
        return Wrapped::of_input(name);
    }
    Wrapped::each(name, vec![Inner::Words(options.operands.clone()), Inner::Words(behind.to_vec())])
}

fn record(call: &Call) -> Option<Wrapped> {
    let grammar = Grammar { short: "cIOBTmoE", long: &["command"], anywhere: false };
    let options = Options::parse(call.args(), grammar);
    // The command may also follow the file, as an option or, on BSD, as plain words.
    let behind = options.operands.get(1..).unwrap_or_default();
    let late = Options::parse(behind, grammar);
    match options.value(&["c", "--command"]).or_else(|| late.value(&["c", "--command"])) {
        Some(text) => Some(Wrapped::script("script -c", text.clone())),
        // Without a command it is a shell's session, which is typed into it.
        None => Wrapped::words("script", behind).or_else(|| Some(Wrapped::of_input("script"))),
    }
}

fn flock(call: &Call) -> Option<Wrapped> {
    let grammar = Grammar { short: "wE", long: &["timeout", "wait", "conflict-exit-code"], anywhere: false };
    let options = Options::parse(call.args(), grammar);
    let words = options.operands.get(1..)?;
    match words {
        [flag, text, ..] if matches!(flag.as_str(), "-c" | "--command") => {
            Some(Wrapped::script("flock -c", text.clone()))
        }
        _ => Wrapped::words("flock", words),
    }
}

/// Unwraps `hookbox confine --profile tests -- make check`: the restrictions of a confined command are not a reason to
/// allow it.
fn confined(call: &Call) -> Option<Wrapped> {
    const GRAMMAR: Grammar<'static> = Grammar {
        short: "",
        long: &["profile", "project", "home", "config-home", "state-home", "cache-home"],
        anywhere: false,
    };
    let (verb, rest) = call.args().split_first()?;
    if verb.as_str() != "confine" {
        return None;
    }
    Wrapped::words("hookbox confine", &Options::parse(rest, GRAMMAR).operands)
}

/// `cargo run --bin hookbox -- list`: the program, built here.
fn built(call: &Call) -> Option<Wrapped> {
    let long = &["bin", "package", "manifest-path", "profile", "features", "target", "target-dir", "config"];
    let grammar = Grammar { short: "pFj", long, anywhere: false };
    let first = Options::parse(call.args(), grammar);
    let words = first.operands.iter().skip_while(|word| word.as_str().starts_with('+')).cloned();
    let words: Vec<Arg> = words.collect();
    let (verb, rest) = words.split_first().filter(|(verb, _)| matches!(verb.as_str(), "run" | "r"))?;
    let options = Options::parse(rest, grammar);
    let given = options.given.iter().chain(&first.given);
    let names = given.filter_map(|(_, value)| value.as_ref()).filter_map(Arg::base_name);
    let places = option_values(rest, &["--manifest-path"]);
    let is_own = names.clone().any(|name| name == "hookbox" || name == "hookbox-cli")
        || places.iter().any(|place| place.contains("hookbox"));
    let operands = options.operands.iter().cloned();
    let program = [Arg::new("hookbox")].into_iter().chain(operands).collect::<Vec<_>>();
    Wrapped::words(&format!("cargo {}", verb.as_str()), &program).filter(|_| is_own)
}

/// `cmake -E rm -rf folder`: commands that are called as those of a shell.
fn cmake(call: &Call) -> Option<Wrapped> {
    let (flag, words) = call.args().split_first()?;
    let (verb, rest) = words.split_first().filter(|_| flag.as_str() == "-E")?;
    let name = match verb.as_str() {
        "chdir" | "copy_directory_if_different" => return None,
        "copy" | "copy_if_different" => "cp",
        "copy_directory" => "cp -r",
        "create_hardlink" => "ln",
        "create_symlink" => "ln -s",
        "make_directory" => "mkdir",
        "remove" => "rm",
        "remove_directory" => "rm -r",
        "rename" => "mv",
        "touch_nocreate" => "touch",
        other => other,
    };
    let name = name.split(' ').map(Arg::new);
    Wrapped::words("cmake -E", &name.chain(rest.iter().cloned()).collect::<Vec<_>>())
}

/// `sudo -s` and `sudo -i` without a command start a shell.
fn shell_only(call: &Call) -> bool {
    let options = Options::parse(call.args(), table::SUDO);
    options.operands.is_empty()
        && (options.has_letter("si") || options.has_long("--shell") || options.has_long("--login"))
}
