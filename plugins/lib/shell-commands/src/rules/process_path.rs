//! Paths that lead through a process: `/proc/self/root/etc` is `/etc`.

use crate::{arg::Arg, call::Call};

/// Returns the command with the actual paths, if it names one through a process.
pub(crate) fn through_process(call: &Call) -> Option<Call> {
    let through = |arg: &Arg| arg.text.contains("/proc/");
    if !call.words.iter().chain(&call.writes).any(through) {
        return None;
    }
    let folder = call.cwd.clone().unwrap_or_default();
    let change = |arg: &Arg| match leading(&arg.text, &folder) {
        Some(text) => Arg { text, ..arg.clone() },
        None => arg.clone(),
    };
    let words: Vec<Arg> = call.words.iter().map(change).collect();
    let writes: Vec<Arg> = call.writes.iter().map(change).collect();
    (words != call.words || writes != call.writes).then(|| Call { writes, ..call.with_words(&words) })
}

/// A path without the way through a process. `dd` has one behind its `=`.
fn leading(text: &str, folder: &str) -> Option<String> {
    let (option, path) = text.split_at(text.find("/proc/")?);
    if !option.is_empty() && !option.ends_with('=') {
        return None;
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    // `task/<number>` names a thread of it, which has the same root.
    let mut behind = parts.get(2..)?;
    if let ["task", _, rest @ ..] = behind {
        behind = rest;
    }
    let (link, rest) = behind.split_first()?;
    let rest = rest.join("/");
    let slash = if path.ends_with('/') && !rest.is_empty() { "/" } else { "" };
    match *link {
        "root" => leading(&format!("/{rest}{slash}"), folder).or(Some(format!("{option}/{rest}{slash}"))),
        "cwd" if rest.is_empty() => Some(format!("{option}{folder}/")),
        "cwd" => Some(format!("{option}{folder}/{rest}{slash}")),
        _ => None,
    }
}
