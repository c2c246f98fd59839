//! Loaders, emulators and debuggers: they run the program file that they are given.

use super::Wrapped;
use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
};

/// Beginnings of the names of dynamic loaders.
const LOADERS: &[&str] = &["ld-linux", "ld-musl-", "ld.so", "ld64.so", "ld-2."];
const LOADER: Grammar<'static> = Grammar {
    short: "",
    long: &[
        "library-path",
        "argv0",
        "preload",
        "audit",
        "inhibit-rpath",
        "glibc-hwcaps-mask",
        "glibc-hwcaps-prepend",
    ],
    anywhere: false,
};
/// Emulators of another processor for single programs.
const EMULATORS: &[&str] = &["box64", "box86", "fex", "fexinterpreter"];
/// Their options with a value, each a word of its own.
const EMULATOR_VALUES: &[&str] = &[
    "-0", "-A", "-B", "-D", "-E", "-L", "-R", "-U", "-cpu", "-d", "-dfilter", "-g", "-p", "-plugin", "-r",
    "-s", "-seed",
];

pub(super) fn unwrap(name: &str, call: &Call) -> Option<Wrapped> {
    let args = call.args();
    let words = match name {
        "gdb" | "gdb-multiarch" | "rust-gdb" | "cgdb" => {
            let at = args.iter().position(|arg| matches!(arg.as_str(), "--args" | "-args"))?;
            let behind = args.get(at + 1..)?;
            Options::parse(behind, DEBUGGER).operands
        }
        "lldb" | "rust-lldb" => {
            let mut words = Options::parse(args, DEBUGGER).operands;
            words.retain(|word| word.as_str() != "--");
            words
        }
        "rr" => {
            let (verb, behind) = args.split_first()?;
            let behind = if verb.as_str() == "record" { behind } else { args };
            Options::parse(behind, Grammar { short: "cnoveD", ..Grammar::default() }).operands
        }
        name if LOADERS.iter().any(|loader| name.starts_with(loader)) => {
            Options::parse(args, LOADER).operands
        }
        name if EMULATORS.contains(&name) || is_user_emulator(name) => emulated(args).to_vec(),
        _ => return None,
    };
    Wrapped::words(name, &words)
}

const DEBUGGER: Grammar<'static> = Grammar {
    short: "oOsSfnpaklrKWxcdiP",
    long: &[
        "one-line",
        "one-line-before-file",
        "source",
        "source-before-file",
        "file",
        "attach-name",
        "attach-pid",
        "arch",
        "source-quietly",
        "core",
        "repl",
        "source-on-crash",
        "one-line-on-crash",
        "wait-for",
    ],
    anywhere: false,
};

/// `qemu-x86_64`, but neither `qemu-system-x86_64` nor a tool such as `qemu-img`.
fn is_user_emulator(name: &str) -> bool {
    let other = ["system-", "img", "io", "nbd", "storage-daemon", "ga", "edid", "pr-helper", "keymap"];
    name.strip_prefix("qemu-").is_some_and(|rest| !other.iter().any(|other| rest.starts_with(other)))
}

/// The program and its arguments, behind the emulator's own.
fn emulated(args: &[Arg]) -> &[Arg] {
    let mut rest = args;
    while let Some((first, after)) = rest.split_first() {
        if !first.as_str().starts_with('-') {
            break;
        }
        let values = usize::from(EMULATOR_VALUES.contains(&first.as_str()));
        rest = after.get(values..).unwrap_or_default();
    }
    rest
}
