//! Files of a guest: WASI's own implementation, with what hookbox adds.
//!
//! WASI keeps a guest within its folders. Beyond that, nothing but plain files and folders can be opened (a FIFO would
//! hold a thread), folders of endless entries are not listed, and what configures hooks or agents is not changed:
//! neither by its name, nor through a link, nor by moving something there. A guest makes no links and moves no folders,
//! so what a path leads to stays what it was when it was checked.

use std::{
    collections::HashMap,
    fs,
    path::{Component, Path, PathBuf},
};

use hookbox_model::Refusal;
use wasmtime::component::{HasData, Resource, ResourceTable};
use wasmtime_wasi::{
    filesystem::{Descriptor, WasiFilesystemCtx, WasiFilesystemCtxView},
    p2::{
        DynInputStream, DynOutputStream, FsError, FsResult, ReaddirIterator,
        bindings::filesystem::{
            preopens,
            types::{
                self, Advice, DescriptorFlags, DescriptorStat, DescriptorType, DirectoryEntry, ErrorCode,
                Filesize, HostDescriptor, HostDirectoryEntryStream, MetadataHashValue, NewTimestamp,
                OpenFlags, PathFlags,
            },
        },
    },
};

use super::refusals::Refusals;

type Fd = Resource<Descriptor>;

/// Most entries of a folder that a guest may list.
const MAX_ENTRIES: usize = 20_000;

/// Where hooks, agents and what starts with them are configured. No guest changes these, in whatever folder they are.
pub(super) const PROTECTED: &[&str] = &[
    ".hookbox",
    ".claude",
    ".gemini",
    ".llxprt",
    ".codex",
    ".cursor",
    ".windsurf",
    ".cline",
    ".clinerules",
    ".amazonq",
    ".cocode",
    ".forge",
    ".run-claude",
    ".github",
    ".git",
    ".gitmodules",
    ".vscode",
    ".idea",
    ".envrc",
    ".mcp.json",
    ".cursorrules",
    ".windsurfrules",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    "GEMINI.md",
    "LLXPRT.md",
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
        let mut names = path.components().filter_map(|part| part.as_os_str().to_str());
        names.any(|name| self.protected.iter().any(|own| own.eq_ignore_ascii_case(name)))
    }

    /// A file that is no folder and no link.
    fn is_plain(target: &Path) -> bool {
        fs::symlink_metadata(target).is_ok_and(|file| file.is_file())
    }
}

/// WASI's files with the rules of this module, for one host call.
pub(super) struct Guarded<'a> {
    pub(super) context: &'a mut WasiFilesystemCtx,
    pub(super) table: &'a mut ResourceTable,
    pub(super) files: &'a mut Files,
}

/// For the linker.
pub(super) struct GuardedFiles;

impl HasData for GuardedFiles {
    type Data<'a> = Guarded<'a>;
}

impl Guarded<'_> {
    fn wasi(&mut self) -> WasiFilesystemCtxView<'_> {
        WasiFilesystemCtxView { ctx: self.context, table: self.table }
    }

    fn may_change(&self, fd: &Fd, path: &str) -> FsResult<PathBuf> {
        self.files.may_change(fd, path, false)
    }
}

impl preopens::Host for Guarded<'_> {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Fd, String)>> {
        let folders = preopens::Host::get_directories(&mut self.wasi())?;
        for (fd, path) in &folders {
            // Inside, a folder has the path that it has outside.
            let real = Path::new(path).canonicalize().unwrap_or_else(|_| PathBuf::from(path));
            self.files.folders.insert(fd.rep(), real);
        }
        Ok(folders)
    }
}

impl types::Host for Guarded<'_> {
    fn convert_error_code(&mut self, error: FsError) -> wasmtime::Result<ErrorCode> {
        self.wasi().convert_error_code(error)
    }

    fn filesystem_error_code(
        &mut self,
        error: Resource<wasmtime::Error>,
    ) -> wasmtime::Result<Option<ErrorCode>> {
        self.wasi().filesystem_error_code(error)
    }
}

impl HostDescriptor for Guarded<'_> {
    async fn open_at(
        &mut self,
        fd: Fd,
        path_flags: PathFlags,
        path: String,
        open_flags: OpenFlags,
        flags: DescriptorFlags,
    ) -> FsResult<Fd> {
        let follow = path_flags.contains(PathFlags::SYMLINK_FOLLOW);
        let target = self.files.target(&fd, &path, follow);
        if let Some(found) = target.as_ref().and_then(|target| fs::metadata(target).ok())
            && !(found.is_file() || found.is_dir())
        {
            return Err(ErrorCode::NotPermitted.into());
        }
        let creates = open_flags.intersects(OpenFlags::CREATE | OpenFlags::TRUNCATE | OpenFlags::EXCLUSIVE);
        if creates || flags.contains(DescriptorFlags::WRITE) {
            self.files.may_change(&fd, &path, follow)?;
        }
        let opened = self.wasi().open_at(fd, path_flags, path, open_flags, flags).await?;
        if let Some(target) = target {
            self.files.folders.insert(opened.rep(), target);
        }
        Ok(opened)
    }

    async fn create_directory_at(&mut self, fd: Fd, path: String) -> FsResult<()> {
        self.may_change(&fd, &path)?;
        self.wasi().create_directory_at(fd, path).await
    }

    async fn set_times_at(
        &mut self,
        fd: Fd,
        flags: PathFlags,
        path: String,
        accessed: NewTimestamp,
        modified: NewTimestamp,
    ) -> FsResult<()> {
        self.files.may_change(&fd, &path, flags.contains(PathFlags::SYMLINK_FOLLOW))?;
        self.wasi().set_times_at(fd, flags, path, accessed, modified).await
    }

    async fn link_at(&mut self, _: Fd, _: PathFlags, _: String, _: Fd, to: String) -> FsResult<()> {
        Err(self.files.refused(Path::new(&to), "a hook makes no links"))
    }

    async fn symlink_at(&mut self, _: Fd, _: String, to: String) -> FsResult<()> {
        Err(self.files.refused(Path::new(&to), "a hook makes no links"))
    }

    async fn rename_at(&mut self, fd: Fd, path: String, new_fd: Fd, new_path: String) -> FsResult<()> {
        let from = self.may_change(&fd, &path)?;
        self.may_change(&new_fd, &new_path)?;
        if !Files::is_plain(&from) {
            return Err(self.files.refused(&from, "a hook moves plain files only"));
        }
        self.wasi().rename_at(fd, path, new_fd, new_path).await
    }

    async fn remove_directory_at(&mut self, fd: Fd, path: String) -> FsResult<()> {
        self.may_change(&fd, &path)?;
        self.wasi().remove_directory_at(fd, path).await
    }

    async fn unlink_file_at(&mut self, fd: Fd, path: String) -> FsResult<()> {
        self.may_change(&fd, &path)?;
        self.wasi().unlink_file_at(fd, path).await
    }

    async fn read_directory(&mut self, fd: Fd) -> FsResult<Resource<ReaddirIterator>> {
        let entries = self.files.folders.get(&fd.rep()).and_then(|folder| fs::read_dir(folder).ok());
        if entries.is_some_and(|entries| entries.take(MAX_ENTRIES + 1).count() > MAX_ENTRIES) {
            return Err(ErrorCode::InsufficientMemory.into());
        }
        self.wasi().read_directory(fd).await
    }

    async fn set_times(&mut self, fd: Fd, accessed: NewTimestamp, modified: NewTimestamp) -> FsResult<()> {
        if self.files.folders.get(&fd.rep()).is_none_or(|path| self.files.is_protected(path)) {
            return Err(ErrorCode::NotPermitted.into());
        }
        self.wasi().set_times(fd, accessed, modified).await
    }

    fn drop(&mut self, fd: Fd) -> wasmtime::Result<()> {
        self.files.folders.remove(&fd.rep());
        HostDescriptor::drop(&mut self.wasi(), fd)
    }

    // What follows is WASI's alone.

    async fn advise(&mut self, fd: Fd, offset: Filesize, length: Filesize, advice: Advice) -> FsResult<()> {
        self.wasi().advise(fd, offset, length, advice).await
    }

    async fn sync_data(&mut self, fd: Fd) -> FsResult<()> {
        self.wasi().sync_data(fd).await
    }

    async fn get_flags(&mut self, fd: Fd) -> FsResult<DescriptorFlags> {
        self.wasi().get_flags(fd).await
    }

    async fn get_type(&mut self, fd: Fd) -> FsResult<DescriptorType> {
        self.wasi().get_type(fd).await
    }

    async fn set_size(&mut self, fd: Fd, size: Filesize) -> FsResult<()> {
        self.wasi().set_size(fd, size).await
    }

    async fn read(&mut self, fd: Fd, length: Filesize, offset: Filesize) -> FsResult<(Vec<u8>, bool)> {
        self.wasi().read(fd, length, offset).await
    }

    async fn write(&mut self, fd: Fd, bytes: Vec<u8>, offset: Filesize) -> FsResult<Filesize> {
        self.wasi().write(fd, bytes, offset).await
    }

    async fn sync(&mut self, fd: Fd) -> FsResult<()> {
        self.wasi().sync(fd).await
    }

    async fn stat(&mut self, fd: Fd) -> FsResult<DescriptorStat> {
        self.wasi().stat(fd).await
    }

    async fn stat_at(&mut self, fd: Fd, flags: PathFlags, path: String) -> FsResult<DescriptorStat> {
        self.wasi().stat_at(fd, flags, path).await
    }

    async fn readlink_at(&mut self, fd: Fd, path: String) -> FsResult<String> {
        self.wasi().readlink_at(fd, path).await
    }

    fn read_via_stream(&mut self, fd: Fd, offset: Filesize) -> FsResult<Resource<DynInputStream>> {
        self.wasi().read_via_stream(fd, offset)
    }

    fn write_via_stream(&mut self, fd: Fd, offset: Filesize) -> FsResult<Resource<DynOutputStream>> {
        self.wasi().write_via_stream(fd, offset)
    }

    fn append_via_stream(&mut self, fd: Fd) -> FsResult<Resource<DynOutputStream>> {
        self.wasi().append_via_stream(fd)
    }

    async fn is_same_object(&mut self, one: Fd, other: Fd) -> wasmtime::Result<bool> {
        self.wasi().is_same_object(one, other).await
    }

    async fn metadata_hash(&mut self, fd: Fd) -> FsResult<MetadataHashValue> {
        self.wasi().metadata_hash(fd).await
    }

    async fn metadata_hash_at(
        &mut self,
        fd: Fd,
        flags: PathFlags,
        path: String,
    ) -> FsResult<MetadataHashValue> {
        self.wasi().metadata_hash_at(fd, flags, path).await
    }
}

impl HostDirectoryEntryStream for Guarded<'_> {
    async fn read_directory_entry(
        &mut self,
        entries: Resource<ReaddirIterator>,
    ) -> FsResult<Option<DirectoryEntry>> {
        self.wasi().read_directory_entry(entries).await
    }

    fn drop(&mut self, entries: Resource<ReaddirIterator>) -> wasmtime::Result<()> {
        HostDirectoryEntryStream::drop(&mut self.wasi(), entries)
    }
}
