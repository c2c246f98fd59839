//! Code of PowerShell and cmd: which files its commands may write, and whether they only read.

use crate::{arg::Arg, call::Call};

/// Beginnings of commands that only read.
const LOOKING: &[&str] = &[
    "cat ",
    "compare-",
    "convertfrom-",
    "dir ",
    "echo ",
    "format-",
    "gc ",
    "get-",
    "gci ",
    "import-",
    "ls ",
    "measure-",
    "resolve-path",
    "select-",
    "test-path",
    "type ",
    "write-host",
    "write-output",
];

/// Programs that run code which is not read, and their options with a command behind them, in lower case. In Git Bash a slash is doubled.
const CODE: &[(&[&str], &[&str])] = &[
    (&["cmd", "cmd.exe"], &["/c", "/k", "/r", "//c", "//k", "//r"]),
    (
        &["powershell", "powershell.exe", "pwsh", "pwsh.exe"],
        &["-c", "-command", "-commandwithargs", "-e", "-ec", "-enc", "-encodedcommand"],
    ),
];
/// Commands among those of `LOOKING` that run code or change a disk.
const ACTING: &[&str] = &["import-", "format-volume"];

/// Returns true if a program is PowerShell or cmd, and is passed code that may do more than read.
pub(crate) fn is_unread(call: &Call) -> bool {
    let Some((_, options)) = CODE.iter().find(|(names, _)| call.is(names)) else { return false };
    let at = call.args().iter().position(|arg| options.contains(&arg.as_str().to_lowercase().as_str()));
    let Some(code) = at.and_then(|at| call.args().get(at + 1..)) else { return false };
    let code: Vec<String> = code.iter().map(Arg::plain).collect();
    !only_reads(&code.join(" "))
}

/// Returns true if all commands of a PowerShell text only read, as the names of the commands show. The text is not parsed: anything else than
/// plain words is a reason for false.
pub fn only_reads(code: &str) -> bool {
    let is_plain = !code.contains(['`', '{', '(', '$', '>', '&', '@', '[', '%']);
    let is_reading = |command: &str| {
        let lower = format!("{} ", command.trim().to_lowercase());
        lower.trim().is_empty()
            || (LOOKING.iter().any(|begin| lower.starts_with(begin))
                && !ACTING.iter().any(|begin| lower.starts_with(begin)))
    };
    is_plain && code.split([';', '|', '\n']).all(is_reading)
}

/// Returns the files: all words of commands that do more than read, and those behind `>`.
pub(super) fn paths(code: &str) -> Vec<String> {
    code.split([';', '|', '\n']).flat_map(written).collect()
}

fn written(command: &str) -> Vec<String> {
    let command = command.trim_start_matches(['&', ' ', '\t', '{']);
    let lower = command.to_lowercase();
    let only_looks = LOOKING.iter().any(|begin| lower.starts_with(begin)) && !command.contains("]::");
    let text = if only_looks { command.split_once('>').map_or("", |(_, rest)| rest) } else { command };
    let words = text.split(|c: char| c.is_whitespace() || "'\"(),>{}".contains(c));
    words.filter(|word| word.contains(['.', '/', '\\']) && !word.contains("://")).map(from_home).collect()
}

fn from_home(path: &str) -> String {
    ["$HOME", "$home", "$env:HOME", "$Env:HOME"]
        .iter()
        .find_map(|home| path.strip_prefix(home))
        .map_or_else(|| path.to_owned(), |below| format!("~{below}"))
}
