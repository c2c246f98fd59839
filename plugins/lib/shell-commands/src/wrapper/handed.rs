//! Programs that are handed a command among words of their own: as an option's value, or at their end.

use crate::{arg::Arg, call::Call};

/// Programs whose last words are a command. Where it begins their options decide: each word may be its first.
const AT_END: &[&str] = &[
    "abduco",
    "alacritty",
    "aws-vault",
    "bwrap",
    "capsh",
    "catatonit",
    "catchsegv",
    "ccache",
    "cgexec",
    "chamber",
    "chpst",
    "concurrently",
    "cross-env",
    "daemon",
    "daemonize",
    "dbus-launch",
    "direnv",
    "distrobox",
    "distrobox-enter",
    "distrobox-host-exec",
    "doppler",
    "dotenv",
    "dotenvx",
    "dtach",
    "entr",
    "env-cmd",
    "envchain",
    "envdir",
    "envuidgid",
    "fakechroot",
    "firejail",
    "flatpak-spawn",
    "foot",
    "gnome-terminal",
    "guix",
    "host-spawn",
    "hyperfine",
    "infisical",
    "ip",
    "kitty",
    "konsole",
    "mosh",
    "mpirun",
    "nix",
    "nodemon",
    "nsjail",
    "op",
    "pexec",
    "pipexec",
    "proot",
    "proxychains4",
    "pueue",
    "retry",
    "rtx",
    "runcon",
    "runsv",
    "rush",
    "s6-applyuidgid",
    "s6-envdir",
    "s6-setlock",
    "s6-setsid",
    "s6-setuidgid",
    "s6-softlimit",
    "script",
    "sem",
    "setlock",
    "setuidgid",
    "softlimit",
    "sops",
    "srun",
    "systemd-nspawn",
    "systemd-run",
    "task-spooler",
    "toolbox",
    "torify",
    "trickle",
    "ts",
    "tsocks",
    "tsp",
    "uxterm",
    "vault-env",
    "watchexec",
    "with-contenv",
    "wsl.exe",
    "xterm",
];
/// Maximum number of words that may be the first of the command.
const MAX_STARTS: usize = 24;

/// Programs that give the value of an option to a shell, or run it.
const VALUES: &[(&[&str], &[&str])] = &[
    (&["ansible"], &["-a", "--args"]),
    (&["cpio"], &["--rsh-command"]),
    (&["cvs"], &["-e"]),
    (&["fzf", "sk"], &["--preview", "--bind"]),
    (&["man"], &["-P", "--pager", "-H", "--html"]),
    (&["nc", "ncat", "netcat"], &["-e", "-c", "--exec", "--sh-exec"]),
    (&["rg"], &["--pre", "--hostname-bin"]),
    (&["scp", "sftp"], &["-S"]),
    (&["sort", "gsort"], &["--compress-program"]),
    (&["split", "gsplit"], &["--filter"]),
    (&["tar", "gtar", "bsdtar"], &["--rsh-command"]),
    (&["tcpdump"], &["-z", "--postrotate-command"]),
    (&["wget"], &["--use-askpass"]),
    (&["zip"], &["-TT", "--unzip-command"]),
];

/// Programs that run the text behind one of these beginnings of a word.
const BEHIND: &[(&[&str], &[&str])] = &[
    (&["cargo"], &[""]),
    (&["expect"], &["spawn ", "exec "]),
    (&["fzf", "sk"], &["execute(", "execute-silent(", "become(", "reload("]),
    (&["gdb", "lldb"], &["shell ", "!", "platform shell "]),
    (&["less", "more"], &["+!", "!"]),
    (&["make", "gmake"], &["SHELL="]),
    (&["mysql", "mariadb", "psql"], &["\\! ", "\\!"]),
    (&["sftp", "ftp", "lftp"], &["!"]),
    (&["socat"], &["EXEC:", "SYSTEM:", "exec:", "system:", "SHELL:"]),
    (&["sqlite3"], &[".shell ", ".system "]),
];

/// The texts that a command may hand to a shell, or run as they are.
pub(super) fn commands(call: &Call) -> Vec<String> {
    let name = call.name();
    let mut texts = Vec::new();
    if AT_END.contains(&name) || is_loader(name) {
        texts.extend(endings(call.args()));
    }
    if let Some((_, options)) = VALUES.iter().find(|(names, _)| names.contains(&name)) {
        texts.extend(option_values(call.args(), options));
    }
    if let Some((_, marks)) = BEHIND.iter().find(|(names, _)| names.contains(&name)) {
        let texts_behind = call.args().iter().flat_map(|arg| behind(&arg.plain(), marks));
        let texts_behind = texts_behind.map(|text| {
            // `enter:execute(command)`
            if name == "fzf" || name == "sk" { text.trim_end_matches(')').to_owned() } else { text }
        });
        // `EXEC:command,pty`
        let cut = |text: String| {
            text.split(',').next().map(str::to_owned).filter(|_| name == "socat").unwrap_or(text.clone())
        };
        texts.extend(texts_behind.flat_map(|text| [cut(text.clone()), text]));
    }
    if name == "start-stop-daemon" {
        texts.extend(daemon(call.args()));
    }
    texts
}

/// `ld-linux-x86-64.so.2 PROGRAM`: the loader starts what it is given.
fn is_loader(name: &str) -> bool {
    name == "ld.so" || (name.starts_with("ld-") && name.contains(".so")) || name.starts_with("ld64.so")
}

/// The words from each place on, and each word that is a text of its own.
pub(super) fn endings(args: &[Arg]) -> Vec<String> {
    let mut texts: Vec<String> =
        args.iter().map(Arg::plain).filter(|text| text.trim().contains(' ')).take(MAX_STARTS).collect();
    let starts = args.iter().enumerate().filter(|(_, arg)| may_be_program(arg.as_str())).take(MAX_STARTS);
    texts.extend(starts.filter_map(|(at, _)| args.get(at..)).map(quoted));
    texts
}

fn may_be_program(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || "./_".contains(c)) && !word.ends_with(['/', '.'])
}

/// Quotes words for a shell.
fn quoted(words: &[Arg]) -> String {
    let quote = |word: &Arg| format!("'{}'", word.plain().replace('\'', r"'\''"));
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}

/// The values of options: in the next word, behind `=`, or in the same word as a letter.
pub(crate) fn option_values(args: &[Arg], options: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, arg) in args.iter().enumerate() {
        let text = arg.plain();
        for option in options {
            match text.strip_prefix(option) {
                Some("") => found.extend(args.get(at + 1).map(Arg::plain)),
                Some(rest) if option.starts_with("--") => {
                    found.extend(rest.strip_prefix('=').map(str::to_owned));
                }
                Some(rest) => found.push(rest.to_owned()),
                None => {}
            }
        }
    }
    found
}

fn behind(text: &str, marks: &[&str]) -> Vec<String> {
    let rest = |mark: &&str| text.split_once(*mark).map(|(_, rest)| rest.to_owned());
    marks.iter().filter_map(rest).filter(|rest| rest.contains(' ')).collect()
}

/// `--exec PROGRAM -- ARGUMENTS`.
fn daemon(args: &[Arg]) -> Vec<String> {
    let dashes = args.iter().position(|arg| arg.as_str() == "--").unwrap_or(args.len());
    let words = args.get(dashes + 1..).unwrap_or_default();
    let programs = option_values(args, &["--exec", "-x", "--startas", "-a"]);
    let folder = option_values(args, &["--chdir", "-d"]);
    let place = folder.first().map_or_else(String::new, |folder| format!("{} && ", changed_to(folder)));
    programs.iter().map(|program| format!("{place}{program} {}", quoted(words))).collect()
}

/// The command that changes to this folder.
pub(super) fn changed_to(folder: &str) -> String {
    format!("cd '{}'", folder.replace('\'', "'\\''"))
}
