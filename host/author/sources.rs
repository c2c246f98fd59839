//! Sources of a plugin, and changes to them since the build.
//!
//! A build leaves a list of digests next to the plugin. Without a list for this very plugin, modification times are compared.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use hookbox::Sha256Digest;
use hookbox_manifest::plugin_toml::Build;

use crate::{fixture, languages, plugin_assembly, project::Project};

/// The list: a line for each file, as `sha256sum` writes it, the plugin's own first.
const LIST: &str = ".built";
/// Maximum number of files of a project that are read.
const MAX_FILES: usize = 20_000;
const LEFT_OUT: [&str; 5] = ["build", "target", "node_modules", "__pycache__", "zig-out"];

/// The files that a plugin is built from, by their paths in its folder, each with its digest.
pub(crate) struct Sources(BTreeMap<String, String>);

impl Sources {
    /// Reads the current state.
    pub(crate) fn read_current(project: &Project) -> Self {
        let digest = |file: PathBuf| {
            let name = file.strip_prefix(&project.folder).unwrap_or(&file).display().to_string();
            // The list has one line for each file.
            Some((name, digest_of(&file)?)).filter(|(name, _)| !name.contains('\n'))
        };
        Self(list_files(project).into_iter().filter_map(digest).collect())
    }

    /// Writes the list for the plugin with this digest that was built from these files.
    pub(crate) fn write_list(&self, project: &Project, sha256: &str) -> Result<(), String> {
        let mut list = format!("{sha256}  {}\n", project.file_name());
        for (name, digest) in &self.0 {
            let _ = writeln!(list, "{digest}  {name}");
        }
        plugin_assembly::write_file(&place_of_list(project), list.as_bytes())
    }

    /// Reads the list, if it is for the existing plugin.
    fn read_list(project: &Project) -> Option<Self> {
        let list = fs::read_to_string(place_of_list(project)).ok()?;
        let mut rows = list.lines().filter_map(|line| line.split_once("  "));
        let (plugin, _) = rows.next()?;
        let is_of_plugin = digest_of(&project.component())? == plugin;
        is_of_plugin.then(|| Self(rows.map(|(digest, name)| (name.to_owned(), digest.to_owned())).collect()))
    }

    /// Returns the first file that differs between the two lists.
    fn find_difference<'a>(&'a self, other: &'a Self) -> Option<&'a str> {
        let differs = |name: &&String| self.0.get(*name) != other.0.get(*name);
        self.0.keys().chain(other.0.keys()).find(differs).map(String::as_str)
    }
}

/// Returns a source file that has changed, was added or was removed since the build.
pub(crate) fn changed_since_built(project: &Project) -> Option<PathBuf> {
    match Sources::read_list(project) {
        Some(then) => {
            Sources::read_current(project).find_difference(&then).map(|name| project.folder.join(name))
        }
        None => newer_than_plugin(project),
    }
}

fn newer_than_plugin(project: &Project) -> Option<PathBuf> {
    let built = time_of(&project.component())?;
    list_files(project).into_iter().find(|file| time_of(file).is_some_and(|time| time > built))
}

fn time_of(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|status| status.modified()).ok()
}

fn digest_of(file: &Path) -> Option<String> {
    Some(Sha256Digest::of_content(&fs::read(file).ok()?).as_str().to_owned())
}

fn place_of_list(project: &Project) -> PathBuf {
    project.component().with_file_name(LIST)
}

/// Returns `plugin.toml`, the source, and all files that its language's compiler may read; for a build by a command `plugin.toml`
/// and the file that it makes; none for a project that does not state how it is built. Tests are left out.
fn list_files(project: &Project) -> Vec<PathBuf> {
    let Some(build) = &project.build else { return Vec::new() };
    if let Build::Command(build) = build {
        // The files that a command reads are not known, only the one that it makes.
        let files = [project.manifest_file(), project.folder.join(&build.output)];
        return files.into_iter().filter(|file| file.is_file()).collect();
    }
    let Some((build, language)) = languages::find_language_of(build) else { return Vec::new() };
    let source = project.folder.join(build.source.as_deref().unwrap_or(language.source));
    let tests = project.folder.join(fixture::FOLDER);
    let is_read = |file: &PathBuf| {
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        (*file == source || language.endings.contains(&ending)) && !file.starts_with(&tests) && file.is_file()
    };
    let mut files = vec![project.manifest_file()];
    files.extend(list_files_below(&project.folder).into_iter().filter(is_read));
    files
}

/// Returns all files of a folder, without tools' output and hidden files.
pub(crate) fn list_files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect_files(folder, &mut found);
    found
}

fn collect_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (name, path) = (entry.file_name(), entry.path());
        let is_left_out =
            name.to_string_lossy().starts_with('.') || LEFT_OUT.iter().any(|left| name == *left);
        if is_left_out || found.len() >= MAX_FILES {
            continue;
        }
        match entry.file_type() {
            // A link to a folder is not entered: it may lead to a folder above, and so without end.
            Ok(kind) if kind.is_dir() => collect_files(&path, found),
            _ => found.push(path),
        }
    }
}
