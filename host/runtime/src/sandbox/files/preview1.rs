//! WASI preview 1 for core modules: file functions are checked by [`Files`] first, as for components.
//!
//! The numbers of descriptors are WASI's. Their paths are recorded separately; a descriptor without a recorded path is
//! not usable.
//!
//! [`Files`]: super::Files

use wasmtime_wasi::p1::{
    types::{
        Advice, CiovecArray, Clockid, Dircookie, Errno, Error, Event, Exitcode, Fd, Fdflags, Fdstat,
        Filedelta, Filesize, Filestat, Fstflags, IovecArray, Lookupflags, Oflags, Prestat, PrestatDir,
        Riflags, Rights, Roflags, Sdflags, Siflags, Signal, Size, Subscription, Timestamp, Whence,
    },
    wasi_snapshot_preview1::WasiSnapshotPreview1,
};
use wiggle::{GuestMemory, GuestPtr};

use crate::sandbox::wasi::Wasi;

type Text = GuestPtr<str>;
type Bytes = GuestPtr<u8>;

/// Longest path, bytes: a path that no system accepts is not copied from the guest.
const MAX_PATH: u32 = 4096;

impl Wasi {
    /// Registers the descriptor, and reads the path.
    fn read_path(&mut self, memory: &GuestMemory<'_>, fd: Fd, path: Text) -> Result<String, Error> {
        self.ensure_registered(fd)?;
        if path.len() > MAX_PATH {
            return Err(Errno::Nametoolong.into());
        }
        Ok(memory.as_cow_str(path)?.into_owned())
    }

    /// Registers a granted folder: opened files are registered already; granted folders are open from the beginning,
    /// and WASI has their names.
    fn ensure_registered(&mut self, fd: Fd) -> Result<(), Error> {
        if !self.files.is_open(fd.into()) {
            let name = self.name_of_granted(fd)?;
            self.files.register_granted(fd.into(), &name);
        }
        Ok(())
    }

    fn name_of_granted(&mut self, fd: Fd) -> Result<String, Error> {
        let Prestat::Dir(PrestatDir { pr_name_len: size }) =
            // WASI can only write a name into the memory of a guest, so a buffer stands in for that.
            self.context.fd_prestat_get(&mut GuestMemory::Unshared(&mut []), fd)?;
        let mut name = vec![0; size as usize];
        self.context.fd_prestat_dir_name(
            &mut GuestMemory::Unshared(&mut name),
            fd,
            GuestPtr::new(0),
            size,
        )?;
        String::from_utf8(name).map_err(|_| Errno::Badf.into())
    }
}

/// Forwards functions to WASI without checks.
macro_rules! of_wasi_alone {
    ($($function:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        fn $function(&mut self, memory: &mut GuestMemory<'_>, $($argument: $kind),*) -> Result<$result, Error> {
            self.context.$function(memory, $($argument),*)
        }
    )*};
}

/// Forwards asynchronous functions to WASI without checks.
macro_rules! of_wasi_alone_async {
    ($($function:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        async fn $function(
            &mut self,
            memory: &mut GuestMemory<'_>,
            $($argument: $kind),*
        ) -> Result<$result, Error> {
            self.context.$function(memory, $($argument),*).await
        }
    )*};
}

/// Forwards functions that change the entry at a path, after a check of the path.
macro_rules! of_checked_change {
    ($($function:ident;)*) => {$(
        async fn $function(&mut self, memory: &mut GuestMemory<'_>, fd: Fd, path: Text) -> Result<(), Error> {
            let name = self.read_path(memory, fd, path)?;
            self.files.may_change(fd.into(), &name, false)?;
            self.context.$function(memory, fd, path).await
        }
    )*};
}

impl WasiSnapshotPreview1 for Wasi {
    async fn path_open(
        &mut self,
        memory: &mut GuestMemory<'_>,
        fd: Fd,
        lookup: Lookupflags,
        path: Text,
        open: Oflags,
        rights: Rights,
        inheriting: Rights,
        flags: Fdflags,
    ) -> Result<Fd, Error> {
        let name = self.read_path(memory, fd, path)?;
        let creates = open.intersects(Oflags::CREAT | Oflags::TRUNC | Oflags::EXCL);
        let changes = creates || rights.contains(Rights::FD_WRITE);
        let target = self.files.may_open(fd.into(), &name, follows_symlinks(lookup), changes)?;
        let opened =
            self.context.path_open(memory, fd, lookup, path, open, rights, inheriting, flags).await?;
        self.files.register_opened(opened.into(), target);
        Ok(opened)
    }

    async fn fd_close(&mut self, memory: &mut GuestMemory<'_>, fd: Fd) -> Result<(), Error> {
        self.files.unregister_file(fd.into());
        self.context.fd_close(memory, fd).await
    }

    async fn fd_renumber(&mut self, memory: &mut GuestMemory<'_>, from: Fd, to: Fd) -> Result<(), Error> {
        // First WASI's own check: if it refuses, both numbers keep their files, and so must keep their paths.
        self.context.fd_renumber(memory, from, to).await?;
        self.files.renumber_file(from.into(), to.into());
        Ok(())
    }

    of_checked_change! {
        path_create_directory;
        path_remove_directory;
        path_unlink_file;
    }

    async fn path_rename(
        &mut self,
        memory: &mut GuestMemory<'_>,
        fd: Fd,
        path: Text,
        new_fd: Fd,
        new_path: Text,
    ) -> Result<(), Error> {
        let from = self.read_path(memory, fd, path)?;
        let to = self.read_path(memory, new_fd, new_path)?;
        self.files.may_rename(fd.into(), &from, new_fd.into(), &to)?;
        self.context.path_rename(memory, fd, path, new_fd, new_path).await
    }

    async fn path_link(
        &mut self,
        memory: &mut GuestMemory<'_>,
        _: Fd,
        _: Lookupflags,
        _: Text,
        fd: Fd,
        path: Text,
    ) -> Result<(), Error> {
        let to = self.read_path(memory, fd, path)?;
        Err(self.files.no_link(&to).into())
    }

    async fn path_symlink(
        &mut self,
        memory: &mut GuestMemory<'_>,
        _: Text,
        fd: Fd,
        path: Text,
    ) -> Result<(), Error> {
        let to = self.read_path(memory, fd, path)?;
        Err(self.files.no_link(&to).into())
    }

    async fn path_readlink(
        &mut self,
        memory: &mut GuestMemory<'_>,
        fd: Fd,
        path: Text,
        buffer: Bytes,
        size: Size,
    ) -> Result<Size, Error> {
        let name = self.read_path(memory, fd, path)?;
        self.files.may_look(fd.into(), &name, false)?;
        self.context.path_readlink(memory, fd, path, buffer, size).await
    }

    async fn path_filestat_get(
        &mut self,
        memory: &mut GuestMemory<'_>,
        fd: Fd,
        lookup: Lookupflags,
        path: Text,
    ) -> Result<Filestat, Error> {
        let name = self.read_path(memory, fd, path)?;
        self.files.may_look(fd.into(), &name, follows_symlinks(lookup))?;
        self.context.path_filestat_get(memory, fd, lookup, path).await
    }

    async fn path_filestat_set_times(
        &mut self,
        memory: &mut GuestMemory<'_>,
        fd: Fd,
        lookup: Lookupflags,
        path: Text,
        accessed: Timestamp,
        modified: Timestamp,
        which: Fstflags,
    ) -> Result<(), Error> {
        let name = self.read_path(memory, fd, path)?;
        self.files.may_change(fd.into(), &name, follows_symlinks(lookup))?;
        self.context.path_filestat_set_times(memory, fd, lookup, path, accessed, modified, which).await
    }

    async fn fd_filestat_set_times(
        &mut self,
        memory: &mut GuestMemory<'_>,
        fd: Fd,
        accessed: Timestamp,
        modified: Timestamp,
        which: Fstflags,
    ) -> Result<(), Error> {
        self.ensure_registered(fd)?;
        self.files.may_set_times(fd.into())?;
        self.context.fd_filestat_set_times(memory, fd, accessed, modified, which).await
    }

    async fn fd_readdir(
        &mut self,
        memory: &mut GuestMemory<'_>,
        fd: Fd,
        buffer: Bytes,
        size: Size,
        cookie: Dircookie,
    ) -> Result<Size, Error> {
        self.ensure_registered(fd)?;
        self.files.may_list(fd.into())?;
        self.context.fd_readdir(memory, fd, buffer, size, cookie).await
    }

    fn set_hostcall_fuel(&mut self, fuel: usize) {
        self.context.set_hostcall_fuel(fuel);
    }

    fn proc_exit(&mut self, memory: &mut GuestMemory<'_>, code: Exitcode) -> wasmtime::Error {
        self.context.proc_exit(memory, code)
    }

    // Functions without a path act on a descriptor whose target was checked when it was opened.
    of_wasi_alone_async! {
        fd_advise(fd: Fd, offset: Filesize, length: Filesize, advice: Advice) -> ();
        fd_datasync(fd: Fd) -> ();
        fd_fdstat_get(fd: Fd) -> Fdstat;
        fd_filestat_get(fd: Fd) -> Filestat;
        fd_filestat_set_size(fd: Fd, size: Filesize) -> ();
        fd_pread(fd: Fd, buffers: IovecArray, offset: Filesize) -> Size;
        fd_pwrite(fd: Fd, buffers: CiovecArray, offset: Filesize) -> Size;
        fd_read(fd: Fd, buffers: IovecArray) -> Size;
        fd_seek(fd: Fd, offset: Filedelta, whence: Whence) -> Filesize;
        fd_sync(fd: Fd) -> ();
        fd_write(fd: Fd, buffers: CiovecArray) -> Size;
        poll_oneoff(waits: GuestPtr<Subscription>, events: GuestPtr<Event>, count: Size) -> Size;
    }

    of_wasi_alone! {
        args_get(at: GuestPtr<Bytes>, buffer: Bytes) -> ();
        args_sizes_get() -> (Size, Size);
        clock_res_get(clock: Clockid) -> Timestamp;
        clock_time_get(clock: Clockid, precision: Timestamp) -> Timestamp;
        environ_get(at: GuestPtr<Bytes>, buffer: Bytes) -> ();
        environ_sizes_get() -> (Size, Size);
        fd_allocate(fd: Fd, offset: Filesize, length: Filesize) -> ();
        fd_fdstat_set_flags(fd: Fd, flags: Fdflags) -> ();
        fd_fdstat_set_rights(fd: Fd, rights: Rights, inheriting: Rights) -> ();
        fd_prestat_dir_name(fd: Fd, path: Bytes, size: Size) -> ();
        fd_prestat_get(fd: Fd) -> Prestat;
        fd_tell(fd: Fd) -> Filesize;
        proc_raise(signal: Signal) -> ();
        random_get(buffer: Bytes, size: Size) -> ();
        sched_yield() -> ();
        sock_accept(fd: Fd, flags: Fdflags) -> Fd;
        sock_recv(fd: Fd, buffers: IovecArray, flags: Riflags) -> (Size, Roflags);
        sock_send(fd: Fd, buffers: CiovecArray, flags: Siflags) -> Size;
        sock_shutdown(fd: Fd, how: Sdflags) -> ();
    }
}

fn follows_symlinks(lookup: Lookupflags) -> bool {
    lookup.contains(Lookupflags::SYMLINK_FOLLOW)
}
