//! Passes the script engine to the library: its SHA-256, which is a part of the key of native code, and its path, for
//! the compiler. `cargo xtask plugins` builds the engine.

use std::{
    env,
    error::Error,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

/// Path in the host's target folder.
const ENGINE: &str = "engines/javascript.wasm";

#[expect(clippy::disallowed_methods, reason = "cargo tells build scripts in variables")]
fn main() -> Result<(), Box<dyn Error>> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).ok_or(format!("cargo sets {name}"));
    let (out, own) = (variable("OUT_DIR")?, variable("CARGO_MANIFEST_DIR")?);
    let compiles = env::var_os("CARGO_FEATURE_SCRIPTS").is_some();
    let usual = own.join("../../target").join(ENGINE);
    // If it does not exist yet, cargo runs this script again each time.
    let engine = list_engine_candidates(&out)
        .into_iter()
        .chain([usual.clone()])
        .find(|file| file.is_file())
        .unwrap_or(usual);
    println!("cargo::rerun-if-changed={}", engine.display());
    println!("cargo::rustc-env=HOOKBOX_ENGINE_FILE={}", engine.display());
    let digest = match fs::read(&engine) {
        Ok(bytes) => compute_digest(&bytes)?,
        Err(_) if !compiles => String::new(),
        Err(error) => {
            let engine = engine.display();
            return Err(format!(
                "hookbox compiles scripts with {engine}, which cannot be read ({error}); make it by `cargo xtask plugins`"
            )
            .into());
        }
    };
    println!("cargo::rustc-env=HOOKBOX_ENGINE={digest}");
    Ok(())
}

/// Returns candidates for the engine: cargo's output folder is some folders below the target folder.
fn list_engine_candidates(out: &Path) -> Vec<PathBuf> {
    out.ancestors().map(|folder| folder.join(ENGINE)).collect()
}

fn compute_digest(bytes: &[u8]) -> Result<String, std::fmt::Error> {
    let mut digest = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        write!(digest, "{byte:02x}")?;
    }
    Ok(digest)
}
