//! Plugins of agents' own kinds that contain plugins of hookbox: a folder with the files that the agent reads, and those that
//! `hookbox run --bundle` reads.

mod agents;
mod ask_hookbox;
mod chosen;
mod folder;
mod version;

pub(crate) use self::{
    agents::{Title, hooks_of_agent, manifest_of, others},
    chosen::{Chosen, added, of_file},
    folder::{Made, existing, is_free, keep_only, put},
};

use std::path::Path;

use hookbox_files::bundle::{HOOKS, sealed};
use serde_json::Value;

use self::folder::is_there;
use crate::{args::Target, exit::Fault};

/// First lines of the file.
const HEAD: &str = "\
# Made by `hookbox export`: what `hookbox run --bundle` runs of this folder. Each file is looked at before it runs, so a change
# here makes it refuse; `hookbox export` with the same folder adds a plugin.
";
/// Line before the entries.
const VERSION: &str = "version = 1\n";

/// Returns all files of a bundle.
pub(crate) fn files(target: Target, title: &Title, plugins: &[Chosen]) -> Result<Vec<Made>, Fault> {
    let hooks = hooks(plugins);
    let mut files = agents::files(target, title, &hooks)?;
    let within = agents::within(target);
    files.push(Made::new(&format!("{within}{HOOKS}"), hooks));
    for plugin in plugins {
        files.extend(
            plugin.files().into_iter().map(|(name, bytes)| Made::new(&format!("{within}{name}"), bytes)),
        );
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// Returns all files of a bundle that replaces one with this manifest, and the title with its version: the existing version if
/// nothing differs, else a higher one.
pub(crate) fn files_in(
    folder: &Path,
    said: &Value,
    (target, title): (Target, Title),
    plugins: &[Chosen],
) -> Result<(Title, Vec<Made>), Fault> {
    let title = match version::said(said) {
        None => title,
        Some(there) => {
            let version = version::above(title.version.clone(), &there);
            let same = Title { version: there, ..title };
            let files = files(target, &same, plugins)?;
            if is_there(folder, &files) {
                return Ok((same, files));
            }
            Title { version, ..same }
        }
    };
    let files = files(target, &title, plugins)?;
    Ok((title, files))
}

/// Returns the text of the bundle's `hooks.toml`.
fn hooks(plugins: &[Chosen]) -> String {
    let entries = plugins.iter().fold(VERSION.to_owned(), |text, plugin| format!("{text}\n{}", plugin.entry));
    sealed(HEAD, &entries)
}
