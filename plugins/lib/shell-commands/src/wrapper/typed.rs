//! Text that a program types into a terminal, where a shell may be.

use super::handed;
use crate::{arg::Arg, call::Call, word::decode_all};

/// Programs that type each of their words except options, whatever else these are.
const TYPING: &[&str] = &["dotool", "kitty", "wezterm", "wtype", "xdotool", "ydotool", "zellij"];
/// Programs whose code has the typed text in quotes.
const QUOTING: &[&str] = &["expect", "osascript"];
/// Subcommands of `tmux` that type keys.
const SENDING: &[&str] = &["send", "send-keys"];
/// Words in front of what `expect` starts.
const STARTING: &[&str] = &["spawn ", "exec "];

/// The lines that a command types.
pub(super) fn lines(call: &Call) -> Vec<String> {
    let name = call.name();
    let stdin = call.stdin.text.iter().filter(|_| call.has_stdin).cloned();
    let texts: Vec<String> = match name {
        // `tmux new-session -s name command`
        "tmux" if call.touches && !types(call) => {
            handed::endings(call.args()).into_iter().chain(stdin).collect()
        }
        "tmux" => [keys(call.args())].into_iter().chain(stdin).collect(),
        "screen" => call.args().iter().map(Arg::plain).chain(stdin).collect(),
        name if QUOTING.contains(&name) => {
            call.args().iter().map(Arg::plain).chain(stdin).flat_map(|code| quoted(&code)).collect()
        }
        name if TYPING.contains(&name) => call.args().iter().map(Arg::plain).collect(),
        _ => Vec::new(),
    };
    let typed = texts.iter().map(|text| decode_all(text).replace("^M", "\n").replace('\r', "\n"));
    let lines = typed.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    lines.filter(|line| line.trim().contains(' ')).collect()
}

fn types(call: &Call) -> bool {
    call.args().iter().any(|arg| SENDING.contains(&arg.as_str()))
}

/// `tmux send-keys hookbox Space list Enter`: the keys one after the other.
fn keys(args: &[Arg]) -> String {
    let Some(at) = args.iter().position(|arg| SENDING.contains(&arg.as_str())) else {
        return String::new();
    };
    let mut typed = String::new();
    let mut rest = args.iter().skip(at + 1);
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "-t" | "-N" | "-c" => drop(rest.next()),
            option if option.starts_with('-') && option.len() == 2 => {}
            "Space" => typed.push(' '),
            "Enter" | "KPEnter" | "C-m" | "C-j" => typed.push('\n'),
            _ => typed.push_str(&arg.plain()),
        }
    }
    typed
}

/// Returns the texts in double quotes, and those behind the words that start something.
fn quoted(code: &str) -> Vec<String> {
    let mut texts: Vec<String> = code.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    let lines = code.split(['\n', ';']);
    texts.extend(lines.filter_map(|line| {
        STARTING.iter().find_map(|start| line.trim_start().strip_prefix(start)).map(str::to_owned)
    }));
    texts
}
