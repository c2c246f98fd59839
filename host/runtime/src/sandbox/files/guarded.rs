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

    // The following functions act on an open handle, whose target was checked when it was opened. Those that take
    // a path check it.

    async fn advise(&mut self, fd: Fd, offset: Filesize, length: Filesize, advice: Advice) -> FsResult<()> {
        self.as_wasi_view().advise(fd, offset, length, advice).await
    }

    async fn sync_data(&mut self, fd: Fd) -> FsResult<()> {
        self.as_wasi_view().sync_data(fd).await
    }

    async fn get_flags(&mut self, fd: Fd) -> FsResult<DescriptorFlags> {
        self.as_wasi_view().get_flags(fd).await
    }

    async fn get_type(&mut self, fd: Fd) -> FsResult<DescriptorType> {
        self.as_wasi_view().get_type(fd).await
    }

    async fn set_size(&mut self, fd: Fd, size: Filesize) -> FsResult<()> {
        self.as_wasi_view().set_size(fd, size).await
    }

    async fn read(&mut self, fd: Fd, length: Filesize, offset: Filesize) -> FsResult<(Vec<u8>, bool)> {
        self.as_wasi_view().read(fd, length, offset).await
    }

    async fn write(&mut self, fd: Fd, bytes: Vec<u8>, offset: Filesize) -> FsResult<Filesize> {
        self.as_wasi_view().write(fd, bytes, offset).await
    }

    async fn sync(&mut self, fd: Fd) -> FsResult<()> {
        self.as_wasi_view().sync(fd).await
    }

    async fn stat(&mut self, fd: Fd) -> FsResult<DescriptorStat> {
        self.as_wasi_view().stat(fd).await
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

    async fn is_same_object(&mut self, one: Fd, other: Fd) -> wasmtime::Result<bool> {
        self.as_wasi_view().is_same_object(one, other).await
    }

    async fn metadata_hash(&mut self, fd: Fd) -> FsResult<MetadataHashValue> {
        self.as_wasi_view().metadata_hash(fd).await
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
