//! What `plugin new` writes, compiled into `hookbox-author`: for each language its template, and the files of its SDK, which are
//! published nowhere yet. Run by the root package's build script.

use std::{
    error::Error,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

/// A language, and what its project gets beside `sdk/<language>/template`: files and folders of this repository, and where
/// they are put in the project.
type Row = (&'static str, &'static [(&'static str, &'static str)]);

/// The contract, for languages whose toolchain reads it.
const WIT: (&str, &str) = ("wit/0.2.0", "hookbox/wit");

const ROWS: [Row; 8] = [
    ("rust", &[("sdk/rust/src", "hookbox/src"), ("sdk/rust/README.md", "hookbox/README.md")]),
    ("javascript", &[]),
    ("typescript", &[]),
    ("python", &[WIT]),
    ("c", &[WIT]),
    ("zig", &[WIT]),
    ("assemblyscript", &[WIT]),
    ("go", &[]),
];

/// What no project gets: what somebody's tools have left there.
const LEFT_OUT: [&str; 5] = ["target", "build", "node_modules", "__pycache__", ".zig-cache"];

/// The table as an expression of Rust: `&[("rust", &[("plugin.toml", include_bytes!("…")), …]), …]`. A language without a template
/// is left out.
pub(crate) fn list(root: &Path) -> Result<String, Box<dyn Error>> {
    let mut list = "&[\n".to_owned();
    for (language, more) in ROWS {
        let template = root.join("sdk").join(language).join("template");
        if !template.is_dir() {
            // One that comes later is noticed.
            println!("cargo::rerun-if-changed={}", root.join("sdk").display());
            continue;
        }
        println!("cargo::rerun-if-changed={}", template.display());
        let mut files = Vec::new();
        collect(&template, Path::new(""), &mut files)?;
        for (from, to) in more {
            println!("cargo::rerun-if-changed={}", root.join(from).display());
            collect(&root.join(from), Path::new(to), &mut files)?;
        }
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

/// Every file there, with its place in the project.
fn collect(from: &Path, to: &Path, files: &mut Vec<(String, PathBuf)>) -> Result<(), Box<dyn Error>> {
    if from.is_file() {
        files.push((to.to_str().ok_or("a file's name is no text")?.to_owned(), from.to_owned()));
        return Ok(());
    }
    for entry in fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))? {
        let entry = entry?;
        if !LEFT_OUT.iter().any(|name| entry.file_name() == *name) {
            collect(&entry.path(), &to.join(entry.file_name()), files)?;
        }
    }
    Ok(())
}
