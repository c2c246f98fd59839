//! The variables, the working folder and the program of this process. The only reader of the environment.

use std::{env, ffi::OsString, path::PathBuf};

use hookbox::{Pin, ShippedPlugins, hook::WasmSpec, sandbox::compile::Compiler};
use hookbox_app::places::Places;

/// The folder of the shipped plugins, relative to the folder above that of the program.
const SHIPPED: &str = "share/hookbox/plugins";
/// Digests of the shipped plugins when the program was built (`build.rs`).
const PINS: &[Pin] = include!(concat!(env!("OUT_DIR"), "/shipped_plugins.rs"));

fn read_variable(name: &str) -> Option<OsString> {
    #[expect(clippy::disallowed_methods, reason = "the one reader of the environment")]
    env::var_os(name)
}

/// Returns the file of this name in the first folder of `PATH` that has one. Relative folders are skipped: a project could
/// otherwise choose the program.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let path = read_variable("PATH")?;
    let folders = env::split_paths(&path).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Returns the folder in which cargo keeps the sources of crates.
pub(crate) fn cargo_home() -> Option<PathBuf> {
    let named = read_variable("CARGO_HOME").map(PathBuf::from);
    let home = named.or_else(|| Some(PathBuf::from(read_variable("HOME")?).join(".cargo")));
    home.filter(|home| home.is_absolute())
}

pub(crate) fn current_folder() -> PathBuf {
    env::current_dir().unwrap_or_default()
}

/// Returns the folder of native code: the user's own cache, as for `hookbox check`.
pub(crate) fn find_cache_folder() -> Option<PathBuf> {
    Places::of_terminal(&read_variable).cache()
}

/// Returns the shipped plugin that computes facts about command lines, if it comes with this program.
pub(crate) fn find_facts_plugin() -> Option<WasmSpec> {
    let program = env::current_exe().ok()?;
    let folder = program.parent()?.parent()?.join(SHIPPED);
    WasmSpec::find_facts_plugin(&ShippedPlugins::new(&folder, PINS))
}

pub(crate) fn find_compiler() -> Compiler {
    compiler_program().map_or_else(Compiler::Missing, Compiler::Process)
}

pub(crate) fn compiler_program() -> Result<PathBuf, String> {
    let nowhere = "the folder of this program is unknown: mount /proc";
    let program = env::current_exe().map_err(|_| nowhere)?;
    let file = program.parent().ok_or(nowhere)?.join("hookbox-compile");
    if file.is_file() {
        return Ok(file);
    }
    Err(format!("{} does not exist; install hookbox-compile next to hookbox", file.display()))
}
