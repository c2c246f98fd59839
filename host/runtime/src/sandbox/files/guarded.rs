//! WASI's file functions for components, each call checked by [`Files`] first.

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

use super::Files;

type Fd = Resource<Descriptor>;

/// WASI's files with the rules of [`Files`], for one host call.
pub(in crate::sandbox) struct Guarded<'a> {
    pub(in crate::sandbox) context: &'a mut WasiFilesystemCtx,
    pub(in crate::sandbox) table: &'a mut ResourceTable,
    pub(in crate::sandbox) files: &'a mut Files,
}

/// Type for the linker.
pub(in crate::sandbox) struct GuardedFiles;

impl HasData for GuardedFiles {
    type Data<'a> = Guarded<'a>;
}

impl Guarded<'_> {
    fn as_wasi_view(&mut self) -> WasiFilesystemCtxView<'_> {
        WasiFilesystemCtxView { ctx: self.context, table: self.table }
    }

    fn may_change(&self, fd: &Fd, path: &str) -> FsResult<()> {
        self.files.may_change(fd.rep(), path, false).map(drop)
    }
}

impl preopens::Host for Guarded<'_> {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Fd, String)>> {
        let folders = preopens::Host::get_directories(&mut self.as_wasi_view())?;
        for (fd, path) in &folders {
            self.files.register_granted(fd.rep(), path);
        }
        Ok(folders)
    }
}

impl types::Host for Guarded<'_> {
    fn convert_error_code(&mut self, error: FsError) -> wasmtime::Result<ErrorCode> {
        self.as_wasi_view().convert_error_code(error)
    }

    fn filesystem_error_code(
        &mut self,
        error: Resource<wasmtime::Error>,
    ) -> wasmtime::Result<Option<ErrorCode>> {
        self.as_wasi_view().filesystem_error_code(error)
    }
}

/// Forwards functions of a handle to WASI without checks.
macro_rules! of_wasi_alone {
    ($($function:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        async fn $function(&mut self, fd: Fd, $($argument: $kind),*) -> $result {
            self.as_wasi_view().$function(fd, $($argument),*).await
        }
    )*};
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
        // These flags change a file even if it is opened for reading only.
        let creates = open_flags.intersects(OpenFlags::CREATE | OpenFlags::TRUNCATE | OpenFlags::EXCLUSIVE);
        let changes = creates || flags.contains(DescriptorFlags::WRITE);
        let target = self.files.may_open(fd.rep(), &path, follow, changes)?;
        let opened = self.as_wasi_view().open_at(fd, path_flags, path, open_flags, flags).await?;
        self.files.register_opened(opened.rep(), target);
        Ok(opened)
    }

    async fn create_directory_at(&mut self, fd: Fd, path: String) -> FsResult<()> {
        self.may_change(&fd, &path)?;
        self.as_wasi_view().create_directory_at(fd, path).await
    }

    async fn set_times_at(
        &mut self,
        fd: Fd,
        flags: PathFlags,
        path: String,
        accessed: NewTimestamp,
        modified: NewTimestamp,
    ) -> FsResult<()> {
        self.files.may_change(fd.rep(), &path, flags.contains(PathFlags::SYMLINK_FOLLOW))?;
        self.as_wasi_view().set_times_at(fd, flags, path, accessed, modified).await
    }

    async fn link_at(&mut self, _: Fd, _: PathFlags, _: String, _: Fd, to: String) -> FsResult<()> {
        Err(self.files.no_link(&to))
    }

    async fn symlink_at(&mut self, _: Fd, _: String, to: String) -> FsResult<()> {
        Err(self.files.no_link(&to))
    }

    async fn rename_at(&mut self, fd: Fd, path: String, new_fd: Fd, new_path: String) -> FsResult<()> {
        self.files.may_rename(fd.rep(), &path, new_fd.rep(), &new_path)?;
        self.as_wasi_view().rename_at(fd, path, new_fd, new_path).await
    }

    async fn remove_directory_at(&mut self, fd: Fd, path: String) -> FsResult<()> {
        self.may_change(&fd, &path)?;
        self.as_wasi_view().remove_directory_at(fd, path).await
    }

    async fn unlink_file_at(&mut self, fd: Fd, path: String) -> FsResult<()> {
        self.may_change(&fd, &path)?;
        self.as_wasi_view().unlink_file_at(fd, path).await
    }

    async fn read_directory(&mut self, fd: Fd) -> FsResult<Resource<ReaddirIterator>> {
        self.files.may_list(fd.rep())?;
        self.as_wasi_view().read_directory(fd).await
    }

    async fn set_times(&mut self, fd: Fd, accessed: NewTimestamp, modified: NewTimestamp) -> FsResult<()> {
        self.files.may_set_times(fd.rep())?;
        self.as_wasi_view().set_times(fd, accessed, modified).await
    }

    fn drop(&mut self, fd: Fd) -> wasmtime::Result<()> {
        // The table assigns the number of a dropped handle again.
        self.files.unregister_file(fd.rep());
        HostDescriptor::drop(&mut self.as_wasi_view(), fd)
    }

    // These functions act on an open handle, whose target was checked when it was opened.
    of_wasi_alone! {
        advise(offset: Filesize, length: Filesize, advice: Advice) -> FsResult<()>;
        get_flags() -> FsResult<DescriptorFlags>;
        get_type() -> FsResult<DescriptorType>;
        is_same_object(other: Fd) -> wasmtime::Result<bool>;
        metadata_hash() -> FsResult<MetadataHashValue>;
        read(length: Filesize, offset: Filesize) -> FsResult<(Vec<u8>, bool)>;
        set_size(size: Filesize) -> FsResult<()>;
        stat() -> FsResult<DescriptorStat>;
        sync() -> FsResult<()>;
        sync_data() -> FsResult<()>;
        write(bytes: Vec<u8>, offset: Filesize) -> FsResult<Filesize>;
    }

    async fn stat_at(&mut self, fd: Fd, flags: PathFlags, path: String) -> FsResult<DescriptorStat> {
        self.files.may_look(fd.rep(), &path, flags.contains(PathFlags::SYMLINK_FOLLOW))?;
        self.as_wasi_view().stat_at(fd, flags, path).await
    }

    async fn readlink_at(&mut self, fd: Fd, path: String) -> FsResult<String> {
        self.files.may_look(fd.rep(), &path, false)?;
        self.as_wasi_view().readlink_at(fd, path).await
    }

    fn read_via_stream(&mut self, fd: Fd, offset: Filesize) -> FsResult<Resource<DynInputStream>> {
        self.as_wasi_view().read_via_stream(fd, offset)
    }

    fn write_via_stream(&mut self, fd: Fd, offset: Filesize) -> FsResult<Resource<DynOutputStream>> {
        self.as_wasi_view().write_via_stream(fd, offset)
    }

    fn append_via_stream(&mut self, fd: Fd) -> FsResult<Resource<DynOutputStream>> {
        self.as_wasi_view().append_via_stream(fd)
    }

    async fn metadata_hash_at(
        &mut self,
        fd: Fd,
        flags: PathFlags,
        path: String,
    ) -> FsResult<MetadataHashValue> {
        self.files.may_look(fd.rep(), &path, flags.contains(PathFlags::SYMLINK_FOLLOW))?;
        self.as_wasi_view().metadata_hash_at(fd, flags, path).await
    }
}

impl HostDirectoryEntryStream for Guarded<'_> {
    async fn read_directory_entry(
        &mut self,
        entries: Resource<ReaddirIterator>,
    ) -> FsResult<Option<DirectoryEntry>> {
        self.as_wasi_view().read_directory_entry(entries).await
    }

    fn drop(&mut self, entries: Resource<ReaddirIterator>) -> wasmtime::Result<()> {
        HostDirectoryEntryStream::drop(&mut self.as_wasi_view(), entries)
    }
}
