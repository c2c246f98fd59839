//! What each target begins with: files that the project has anyway, and lines and files of `fuzz/seeds`. The guests, which
//! `components` begins with, are made of their text by whoever runs it.

use std::{fs, io, path::Path};

/// A target, the folder and the names of files that are a seed each.
const FILES: [(&str, &str, &[&str]); 10] = [
    ("answers", "tests/conformance/cases", &["answer"]),
    ("configuration", "tests/conformance/cases", &["hooks.toml"]),
    ("events", "tests", &["event.json"]),
    ("events", "tests/data/events", &[".json"]),
    ("json", "tests/data/events", &[".json"]),
    ("modules", "tests/guests", &[".wat"]),
    ("own_hooks", "docs/templates", &[".json"]),
    (
        "own_hooks",
        "tests/conformance/cases",
        &["settings.json", "hooks.json", "own.toml", "config.toml", "hooks.yaml"],
    ),
    ("settings", "tests/conformance/cases", &["settings.json", "hooks.json"]),
    ("yaml", "tests/conformance/cases", &["hooks.yaml"]),
];

/// The seeds of a target; `root` is the project's folder.
pub fn of(root: &Path, target: &str) -> io::Result<Vec<Vec<u8>>> {
    let mut seeds = Vec::new();
    for (_, folder, ends) in FILES.iter().filter(|(name, ..)| *name == target) {
        below(&root.join(folder), ends, &mut seeds)?;
    }
    match fs::read_to_string(root.join("fuzz/seeds").join(target).with_extension("txt")) {
        Ok(text) => seeds.extend(text.lines().map(|line| line.as_bytes().to_vec())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let folder = root.join("fuzz/seeds").join(target);
    if folder.is_dir() {
        below(&folder, &[""], &mut seeds)?;
    }
    seeds.sort();
    seeds.dedup();
    Ok(seeds)
}

/// The contents of all files below `folder` whose names end so.
fn below(folder: &Path, ends: &[&str], seeds: &mut Vec<Vec<u8>>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            below(&path, ends, seeds)?;
        } else if path
            .file_name()
            .is_some_and(|name| ends.iter().any(|end| name.to_string_lossy().ends_with(end)))
        {
            seeds.push(fs::read(path)?);
        }
    }
    Ok(())
}
