//! Files of a guest: WASI's own implementation, with what hookbox adds.
//!
//! WASI keeps a guest within its folders. Beyond that, nothing but plain files and folders can be opened (a FIFO would
//! hold a thread), folders of endless entries are not listed, and what configures hooks or agents is not changed:
//! neither by its name, nor through a link, nor by moving something there. A guest makes no links and moves no folders,
//! so what a path leads to stays what it was when it was checked.

mod guarded;

use std::{
    collections::HashMap,
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Component, Path, PathBuf},
};

use hookbox_model::Refusal;
use wasmtime::component::Resource;
use wasmtime_wasi::{
    filesystem::Descriptor,
    p2::{FsError, FsResult, bindings::filesystem::types::ErrorCode},
};

pub(super) use self::guarded::{Guarded, GuardedFiles};
use super::refusals::Refusals;

type Fd = Resource<Descriptor>;

/// Where hooks, agents and what starts with them are configured. No guest changes these, in whatever folder they are. A name
/// with a `/` stands for a folder within a folder.
pub(super) const PROTECTED: &[&str] = &[
    ".hookbox",
    ".claude",
    ".claude.json",
    ".gemini",
    ".llxprt",
    ".codex",
    ".codeium",
    ".copilot",
    ".cursor",
    ".cursorrules",
    ".windsurf",
    ".windsurfrules",
    ".cline",
    ".clinerules",
    ".amazonq",
    ".cocode",
    ".forge",
    ".run-claude",
    ".kiro",
    ".roo",
    ".qwen",
    ".opencode",
    ".aider.conf.yml",
    ".mcp.json",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENT.md",
    "AGENTS.md",
    "GEMINI.md",
    "LLXPRT.md",
    "QWEN.md",
    ".config",
    ".cache/hookbox",
    ".local/state/hookbox",
    "etc/hookbox",
    ".github",
    ".git",
    ".gitattributes",
    ".gitconfig",
    ".gitmodules",
    ".husky",
    ".pre-commit-config.yaml",
    ".vscode",
    ".idea",
    ".devcontainer",
    ".envrc",
    "mise.toml",
    ".mise.toml",
    ".ssh",
    ".bashrc",
    ".bash_profile",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
];

/// Where the folders are that a guest has open, and what in them it may not change.
pub(super) struct Files {
    /// By the number of the handle; links followed.
    folders: HashMap<u32, PathBuf>,
    protected: &'static [&'static str],
    refusals: Refusals,
}

impl Files {
    /// `protected` are names of files and folders, whatever folder they are in.
    pub(super) fn new(protected: &'static [&'static str], refusals: Refusals) -> Self {
        Self { folders: HashMap::new(), protected, refusals }
    }

    /// What `path` in the open folder `fd` leads to. Its last name may be that of nothing yet; a link there is followed
    /// if `follow`.
    fn target(&self, fd: &Fd, path: &str, follow: bool) -> Option<PathBuf> {
        let whole = self.folders.get(&fd.rep())?.join(path);
        if follow && let Ok(target) = whole.canonicalize() {
            return Some(target);
        }
        match (whole.parent(), whole.components().next_back()) {
            (Some(parent), Some(Component::Normal(name))) => Some(parent.canonicalize().ok()?.join(name)),
            // `..` and `.` lead to a folder that is there.
            _ => whole.canonicalize().ok(),
        }
    }

    /// May what `path` leads to be changed? What configures hooks or agents may not.
    fn may_change(&self, fd: &Fd, path: &str, follow: bool) -> FsResult<PathBuf> {
        // Without a target nothing can be changed there either; what is wrong is for WASI to say.
        let target = self.target(fd, path, follow).ok_or(ErrorCode::NoEntry)?;
        if self.is_protected(&target) || self.is_protected(Path::new(path)) {
            return Err(self.refused(&target, "what configures hooks or agents is never changed by one"));
        }
        Ok(target)
    }

    fn refused(&self, target: &Path, why: &str) -> FsError {
        self.refusals.add(Refusal::new("fs.write", &target.display().to_string(), why, None));
        ErrorCode::NotPermitted.into()
    }

    /// Of two names that differ in case only, some file systems make one.
    fn is_protected(&self, path: &Path) -> bool {
        let names: Vec<_> =
            path.components().map(|part| folded(&part.as_os_str().to_string_lossy())).collect();
        self.protected.iter().any(|own| {
            let own: Vec<_> = own.split('/').map(folded).collect();
            names.windows(own.len()).any(|names| names == own)
        })
    }

    /// Is what `target` leads to on the file system of the open folder `fd`? What is mounted within a granted folder is
    /// not granted with it: `/proc` would give this process's own memory.
    fn is_on_file_system_of(&self, fd: &Fd, target: &Path) -> bool {
        let device = |path: &Path| fs::symlink_metadata(path).map(|found| found.dev()).ok();
        let existing = if fs::symlink_metadata(target).is_ok() { Some(target) } else { target.parent() };
        let (folder, target) = (self.folders.get(&fd.rep()), existing.and_then(device));
        folder.and_then(|folder| device(folder)).is_some_and(|folder| Some(folder) == target)
    }

    /// A file that is no folder and no link.
    fn is_plain(target: &Path) -> bool {
        fs::symlink_metadata(target).is_ok_and(|file| file.is_file())
    }
}

/// What differs in case only is the same, beyond ASCII too.
fn folded(name: &str) -> String {
    name.to_lowercase().to_uppercase()
}
