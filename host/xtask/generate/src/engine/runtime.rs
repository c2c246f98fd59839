//! `QuickJS` as a wasm library, which its makers distribute in the crate `componentize-qjs`: the crate's Rust code is not built, and its
//! dependencies are not fetched.

use std::env::{self, home_dir};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};

use xtask::process::Process;
use xtask::project::Project;

const CRATE: &str = "componentize-qjs";
const VERSION: &str = "0.4.5";
/// Runtime file in the archive, the synchronous variant.
const RUNTIME: &str = "prebuilt/runtime-sync.wasm";
/// Checksum of the runtime.
const SHA256: &str = "25703f010b80efb806f9c35daf9ee6524ad60320c9781b0bae4e234264f8dac5";

/// Returns the runtime, kept in `target/tools` once it has been fetched.
pub(super) fn get_runtime(project: &Project) -> Result<Vec<u8>> {
    let kept = project.target.join(format!("tools/{CRATE}-{VERSION}.wasm"));
    // The kept file is checked again: an interrupted write may have left a part of it.
    if let Ok(runtime) = fs::read(&kept)
        && hash_bytes(&runtime) == SHA256
    {
        return Ok(runtime);
    }
    let runtime = unpack_runtime(&fetch_crate(project)?)?;
    let found = hash_bytes(&runtime);
    ensure!(found == SHA256, "{RUNTIME} of {CRATE} {VERSION} has the SHA-256 {found}, and not {SHA256}");
    fs::create_dir_all(project.target.join("tools"))?;
    fs::write(&kept, &runtime).with_context(|| format!("cannot write {}", kept.display()))?;
    Ok(runtime)
}

/// Returns the crate's file in cargo's download folder. Cargo fetches a crate whose metadata is requested, and no other.
fn fetch_crate(project: &Project) -> Result<PathBuf> {
    let cache = cargo_home()?.join("registry/cache");
    if let Some(file) = kept_by_cargo(&cache) {
        return Ok(file);
    }
    let words = ["info", "--quiet", "--registry", "crates-io", &format!("{CRATE}@{VERSION}")];
    project.cargo(words).output().with_context(|| format!("{CRATE} {VERSION} cannot be fetched"))?;
    match kept_by_cargo(&cache) {
        Some(file) => Ok(file),
        None => bail!("cargo has fetched {CRATE} {VERSION}, but it is not in {}", cache.display()),
    }
}

fn cargo_home() -> Result<PathBuf> {
    let own = env::var_os("CARGO_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    own.or_else(|| Some(home_dir()?.join(".cargo")))
        .context("neither CARGO_HOME nor HOME says where cargo is")
}

/// Finds the crate in cargo's cache, which has a folder for each registry.
fn kept_by_cargo(cache: &Path) -> Option<PathBuf> {
    let registries = fs::read_dir(cache).ok()?.filter_map(Result::ok);
    registries.map(|entry| entry.path().join(format!("{CRATE}-{VERSION}.crate"))).find(|file| file.is_file())
}

fn unpack_runtime(archive: &Path) -> Result<Vec<u8>> {
    let member = format!("{CRATE}-{VERSION}/{RUNTIME}");
    let unpacking = Process::new("tar").args(["-xzOf".as_ref(), archive.as_os_str(), member.as_ref()]);
    unpacking.read_bytes().with_context(|| format!("{} cannot be unpacked", archive.display()))
}

fn hash_bytes(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut digest, byte| {
        // A string takes whatever is written.
        let _ = write!(digest, "{byte:02x}");
        digest
    })
}
