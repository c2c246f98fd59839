//! Invariants after a fault.

use std::{fs, os::unix::process::ExitStatusExt, path::Path};

use serde_json::Value;

use super::bed::{Bed, Ended};

/// Checks that the agent obeys: exit code 2, or JSON that denies.
pub(super) fn check_deny(ended: &Ended) -> Result<(), String> {
    let json = || serde_json::from_str::<Value>(&ended.stdout).unwrap_or_default();
    let has_deny = || json().pointer("/hookSpecificOutput/permissionDecision") == Some(&Value::from("deny"));
    match ended.status.code() {
        // Claude Code refuses at this exit code, whatever the output is.
        Some(2) => Ok(()),
        Some(0) if has_deny() => Ok(()),
        _ => Err(format!("the deny did not arrive: {}", ended.shown())),
    }
}

/// Checks that the command exited by itself.
pub(super) fn check_exit(ended: &Ended) -> Result<(), String> {
    if ended.hung || ended.status.signal().is_some() { Err(ended.shown()) } else { Ok(()) }
}

/// Checks that the file is one of these texts; the first is the old text, and leaving that does not count as success.
pub(super) fn is_one_of(path: &Path, texts: &[Option<String>], done: bool) -> Result<(), String> {
    let now = fs::read_to_string(path).ok();
    match texts.iter().position(|text| *text == now) {
        Some(0) if done => Err("it says that it wrote the file, and did not".to_owned()),
        Some(_) => Ok(()),
        None => Err(format!("the file is {now:?}")),
    }
}

/// Checks that the file is absent, or JSON.
pub(super) fn is_json(path: &Path) -> Result<(), String> {
    match fs::read_to_string(path) {
        Ok(text) if serde_json::from_str::<Value>(&text).is_err() => {
            Err(format!("{} is {text:?}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Checks that no temporary file was left.
pub(super) fn is_clean(bed: &Bed) -> Result<(), String> {
    match list_temporary(&bed.join_path("")).as_slice() {
        [] => Ok(()),
        left => Err(format!("left behind: {left:?}")),
    }
}

/// Removes the temporary files, as hookbox does an hour later.
pub(super) fn remove_temporary(bed: &Bed) -> std::io::Result<()> {
    list_temporary(&bed.join_path("")).into_iter().try_for_each(fs::remove_file)
}

fn list_temporary(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(list_temporary(&path));
        } else if path.extension().is_some_and(|extension| extension == "tmp") {
            found.push(path.display().to_string());
        }
    }
    found
}
