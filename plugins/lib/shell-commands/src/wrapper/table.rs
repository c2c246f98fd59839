//! Wrappers that differ only in their options.

use super::{Wrapped, take_variables};
use crate::call::{Call, Grammar, Options};

/// `sudo` as one of the options that start a shell needs it, too.
pub(super) const SUDO: Grammar<'static> = Grammar {
    short: "CDghpRrtTUu",
    long: &[
        "user",
        "group",
        "host",
        "prompt",
        "chdir",
        "chroot",
        "close-from",
        "command-timeout",
        "other-user",
        "role",
        "type",
    ],
    anywhere: false,
};

/// A wrapper: its name, its short options with a value, its long ones, and how many words stand
/// before the command.
type Row = (&'static str, &'static str, &'static [&'static str], usize);

const WRAPPERS: &[Row] = &[
    ("-", "", &[], 0),
    ("--", "", &[], 0),
    ("builtin", "", &[], 0),
    ("busybox", "", &[], 0),
    ("caffeinate", "tw", &[], 0),
    ("choom", "np", &[], 0),
    ("chronic", "", &[], 0),
    ("chroot", "ugG", &["userspec", "groups"], 1),
    ("chrt", "TPD", &[], 1),
    ("command", "", &[], 0),
    ("cpulimit", "leP", &["limit"], 0),
    ("dbus-run-session", "", &[], 0),
    ("doas", "aCu", &[], 0),
    ("dumb-init", "r", &[], 0),
    ("eatmydata", "", &[], 0),
    ("entr", "", &[], 0),
    ("exec", "a", &[], 0),
    ("fakeroot", "lsifb", &[], 0),
    ("faketime", "f", &[], 1),
    ("firejail", "", &[], 0),
    ("gosu", "", &[], 1),
    ("ionice", "cnpPu", &["class", "classdata"], 0),
    ("ltrace", "aAeFlnopsuwx", &["output"], 0),
    ("nice", "n", &["adjustment"], 0),
    ("nocorrect", "", &[], 0),
    ("noglob", "", &[], 0),
    ("nohup", "", &[], 0),
    ("nsenter", "tSG", &["target", "setuid", "setgid", "wdns", "wd"], 0),
    ("numactl", "CNimp", &["cpunodebind", "interleave", "membind", "physcpubind", "preferred"], 0),
    ("pkexec", "", &["user"], 0),
    ("prlimit", "po", &["pid", "output"], 0),
    ("proxychains", "f", &[], 0),
    ("repeat", "", &[], 1),
    ("rlwrap", "aACbcDefHilmNOpPqrsStwz", &[], 0),
    ("run0", "ugDp", &["user", "group", "unit", "property", "slice", "chdir"], 0),
    ("screen", "cehpsStTX", &[], 0),
    ("setpriv", "", &["reuid", "regid", "groups"], 0),
    ("setsid", "", &[], 0),
    ("ssh-agent", "EOPat", &[], 0),
    ("stdbuf", "ioe", &["input", "output", "error"], 0),
    ("strace", "abeEoOpPsSuUX", &["output", "attach", "user"], 0),
    ("su-exec", "", &[], 1),
    ("systemd-inhibit", "", &["what", "who", "why", "mode"], 0),
    (
        "systemd-run",
        "pEMuHG",
        &[
            "unit",
            "property",
            "setenv",
            "uid",
            "gid",
            "slice",
            "description",
            "working-directory",
            "machine",
            "host",
        ],
        0,
    ),
    ("taskset", "", &[], 1),
    ("time", "fo", &["format", "output"], 0),
    ("gtime", "fo", &["format", "output"], 0),
    ("timeout", "ks", &["kill-after", "signal"], 1),
    ("gtimeout", "ks", &["kill-after", "signal"], 1),
    ("tini", "ep", &[], 0),
    ("torsocks", "", &[], 0),
    ("toybox", "", &[], 0),
    ("unbuffer", "", &[], 0),
    ("unshare", "SGRw", &["setuid", "setgid", "root", "wd", "map-user", "map-group", "propagation"], 0),
    ("valgrind", "", &[], 0),
    ("xvfb-run", "enfspw", &["server-args", "server-num", "error-file", "auth-file"], 0),
];

/// Options of wrappers for the folder that their command runs in.
const FOLDERS: &[&str] = &["--chdir", "--working-directory", "--wd", "--workdir", "--cwd"];

/// Wrappers that run their command inside the shell.
const IN_SHELL: &[&str] = &["-", "builtin", "command", "exec", "nocorrect", "noglob", "repeat", "time"];

/// Wrappers that start a shell if they are passed no command.
const STARTING_SHELLS: &[&str] = &["chroot", "fakeroot", "firejail", "nsenter", "pkexec", "run0", "unshare"];

pub(super) fn unwrap(name: &str, call: &Call) -> Option<Wrapped> {
    let (grammar, before) = if name == "sudo" {
        (SUDO, 0)
    } else {
        let (_, short, long, before) = WRAPPERS.iter().find(|(known, ..)| *known == name)?;
        (Grammar { short, long, anywhere: false }, *before)
    };
    let options = Options::parse(call.args(), grammar);
    let (variables, words) = take_variables(options.operands.get(before..).unwrap_or_default());
    let shell = || STARTING_SHELLS.contains(&name).then(|| Wrapped::of_input(name));
    let mut wrapped = Wrapped::words(name, words).or_else(shell)?;
    wrapped.variables = variables;
    wrapped.folder = options.value(FOLDERS).cloned();
    match name {
        "sudo" => wrapped.folder = options.value(&["D", "--chdir"]).cloned(),
        "unshare" => wrapped.folder = options.value(&["w", "--wd"]).cloned(),
        _ => {}
    }
    wrapped.same_process = IN_SHELL.contains(&name);
    Some(wrapped)
}
