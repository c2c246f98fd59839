//! Everything that a hook of a project runs, where that is known before the hook runs: its entry, and the files of the project
//! that it names.
//!
//! To trust a hook is to trust these bytes. Files that an interpreter loads, a tool reads or a command fetches later are not
//! among them, and are reported as risks ([`HookContent::beware`]).

mod error;

use std::{
    collections::BTreeMap,
    io::{self, Read},
    path::{Component, Path, PathBuf},
};

use hookbox::{
    HookSpec, Sha256Digest, Target,
    hook::{Place, ShellCommand, ShellSpec, WasmSpec},
};
use hookbox_platform::file::{self, FileKind, FileStatus};

pub use self::error::ContentError;
use crate::command_files::{self, value_of};

/// Largest file of a hook, bytes.
const MAX_FILE: u64 = 16 << 20;
/// Maximum number of files of one hook.
const MAX_FILES: usize = 64;

/// The content that a hook runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookContent {
    /// Its entry, as [`hookbox::config::canonical_entries`] formats it.
    pub entry: String,
    /// The files of the project, by their paths relative to its folder.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// The file that each word of its command named when it was read. The project can change later to which file a word leads.
    pub(crate) named: BTreeMap<String, PathBuf>,
    /// Warnings for the user about content that the hook may run and that is not in `files`.
    pub beware: Vec<String>,
}

impl HookContent {
    /// Collects the content of a hook in the project with this real folder.
    ///
    /// # Errors
    ///
    /// A file cannot be read, is too long, or lies outside of the project; or which files the hook runs is not known.
    pub fn from_hook(hook: &HookSpec, entry: &str, root: &Path) -> Result<Self, ContentError> {
        let mut closure = Self {
            entry: entry.to_owned(),
            files: BTreeMap::new(),
            named: BTreeMap::new(),
            beware: Vec::new(),
        };
        match &hook.target {
            Target::Wasm(wasm) => closure.add_component(wasm, root)?,
            Target::Shell(shell) => closure.add_command(shell, root)?,
            Target::Webhook(webhook) => {
                let to = format!("{} is sent each event that it is for", webhook.url);
                closure.beware.push(to);
            }
            // Only the kinds above are known not to load more later.
            _ => {
                return Err(ContentError::Unbounded);
            }
        }
        Ok(closure)
    }

    /// Returns a digest of all content: SHA-256, 64 hexadecimal digits.
    pub fn digest(&self) -> Sha256Digest {
        let digest = |bytes: &Vec<u8>| Sha256Digest::of_content(bytes).as_str().to_owned();
        let files = self
            .files
            .iter()
            .map(|(path, bytes)| format!("\n{}  {:?}", digest(bytes), path.to_string_lossy()));
        // A quoted path contains no line break.
        let whole: String = [self.entry.clone()].into_iter().chain(files).collect();
        Sha256Digest::of_content(whole.as_bytes())
    }

    fn add_component(&mut self, wasm: &WasmSpec, root: &Path) -> Result<(), ContentError> {
        // Components that are shipped with hookbox belong to the installation.
        if wasm.is_shipped {
            return Ok(());
        }
        let path =
            wasm.path.canonicalize().map_err(|error| ContentError::for_file(wasm.path.as_path(), error))?;
        match relative_to(&path, root) {
            Some(path) => self.insert_file(root, &path),
            None => Err(ContentError::Outside(path)),
        }
    }

    fn add_command(&mut self, shell: &ShellSpec, root: &Path) -> Result<(), ContentError> {
        let folder = command_folder(shell, root);
        let program = command_files::replace_file_words(&shell.command, (root, &folder), &mut |word| {
            let is_file = self.add_file(word, (root, &folder))?;
            Ok(is_file.then(|| word.to_owned()))
        })?;
        if let ShellCommand::Argv(words) = &shell.command {
            for word in words {
                self.warn_of(word, (root, &folder));
            }
        }
        let line = match &shell.command {
            ShellCommand::Line(line) => line.clone(),
            ShellCommand::Argv(words) => words.join(" "),
        };
        let is_whole = matches!(&program, ShellCommand::Argv(words) if words.first().is_some_and(|word| self.named.contains_key(word)));
        if reads_project(shell) {
            // The copies that run do not include such files, so their later content is unknown.
            let read = "it reads files of the project that are not shown here: this trusts whatever is in them later";
            self.beware.push(read.to_owned());
        }
        if !is_whole {
            self.beware
                .push(format!("this trusts whatever `{line}` does later with what the project holds then"));
        }
        if !self.files.is_empty() {
            let loaded =
                "what a file itself loads or starts later (imports, other scripts, tools) is trusted with it";
            self.beware.push(loaded.to_owned());
        }
        Ok(())
    }

    /// Warns of a word that may stand for more than one file.
    fn warn_of(&mut self, word: &str, (root, folder): (&Path, &Path)) {
        let value = value_of(word);
        if [word, value].iter().any(|word| self.named.contains_key(*word)) {
            return;
        }
        if word.contains(['*', '?', '[']) {
            self.beware.push(format!("`{word}` may mean any file that is there later"));
        } else if is_folder(word, root, folder) || is_folder(value, root, folder) {
            self.beware.push(format!("`{word}` is a folder: this trusts whatever is in it later"));
        }
    }

    /// Adds the file of the project that a word names. Returns true if the word names one.
    fn add_file(&mut self, word: &str, (root, folder): (&Path, &Path)) -> Result<bool, ContentError> {
        // Joined with an empty word, the path would be the folder itself.
        if word.is_empty() {
            return Ok(false);
        }
        // Links are followed: the file at the end is the one that would run.
        let path = folder.join(word);
        let real = path.canonicalize();
        if leads_out(&path, root, &real) {
            return Err(ContentError::LinkOut(word.to_owned()));
        }
        let Some(path) = real.ok().and_then(|real| file_of(&real, root)) else { return Ok(false) };
        self.insert_file(root, &path)?;
        self.named.insert(word.to_owned(), path);
        Ok(true)
    }

    fn insert_file(&mut self, root: &Path, path: &Path) -> Result<(), ContentError> {
        if self.files.len() >= MAX_FILES {
            return Err(ContentError::TooManyFiles);
        }
        // The digest contains paths as text, in which two such names could look equal.
        if path.to_str().is_none() {
            return Err(ContentError::FileName(path.to_owned()));
        }
        let bytes = read_file(&root.join(path)).map_err(|error| ContentError::for_file(path, error))?;
        self.files.insert(path.to_owned(), bytes);
        Ok(())
    }
}

/// Returns the path of this file from the project's real folder; `None` if it is not a file of the project.
fn file_of(real: &Path, root: &Path) -> Option<PathBuf> {
    relative_to(real, root).filter(|_| !real.is_dir())
}

/// Returns true if a word that names something of the project leads out of it, by a link at its end or on the way. A dangling
/// link counts, because its target may exist later.
fn leads_out(path: &Path, root: &Path, real: &io::Result<PathBuf>) -> bool {
    let named = normalize_lexically(path);
    if !named.starts_with(root) {
        return false;
    }
    match real {
        Ok(real) => !real.starts_with(root),
        Err(_) => named.ancestors().take_while(|part| *part != root).any(Path::is_symlink),
    }
}

/// Returns a path with `..` resolved lexically, without regard to links.
fn normalize_lexically(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut written, part| {
        if part == Component::ParentDir {
            written.pop();
        } else {
            written.push(part);
        }
        written
    })
}

fn is_folder(word: &str, root: &Path, folder: &Path) -> bool {
    let is_named = !word.is_empty() && (word == "." || word.contains('/') || folder.join(word).is_dir());
    is_named && folder.join(word).canonicalize().is_ok_and(|real| real.is_dir() && real.starts_with(root))
}

/// Returns the folder in which a trusted command of this project runs.
pub(crate) fn command_folder(shell: &ShellSpec, root: &Path) -> PathBuf {
    shell.cwd.clone().unwrap_or_else(|| root.to_owned())
}

/// Returns true if the entry states that the hook reads more of the project than its command names.
pub(crate) fn reads_project(shell: &ShellSpec) -> bool {
    let rules = shell.confinement.as_ref().and_then(|confinement| confinement.files.as_ref());
    let is_of_project = |place: &Place| *place == Place::Project;
    shell.reads_project || rules.is_some_and(|rules| rules.read.iter().chain(&rules.write).any(is_of_project))
}

/// Returns the path relative to the project's folder, if it is in there.
fn relative_to(real: &Path, root: &Path) -> Option<PathBuf> {
    real.strip_prefix(root).ok().filter(|path| !path.as_os_str().is_empty()).map(Path::to_owned)
}

/// Reads a whole plain file of at most `MAX_FILE` bytes.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let file = file::open(path)?;
    let status = FileStatus::of_file(&file)?;
    if status.kind != FileKind::Plain {
        return Err(io::Error::other("it is not a plain file"));
    }
    let mut bytes = Vec::new();
    // The size in the status is not used: the file may grow while it is read.
    file.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(io::Error::other(format!(
            "it is longer than {} MiB, which no trusted file may be",
            MAX_FILE >> 20
        )));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_word_that_names_something_of_the_project_does_not_lead_out_of_it_however_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (root, outside) = (folder.path().join("project"), folder.path().join("outside"));
        for made in [root.join("scripts"), outside.clone()] {
            std::fs::create_dir_all(made).unwrap();
        }
        let root = root.canonicalize().unwrap();
        std::fs::write(outside.join("a.sh"), "").unwrap();
        std::fs::write(root.join("scripts/b.sh"), "").unwrap();
        let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, root.join(name)).unwrap();
        link(&outside.join("a.sh"), "out.sh");
        link(&outside, "folder");
        link(&outside.join("later.sh"), "nowhere.sh");
        link(Path::new("scripts/b.sh"), "in.sh");
        let leads_out = |word: &str| leads_out(&root.join(word), &root, &root.join(word).canonicalize());
        for word in [
            "out.sh",
            "./out.sh",
            "scripts/../out.sh",
            "scripts/.././out.sh",
            "folder/a.sh",
            "folder",
            "nowhere.sh",
        ] {
            assert!(leads_out(word), "{word}");
        }
        let absolute = root.join("out.sh").display().to_string();
        assert!(leads_out(&absolute), "{absolute}");
        for word in
            ["sh", "in.sh", "scripts/b.sh", "scripts/../in.sh", "../outside/a.sh", "/bin/sh", "none/../x"]
        {
            assert!(!leads_out(word), "{word}");
        }
    }
}
