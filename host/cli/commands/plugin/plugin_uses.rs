//! The uses of an inspected file: added plugins with this content, and hooks that call it.

use std::path::{Path, PathBuf};

use hookbox::{
    HookSpec, Sha256Digest,
    hook::WasmSpec,
    model::{Grants, Manifest},
    sandbox::inspect::{Inspection, identify_file},
};
use hookbox_app::{FolderHooks, places::Places, plugin_store::PluginStore};

use super::added_plugins::{Added, find_homes, resolve_links};
use crate::{commands::grants, environment};

/// An added plugin with the content of the inspected file.
pub(super) struct InstalledPlugin {
    pub(super) name: String,
    /// The folder that it was added to.
    pub(super) folder: PathBuf,
    /// The signer according to the lock file.
    pub(super) signed: String,
}

/// A configured hook that calls the inspected file, or another file with its content.
pub(super) struct PluginUse<'a> {
    pub(super) spec: &'a HookSpec,
    /// The called file, if it is another one.
    pub(super) other_file: Option<&'a Path>,
    /// Effective capabilities.
    pub(super) given: Grants,
    /// Requested capabilities that are not granted, with the line that would grant them.
    pub(super) missing: Option<String>,
}

impl<'a> PluginUse<'a> {
    fn new(spec: &'a HookSpec, other_file: Option<&'a Path>, manifest: Option<&Manifest>) -> Self {
        let granted = spec.grants();
        match manifest {
            None => Self { spec, other_file, given: granted, missing: None },
            Some(Manifest { asks, .. }) => Self {
                spec,
                other_file,
                given: asks.narrow_grants(&granted),
                missing: grants::describe_missing(spec, asks),
            },
        }
    }
}

/// Returns the added plugins of the user and of the project around this folder. Unreadable lock files are reported by `check`.
pub(super) fn read_added(places: &Places, project: &Path) -> Vec<Added> {
    find_homes(places, project).into_iter().filter_map(|home| Added::read(home, places).ok()).collect()
}

pub(super) fn find_installed(sha256: &str, added: &[Added]) -> Vec<InstalledPlugin> {
    let of_home = |added: &Added| {
        let rows = added.lock.iter().filter(|row| row.sha256 == sha256);
        let installed = rows.map(|row| InstalledPlugin {
            name: row.name.clone(),
            folder: added.home.folder(),
            signed: added.describe_signer(row),
        });
        installed.collect::<Vec<_>>()
    };
    added.iter().flat_map(of_home).collect()
}

/// Returns an installed file with this content: of an added plugin, of the store, of a hook, or shipped with hookbox.
pub(super) fn find_installed_file(
    digest: &Sha256Digest,
    added: &[Added],
    folder_hooks: &FolderHooks,
) -> Option<PathBuf> {
    let sha256 = digest.as_str();
    let of_home = |added: &Added| {
        let rows = added.lock.iter().filter(|row| row.sha256 == sha256);
        rows.map(|row| added.locate_file(row)).collect::<Vec<_>>()
    };
    let stored = folder_hooks.places.store().map(|store| PluginStore::new(store).file_path(sha256));
    let called = folder_hooks.loaded.hooks.iter().filter_map(HookSpec::wasm);
    let called = called.filter(|wasm| has_content(wasm, sha256)).map(|wasm| wasm.path.clone());
    let plugins = environment::shipped_plugins();
    let shipped = plugins.iter().filter(|plugin| plugin.sha256 == *digest).map(|plugin| plugin.path);
    let mut files = added.iter().flat_map(of_home).chain(stored).chain(called).chain(shipped);
    files.find(|file| identify_file(file).is_ok_and(|identity| identity.sha256 == sha256))
}

/// Returns the hooks that call this file, or a file with the same content.
pub(super) fn find_uses<'a>(
    file: &Path,
    inspection: &Inspection,
    folder_hooks: &'a FolderHooks,
) -> Vec<PluginUse<'a>> {
    let manifest = inspection.manifest.as_ref().ok().and_then(Option::as_ref);
    // An entry may name the file by a link.
    let file = resolve_links(file);
    let find_use = |spec: &'a HookSpec| {
        let wasm = spec.wasm()?;
        if resolve_links(&wasm.path) == file {
            return Some(PluginUse::new(spec, None, manifest));
        }
        // An added plugin is called by its copy.
        has_content(wasm, &inspection.sha256).then(|| PluginUse::new(spec, Some(&wasm.path), manifest))
    };
    folder_hooks.loaded.hooks.iter().filter_map(find_use).collect()
}

/// Returns true if the hook calls this content: according to its pin, or to its file if it has none.
fn has_content(wasm: &WasmSpec, sha256: &str) -> bool {
    match &wasm.sha256 {
        Some(pin) => pin.as_str() == sha256,
        None => {
            wasm.file().is_ok_and(|file| identify_file(&file).is_ok_and(|identity| identity.sha256 == sha256))
        }
    }
}
