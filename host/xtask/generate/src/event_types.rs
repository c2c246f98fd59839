//! `event-types`: types for every canonical event in each language that has an SDK, generated and checked in.

mod assemblyscript;
mod assemblyscript_payloads;
mod c;
mod c_payloads;
mod event;
mod go;
mod python;
mod rust;
mod typescript;
mod words;
mod zig;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use self::event::Event;
use xtask::project::Project;

/// The text of one language's file.
type Print = fn(&[Event]) -> String;

const FILES: [(&str, Print); 9] = [
    ("sdk/javascript/events.d.ts", typescript::print_events),
    ("sdk/python/hookbox_sdk/events.py", python::print_events),
    ("sdk/rust/src/events.rs", rust::print_events),
    ("sdk/c/events.h", c::print_events),
    ("sdk/c/payloads.h", c_payloads::print_payloads),
    ("sdk/zig/events.zig", zig::print_events),
    ("sdk/assemblyscript/events.ts", assemblyscript::print_events),
    ("sdk/assemblyscript/payloads.ts", assemblyscript_payloads::print_payloads),
    ("sdk/go/hookbox/events.go", go::print_events),
];

/// Header of each file.
const NOTE: &str = "Written by `cargo xtask event-types`; do not edit.";

/// Writes all files.
pub(crate) fn write_files(project: &Project) -> Result<()> {
    for (file, text) in generate_files(project)? {
        let folder = file.parent().context("a file is in a folder")?;
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        println!("event-types: wrote {}", file.display());
    }
    Ok(())
}

/// Fails if a committed file differs from the current events.
pub(crate) fn check_files(project: &Project) -> Result<()> {
    for (file, text) in generate_files(project)? {
        let found = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        ensure!(
            found == text,
            "{} is not what the events are; run `cargo xtask event-types` and commit the file",
            file.display()
        );
    }
    println!("event-types: up to date");
    Ok(())
}

fn generate_files(project: &Project) -> Result<Vec<(PathBuf, String)>> {
    let events = event::list_events()?;
    Ok(FILES.iter().map(|(file, print)| (project.root.join(file), print(&events))).collect())
}
