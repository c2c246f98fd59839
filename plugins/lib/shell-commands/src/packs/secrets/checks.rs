//! Checks that a shape cannot express.

use crate::{
    arg::{Arg, HOME},
    call::Call,
    rules::{Reading, is_quiet, read_files},
};

/// Programs that look for text in files.
const SEARCHES: &[&str] = &["grep", "egrep", "fgrep", "rg", "ag", "ack", "ugrep"];
/// Words in a search for secrets.
const WORDS: &[&str] = &[
    "secret",
    "token",
    "passw",
    "api_key",
    "apikey",
    "api-key",
    "api[",
    "credential",
    "private key",
    "private_key",
    "akia",
    "ghp_",
    "sk-",
    "xoxb",
    "access_key",
    "auth",
];
/// Files in which shells and clients keep what was typed.
const HISTORIES: &[&str] = &[
    ".bash_history",
    ".zsh_history",
    ".zhistory",
    ".history",
    ".sh_history",
    ".ksh_history",
    "fish_history",
    ".psql_history",
    ".mysql_history",
    ".mariadb_history",
    ".sqlite_history",
    ".rediscli_history",
    ".mongo_history",
    ".dbshell",
    ".python_history",
    ".node_repl_history",
    ".irb_history",
    ".pry_history",
    "consolehost_history.txt",
];

/// `env | grep -i token`.
pub(super) fn environment(call: &Call) -> bool {
    let is_search = SEARCHES.contains(&call.name()) && !call.is_kept && !is_quiet(call.name(), call.args());
    is_search
        && call.stdin.origin.secret.as_deref() == Some("the environment")
        && looks_for_secrets(call.args())
}

pub(super) fn history(call: &Call) -> bool {
    let is_history = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
        HISTORIES.contains(&name.as_str())
    };
    let is_read = |how: &Reading| *how != Reading::Used;
    // To find out what a command reads takes longer than to see that it names none.
    let may_be = |text: &str| {
        let text = text.to_ascii_lowercase();
        text.contains("history") || text.contains(".dbshell")
    };
    let words = call.args().iter().chain(&call.reads).any(|arg| may_be(arg.as_str()));
    if !words && !call.stdin.text.as_deref().is_some_and(may_be) {
        return false;
    }
    !call.is_kept && read_files(call).iter().any(|read| is_read(&read.how) && is_history(&read.path))
}

/// `grep -r password ~`, `find / -name id_rsa`.
pub(super) fn key_search(call: &Call) -> bool {
    let is_wide = call.args().iter().any(|arg| is_everything(arg.as_str()));
    if !is_wide {
        return false;
    }
    match call.name() {
        "find" | "gfind" | "fd" | "fdfind" | "locate" => {
            call.args().iter().any(|arg| names_a_secret(&arg.plain()))
        }
        name if SEARCHES.contains(&name) => {
            let is_deep = matches!(name, "rg" | "ag" | "ack")
                || call.args().iter().any(|arg| {
                    let text = arg.as_str();
                    text == "--recursive"
                        || (text.starts_with('-') && !text.starts_with("--") && text.contains(['r', 'R']))
                });
            is_deep && looks_for_secrets(call.args())
        }
        _ => false,
    }
}

/// A home folder, or one above it.
fn is_everything(path: &str) -> bool {
    let home = path.strip_prefix(HOME).map(|below| below.trim_matches('/'));
    home.is_some_and(|below| below.is_empty() || below == ".config")
        || matches!(path.trim_end_matches(['/', '*']), "/home" | "/root" | "/Users" | "/etc")
        || (path.starts_with('/') && path.chars().all(|c| c == '/'))
}

fn looks_for_secrets(args: &[Arg]) -> bool {
    args.iter().any(|arg| {
        let text = arg.plain().to_lowercase();
        !text.starts_with("--") && WORDS.iter().any(|word| text.contains(word))
    })
}

fn names_a_secret(pattern: &str) -> bool {
    let name = pattern.to_lowercase();
    [
        "id_rsa",
        "id_ed25519",
        "id_ecdsa",
        ".pem",
        ".env",
        "credentials",
        ".kdbx",
        ".pgpass",
        ".netrc",
        ".p12",
        ".pfx",
        "wallet.dat",
        "secret",
    ]
    .iter()
    .any(|known| name.contains(known))
}
