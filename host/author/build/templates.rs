//! Files for `plugin new` and `plugin wit`, compiled into `hookbox-author`: for each language its template and the files of its SDK,
//! which is not published yet, and the world in WIT. Run by the root package's build script.

use std::{
    error::Error,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

/// A language, the folder of its SDK, and the paths of this repository that its project gets in addition to the folder
/// `template` in there: files and folders, each with its place in the project.
type Row = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// The contract, for languages whose toolchain reads it.
const WIT: (&str, &str) = ("wit/0.2.0", "hookbox/wit");

/// The types of "hookbox" for editors; the script itself is part of the engine.
const TYPES: [(&str, &str); 4] = [
    ("sdk/javascript/README.md", "hookbox/README.md"),
    ("sdk/javascript/events.d.ts", "hookbox/events.d.ts"),
    ("sdk/javascript/globals.d.ts", "hookbox/globals.d.ts"),
    ("sdk/javascript/hookbox.d.ts", "hookbox/hookbox.d.ts"),
];

const ROWS: [Row; 8] = [
    ("rust", "sdk/rust", &[("sdk/rust/src", "hookbox/src"), ("sdk/rust/README.md", "hookbox/README.md")]),
    ("javascript", "sdk/javascript", &TYPES),
    ("typescript", "sdk/typescript", &TYPES),
    (
        "python",
        "sdk/python",
        &[
            WIT,
            ("sdk/python/hookbox_sdk", "hookbox/hookbox_sdk"),
            ("sdk/python/README.md", "hookbox/README.md"),
        ],
    ),
    ("c", "sdk/c", &[WIT, ("sdk/c", "hookbox")]),
    ("zig", "sdk/zig", &[WIT, ("sdk/zig", "hookbox")]),
    ("assemblyscript", "sdk/assemblyscript", &[WIT, ("sdk/assemblyscript", "hookbox")]),
    ("go", "sdk/go", &[("sdk/go/hookbox", "hookbox")]),
];

/// Output of tools, which is left out.
const OF_TOOLS: [&str; 6] = ["target", "build", "node_modules", "__pycache__", ".zig-cache", "zig-out"];

/// Folders of an SDK that are not for hooks.
const OF_THE_SDK: [&str; 3] = ["template", "test", "tests"];

/// Returns the table as a Rust expression: `&[("rust", &[("plugin.toml", include_bytes!("…")), …]), …]`. A language without a
/// template is left out.
pub(crate) fn list_templates(root: &Path) -> Result<String, Box<dyn Error>> {
    let mut list = "&[\n".to_owned();
    for (language, sdk, more) in ROWS {
        let template = root.join(sdk).join("template");
        if !template.is_dir() {
            // A template that is added later triggers a rebuild.
            println!("cargo::rerun-if-changed={}", root.join("sdk").display());
            continue;
        }
        println!("cargo::rerun-if-changed={}", template.display());
        let mut files = Vec::new();
        collect_files(&template, Path::new(""), &OF_TOOLS, &mut files)?;
        for (from, to) in more {
            println!("cargo::rerun-if-changed={}", root.join(from).display());
            collect_files(
                &root.join(from),
                Path::new(to),
                &[&OF_TOOLS[..], &OF_THE_SDK].concat(),
                &mut files,
            )?;
        }
        // A folder is listed in any order, and equal sources are to make an equal program.
        files.sort();
        writeln!(list, "({language:?}, &[")?;
        for (name, file) in files {
            writeln!(list, "({name:?}, include_bytes!({:?})),", file.display().to_string())?;
        }
        list.push_str("]),\n");
    }
    list.push_str("]\n");
    Ok(list)
}

/// Returns the table of the world's versions, the newest last, as a Rust expression:
/// `&[("0.1.0", &[("clock.wit", include_str!("…")), …]), …]`.
pub(crate) fn list_worlds(root: &Path) -> Result<String, Box<dyn Error>> {
    let folder = root.join("wit");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut versions = Vec::new();
    for entry in fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let name = entry?.file_name().into_string().map_err(|_| "a version's name is not text")?;
        let numbers = name.split('.').map(str::parse::<u64>).collect::<Result<Vec<_>, _>>()?;
        versions.push((numbers, name));
    }
    // 0.10.0 comes after 0.9.0.
    versions.sort();
    let mut list = "&[\n".to_owned();
    for (_, version) in versions {
        let mut files = Vec::new();
        collect_files(&folder.join(&version), Path::new(""), &[], &mut files)?;
        files.sort();
        writeln!(list, "({version:?}, &[")?;
        for (name, file) in files {
            writeln!(list, "({name:?}, include_str!({:?})),", file.display().to_string())?;
        }
        list.push_str("]),\n");
    }
    list.push_str("]\n");
    Ok(list)
}

/// Collects every file of a folder, with its place in the project.
fn collect_files(
    from: &Path,
    to: &Path,
    left_out: &[&str],
    files: &mut Vec<(String, PathBuf)>,
) -> Result<(), Box<dyn Error>> {
    if from.is_file() {
        files.push((to.to_str().ok_or("a file's name is not text")?.to_owned(), from.to_owned()));
        return Ok(());
    }
    for entry in fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))? {
        let entry = entry?;
        if !left_out.iter().any(|name| entry.file_name() == *name) {
            collect_files(&entry.path(), &to.join(entry.file_name()), left_out, files)?;
        }
    }
    Ok(())
}
