//! Agents' plugins that contain hookbox plugins: a folder with the files that the agent reads, and those that
//! `hookbox run --bundle` reads.

mod agents;
mod ask_hookbox;
mod chosen_plugins;
mod folder;
mod version;

pub(crate) use self::{
    agents::{Title, hooks_of_agent, list_other_manifests, manifest_of},
    chosen_plugins::{ExportedPlugin, list_added_plugins, of_file},
    folder::{BundleFile, check_foreign_files, keep_only, read_existing, write_files},
};

use std::path::Path;

use hookbox_app::bundle::{HOOKS, build_seal_text};
use serde_json::Value;

use self::folder::is_there;
use crate::{args::Target, exit::Fault};

/// First lines of the file.
const HEAD: &str = "\
# Written by `hookbox export` for `hookbox run --bundle`, which verifies each file and rejects this folder after any change. To add a
# plugin, run `hookbox export` with the same folder.
";
/// Line before the entries.
const VERSION: &str = "version = 1\n";

pub(crate) fn build_files(
    target: Target,
    title: &Title,
    plugins: &[ExportedPlugin],
) -> Result<Vec<BundleFile>, Fault> {
    let hooks = build_hooks_text(plugins);
    let mut files = agents::build_agent_files(target, title, &hooks)?;
    let within = agents::select_hookbox_folder(target);
    files.push(BundleFile::new(&format!("{within}{HOOKS}"), hooks));
    for plugin in plugins {
        files.extend(
            plugin
                .files()
                .into_iter()
                .map(|(name, bytes)| BundleFile::new(&format!("{within}{name}"), bytes)),
        );
    }
    // Equal plugins must give an equal archive, so its files have one order.
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// Returns all files of a bundle that replaces one with this manifest, and the title with its version: the existing version if
/// nothing differs, else a higher one.
pub(crate) fn files_in(
    folder: &Path,
    existing: &Value,
    (target, title): (Target, Title),
    plugins: &[ExportedPlugin],
) -> Result<(Title, Vec<BundleFile>), Fault> {
    let title = match version::parse_version(existing) {
        None => title,
        Some(there) => {
            let version = version::raise_above(title.version.clone(), &there);
            // The version is in the files, so they can only be compared under the existing version.
            let same = Title { version: there, ..title };
            let files = build_files(target, &same, plugins)?;
            if is_there(folder, &files) {
                return Ok((same, files));
            }
            Title { version, ..same }
        }
    };
    let files = build_files(target, &title, plugins)?;
    Ok((title, files))
}

/// Returns the text of the bundle's `hooks.toml`.
fn build_hooks_text(plugins: &[ExportedPlugin]) -> String {
    let entries = plugins.iter().fold(VERSION.to_owned(), |text, plugin| format!("{text}\n{}", plugin.entry));
    build_seal_text(HEAD, &entries)
}
