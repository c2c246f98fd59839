//! The folder of a bundle: reads the existing files, and writes new ones.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use hookbox::{
    atomic_file::{self, Access},
    hookfile::MAX_FILE_BYTES,
};
use hookbox_app::bundle::{HOOKS, hooks_of, is_whole};
use hookbox_platform::{
    file::{FileKind, is_link},
    folder::Folder,
};

use super::{
    ExportedPlugin,
    agents::{PROGRAM, are_hookbox_entries},
};
use crate::{
    bundle::{display_path, if_there},
    exit::Fault,
};

/// Modes of new files; the process's mask applies.
const FILE: u32 = 0o666;
const EXECUTABLE: u32 = 0o777;
/// Mode of new folders; the process's mask applies.
const FOLDER: u32 = 0o777;
/// Folder that may exist in a new folder for a plugin without counting as foreign.
const REPOSITORY: &str = ".git";
/// Beginning of each entry.
const ENTRY: &str = "\n[[hook]]\n";

pub(crate) struct BundleFile {
    /// Path relative to the bundle's folder.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_program: bool,
}

impl BundleFile {
    pub(crate) fn new(path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.to_owned(), bytes: bytes.into(), is_program: false }
    }

    pub(crate) fn program(self) -> Self {
        Self { is_program: true, ..self }
    }

    /// Returns its mode without a mask.
    pub(crate) fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

/// Returns the plugins that a folder already has, with their entries unchanged.
pub(crate) fn read_existing(folder: &Path) -> Result<Vec<ExportedPlugin>, Fault> {
    let file = folder.join(HOOKS);
    let Some(bytes) = if_there(&file, MAX_FILE_BYTES)? else { return Ok(Vec::new()) };
    let altered = |why: &str| {
        Fault::Failed(format!(
            "{} differs from the file that hookbox wrote: {why}; name another folder",
            display_path(&file)
        ))
    };
    let text = String::from_utf8(bytes).map_err(|_| altered("it is not UTF-8"))?;
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let loaded = hooks_of(&folder, text.clone());
    if let Some(problem) = loaded.problems.first() {
        return Err(altered(&problem.message));
    }
    let entries: Vec<_> = text.split(ENTRY).skip(1).collect();
    if entries.len() != loaded.hooks.len() {
        return Err(altered("an entry was changed"));
    }
    let plugins = loaded.hooks.iter().zip(entries).map(|(hook, entry)| {
        let wasm = hook.wasm().ok_or_else(|| altered("a hook calls no plugin"))?;
        let chosen = ExportedPlugin::read_file(&wasm.path)?;
        if chosen.name != hook.name || wasm.sha256.as_ref() != Some(&chosen.plugin.digest) {
            return Err(altered("a plugin differs from its entry"));
        }
        Ok(chosen.with_lines(format!("{}{}\n", ENTRY.trim_start(), entry.trim_end())))
    });
    let plugins = plugins.collect::<Result<Vec<_>, Fault>>()?;
    // A new seal would make another program's edit hookbox's own.
    if !is_whole(&text) {
        return Err(altered("its checksum does not match"));
    }
    Ok(plugins)
}

/// Returns an error if the folder contains files that an export did not write: any file before the first export, and afterwards
/// other hooks in the agent's file, which would be lost.
pub(crate) fn check_foreign_files(
    folder: &Path,
    is_own_folder: bool,
    hooks: Option<&str>,
) -> Result<(), Fault> {
    let has = |what: &str| {
        let folder = display_path(folder);
        Err(Fault::Usage(format!(
            "{folder} contains {what}, which `hookbox export` did not write; name another folder, or a new one"
        )))
    };
    if !is_own_folder {
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(|error| convert_read_error(folder, &error))?,
        };
        for entry in entries {
            let name = entry.map_err(|error| convert_read_error(folder, &error))?.file_name();
            if name != REPOSITORY {
                return has(&display_path(Path::new(&name)));
            }
        }
        return Ok(());
    }
    let Some(file) = hooks else { return Ok(()) };
    let Some(bytes) = if_there(&folder.join(file), MAX_FILE_BYTES)? else { return Ok(()) };
    if are_hookbox_entries(&bytes) { Ok(()) } else { has(&format!("other hooks in {file}")) }
}

fn convert_read_error(folder: &Path, error: &io::Error) -> Fault {
    Fault::Failed(crate::bundle::describe_read_error(folder, error))
}

/// Writes the files that differ; nothing is written if one of them is blocked.
pub(crate) fn write_files(folder: &Path, files: &[BundleFile]) -> Result<(), Fault> {
    let failed = |path: &Path, error: io::Error| {
        Fault::Failed(format!("{} cannot be written: {error}", display_path(&folder.join(path))))
    };
    fs::create_dir_all(folder).map_err(|error| failed(Path::new(""), error))?;
    let of =
        |made: &BundleFile, done: io::Result<()>| done.map_err(|error| failed(Path::new(&made.path), error));
    // All places are checked before the first file is written, so that a refused export changes nothing.
    files.iter().try_for_each(|made| of(made, check_write_path(folder, made)))?;
    // The files that the entry needs come first, so that they exist when the entry appears.
    let is_entry = |made: &&BundleFile| {
        [PROGRAM, HOOKS].iter().all(|path| !made.path.ends_with(path)) && !made.path.contains("plugins/")
    };
    let (entries, others): (Vec<_>, Vec<_>) = files.iter().partition(is_entry);
    others.into_iter().chain(entries).try_for_each(|made| of(made, put_one(folder, made)))
}

/// Returns an error if a link is in its place, or on the way there: it could lead anywhere.
fn check_write_path(folder: &Path, made: &BundleFile) -> io::Result<()> {
    let (folder, name) = match open(folder, made, false) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened?,
    };
    match folder.status_of(&name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(status) if status.kind != FileKind::Plain => {
            Err(io::Error::other("it is a symbolic link or not a plain file; move it away"))
        }
        status => status.map(drop),
    }
}

fn put_one(folder: &Path, made: &BundleFile) -> io::Result<()> {
    let (folder, name) = open(folder, made, true)?;
    if folder.open_file(&name).is_ok_and(|file| has_content(file, &made.bytes)) {
        return Ok(());
    }
    let access = Access::New(if made.is_program { EXECUTABLE } else { FILE });
    atomic_file::replace_or_create(&folder, &name, access, &made.bytes)
}

/// Returns true if every one of these files exists with this content.
pub(super) fn is_there(folder: &Path, files: &[BundleFile]) -> bool {
    files.iter().all(|made| {
        let file = open(folder, made, false).and_then(|(folder, name)| folder.open_file(&name));
        file.is_ok_and(|file| has_content(file, &made.bytes))
    })
}

fn has_content(file: File, bytes: &[u8]) -> bool {
    let mut there = Vec::new();
    // One byte more, so that a longer file does not count as equal.
    let read = file.take(bytes.len() as u64 + 1).read_to_end(&mut there);
    read.is_ok() && there == bytes
}

/// Opens the file's folder and returns it with the file's name. No link below the bundle's folder is followed.
fn open(folder: &Path, made: &BundleFile, creates: bool) -> io::Result<(Folder, String)> {
    let path = Path::new(&made.path);
    let name = path.file_name().and_then(|name| name.to_str()).ok_or(io::ErrorKind::InvalidFilename)?;
    let mut within = Folder::open(folder)?;
    for part in path.parent().into_iter().flatten() {
        if creates {
            within.make_folder(part, FOLDER)?;
        }
        within = within.open_folder(part).map_err(|error| match error {
            error if is_link(&error) || error.kind() == io::ErrorKind::NotADirectory => {
                io::Error::other("its folder is a symbolic link or not a folder; move it away")
            }
            error => error,
        })?;
    }
    Ok((within, name.to_owned()))
}

/// Removes plugins from a folder of hookbox's own that are not exported there any more.
pub(crate) fn keep_only(folder: &Path, files: &[BundleFile]) -> Result<(), Fault> {
    let kept: Vec<PathBuf> = files.iter().map(|made| folder.join(&made.path)).collect();
    let plugins = folder.join("plugins");
    let failed =
        |error: io::Error| Fault::Failed(format!("{} cannot be cleared: {error}", display_path(&plugins)));
    for entry in fs::read_dir(&plugins).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if !kept.contains(&path) {
            fs::remove_file(&path).map_err(failed)?;
        }
    }
    Ok(())
}
