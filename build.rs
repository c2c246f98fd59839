//! Compiles in what the shipped plugins are: name and SHA-256 of each. A list beside the files could be replaced by whoever
//! can replace the files, and then says nothing. `cargo xtask build` builds the plugins first.
//!
//! And, for `hookbox-author`, the templates of projects (`build/templates.rs`).

#[path = "host/author/build/templates.rs"]
mod templates;

use std::{
    env,
    error::Error,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

/// Where `cargo xtask plugins` leaves them in the target folder.
const FOLDER: &str = "share/hookbox/plugins";

#[expect(clippy::disallowed_methods, reason = "cargo tells build scripts in variables")]
fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let folder = folder(&out).ok_or("OUT_DIR is not in a target folder")?;
    // One that is not there yet makes cargo look again each time, so that plugins which are built later are noticed.
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut pins = pins(&folder)?;
    pins.sort();
    let mut list = "&[\n".to_owned();
    for (name, digest) in &pins {
        writeln!(list, "({name:?}, {digest:?}),")?;
    }
    fs::write(out.join("shipped_plugins.rs"), list + "]\n")?;
    if env::var_os("CARGO_FEATURE_AUTHOR").is_some() {
        let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo sets CARGO_MANIFEST_DIR")?);
        fs::write(out.join("templates.rs"), templates::list_templates(&root)?)?;
        fs::write(out.join("worlds.rs"), templates::list_worlds(&root)?)?;
    }
    Ok(())
}

/// In `<target>`, or in the folder above it where each target triple or program has a folder of its own.
fn folder(out: &Path) -> Option<PathBuf> {
    let target = out.ancestors().nth(4)?;
    let around = [Some(target), target.parent()].into_iter().flatten().map(|folder| folder.join(FOLDER));
    around.clone().find(|folder| folder.is_dir()).or_else(|| around.into_iter().next())
}

/// Each component there, if there are any.
fn pins(folder: &Path) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut pins = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "wasm") {
            let name = path.file_stem().and_then(|name| name.to_str()).ok_or("a plugin's name is no text")?;
            let mut digest = String::with_capacity(64);
            for byte in Sha256::digest(fs::read(&path)?) {
                write!(digest, "{byte:02x}")?;
            }
            pins.push((name.to_owned(), digest));
        }
    }
    Ok(pins)
}
