//! Files that a program writes, named in the text that it is passed.

use crate::{
    arg::{Arg, HOME},
    call::Call,
    wrapper::{awk_effects, is_editor, sed_files},
};

/// The files that the texts of a command name.
pub(super) fn files(name: &str, call: &Call) -> Vec<String> {
    let stdin = call.stdin.text.iter().filter(|_| call.has_stdin);
    match name {
        "sed" => sed_files(call.args()),
        "awk" | "gawk" | "mawk" | "nawk" => awk_effects(call.args()).files,
        "ed" | "red" => edited(stdin.flat_map(|text| text.lines())),
        "apply_patch" | "applypatch" => {
            let args = call.args().iter().map(Arg::plain);
            stdin.cloned().chain(args).flat_map(|text| patched(&text)).collect()
        }
        "patch" => stdin.flat_map(|text| compared(text)).collect(),
        "git" if call.has_arg("apply") || call.has_arg("am") => {
            stdin.flat_map(|text| compared(text)).collect()
        }
        name if is_editor(name) => {
            let texts = call.args().iter().map(Arg::plain).chain(stdin.cloned());
            let parts = texts.flat_map(|text| text.split(['|', '\n']).map(str::to_owned).collect::<Vec<_>>());
            edited(parts.collect::<Vec<_>>().iter().map(String::as_str))
        }
        _ => Vec::new(),
    }
    .into_iter()
    .map(|path| path.strip_prefix("~/").map_or(path.clone(), |below| format!("{HOME}/{below}")))
    .collect()
}

/// The files that commands of an editor write by their names, and those that they open, if they write what is open.
fn edited<'a>(commands: impl Iterator<Item = &'a str>) -> Vec<String> {
    let (mut files, mut opened, mut writes) = (Vec::new(), Vec::new(), false);
    for command in commands {
        files.extend(written_by_editor(command));
        let command = command.trim_start_matches([':', ' ', '+']).trim_end();
        let (verb, path) = command.split_once(' ').unwrap_or((command, ""));
        match verb.trim_end_matches('!') {
            "e" | "edit" | "E" | "f" | "file" | "sp" | "split" | "tabe" | "tabedit" if !path.is_empty() => {
                opened.push(path.trim().to_owned());
            }
            "w" | "wa" | "wq" | "wqa" | "write" | "x" | "xa" | "xit" | "up" | "update" => {
                writes |= path.is_empty();
            }
            _ => {}
        }
    }
    files.extend(opened.into_iter().filter(|_| writes));
    files
}

/// `w file`, `write! file`, `1,$w >> file`, `saveas file`.
fn written_by_editor(text: &str) -> Option<String> {
    let is_range = |c: char| " :+%,$.'".contains(c) || c.is_ascii_digit();
    let (verb, rest) = text.trim_start_matches(is_range).split_once(char::is_whitespace)?;
    let verb = verb.trim_end_matches('!');
    let writes = matches!(
        verb,
        "w" | "wq"
            | "W"
            | "write"
            | "writ"
            | "wri"
            | "wr"
            | "saveas"
            | "sav"
            | "x"
            | "xit"
            | "up"
            | "update"
            | "e"
            | "edit"
            | "r"
    );
    let path = rest.trim_start_matches(['>', ' ']).trim();
    let reads = matches!(verb, "e" | "edit" | "r");
    (writes && !reads && !path.is_empty()).then(|| path.to_owned())
}

/// The headers of the patches that agents write.
fn patched(text: &str) -> Vec<String> {
    const HEADERS: &[&str] =
        &["*** Update File:", "*** Add File:", "*** Delete File:", "*** Move to:", "*** Move File:"];
    let path = |line: &str| {
        HEADERS.iter().find_map(|header| line.trim().strip_prefix(header)).map(|path| path.trim().to_owned())
    };
    text.lines().filter_map(path).collect()
}

/// The files of a comparison, with and without the first folder of their paths.
fn compared(text: &str) -> Vec<String> {
    const HEADERS: &[&str] = &["+++ ", "--- ", "rename to ", "rename from ", "copy to "];
    let path = |line: &str| {
        let path = HEADERS.iter().find_map(|header| line.strip_prefix(header))?;
        Some(path.split('\t').next().unwrap_or_default().trim().to_owned())
    };
    let both = |path: String| {
        let below = path.split_once('/').map(|(_, below)| below.to_owned());
        [Some(path), below].into_iter().flatten()
    };
    text.lines().filter_map(path).flat_map(both).collect()
}
