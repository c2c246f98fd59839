//! What each target begins with: files that the project has anyway, and lines and files of `fuzz/seeds`. The guests, which
//! `components` begins with, are made of their text by whoever runs it.

#[path = "../../tests/support/case_archive.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod case_archive;

use std::{fs, io, path::Path};

/// The conformance cases, of whose files some are seeds.
const CASES: &str = "tests/conformance/cases";

/// A target, the folder and the names of files that are a seed each.
const FILES: [(&str, &str, &[&str]); 11] = [
    ("answers", CASES, &["answer"]),
    ("configuration", CASES, &["hooks.toml"]),
    ("events", CASES, &["event.json"]),
    ("events", "tests/conformance/shared", &[".json"]),
    ("events", "tests/data/events", &[".json"]),
    ("json", "tests/data/events", &[".json"]),
    ("modules", "tests/guests", &[".wat"]),
    ("own_hooks", "docs/reference/templates", &[".json"]),
    ("own_hooks", CASES, &["settings.json", "hooks.json", "own.toml", "config.toml", "hooks.yaml"]),
    ("settings", CASES, &["settings.json", "hooks.json"]),
    ("yaml", CASES, &["hooks.yaml"]),
];

/// The seeds of a target; `root` is the project's folder.
pub fn of(root: &Path, target: &str) -> io::Result<Vec<Vec<u8>>> {
    let mut seeds = Vec::new();
    for (_, folder, ends) in FILES.iter().filter(|(name, ..)| *name == target) {
        if *folder == CASES {
            of_cases(&root.join(folder), ends, &mut seeds)?;
        } else {
            below(&root.join(folder), ends, &mut seeds)?;
        }
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

/// The contents of all files of the cases whose names end so.
fn of_cases(cases: &Path, ends: &[&str], seeds: &mut Vec<Vec<u8>>) -> io::Result<()> {
    for archive in case_archive::list_archives(cases)? {
        let files = case_archive::read_files(&archive)?;
        let wanted = files.into_iter().filter(|file| ends.iter().any(|end| file.name.ends_with(end)));
        seeds.extend(wanted.map(|file| file.text.into_bytes()));
    }
    Ok(())
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
