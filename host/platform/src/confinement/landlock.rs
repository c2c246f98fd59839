//! File access of a hook, restricted with Landlock: paths without a rule are closed.

use std::{
    io,
    path::{Path, PathBuf},
};

#[cfg(not(on_linux))]
pub use self::elsewhere::Ruleset;
#[cfg(on_linux)]
pub use self::linux::Ruleset;

/// Paths that a program needs to start, where they exist: programs, libraries and their search configuration.
#[cfg(on_linux)]
const START_READ: [&str; 13] = [
    "/bin",
    "/sbin",
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    // NixOS has its programs and libraries here, and next to nothing in the folders above.
    "/nix/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/dev/random",
    "/dev/urandom",
];

/// Paths that it may always write to: they store nothing.
#[cfg(on_linux)]
const START_WRITE: [&str; 2] = ["/dev/null", "/dev/zero"];

/// Grants of a ruleset, in addition to the paths that every program needs to start. A folder includes all below it, a file only itself.
#[derive(Clone, Debug, Default)]
pub struct LandlockGrants<'a> {
    /// Paths to be read and run.
    pub read: Vec<PathBuf>,
    /// Paths to be read, changed, made and removed; not run.
    pub write: Vec<PathBuf>,
    /// The hook's own program, to be read and run.
    pub program: Option<&'a Path>,
}

#[cfg(on_linux)]
mod linux {
    use std::{
        fs,
        os::fd::{AsFd as _, OwnedFd},
    };

    use landlock::{
        ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, Ruleset as Builder,
        RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError, Scope, path_beneath_rules,
    };

    use super::{super::kernel, LandlockGrants, Path, PathBuf, START_READ, START_WRITE, io};

    /// Required version: without the third version a file could be cut short anywhere.
    const LEAST: ABI = ABI::V3;
    /// Highest version that is used where the kernel has it: calls to devices (version 5).
    const MOST: ABI = ABI::V5;

    /// Rules in the kernel's form.
    #[derive(Debug)]
    pub struct Ruleset(OwnedFd);

    impl Ruleset {
        /// Creates rules that grant these paths and those that a program needs to start.
        pub fn new(granted: &LandlockGrants<'_>) -> io::Result<Self> {
            let descriptor: Option<OwnedFd> = build_ruleset(granted).map_err(io::Error::other)?.into();
            descriptor.map(Self).ok_or_else(|| io::ErrorKind::Unsupported.into())
        }

        /// Creates rules that close the files of this folder to reading and running, except those below `open`, and leave everything else
        /// as it is. Later files next to the folder, or next to a folder that contains it, are closed too.
        ///
        /// # Errors
        ///
        /// There are too many files next to it, or the kernel has no such rules.
        pub fn of_closed_folder(folder: &Path, open: &Path) -> io::Result<Self> {
            let mut outside = list_paths_outside(folder)?;
            outside.push(open.to_owned());
            let descriptor: Option<OwnedFd> = all_but(&outside).map_err(io::Error::other)?.into();
            descriptor.map(Self).ok_or_else(|| io::ErrorKind::Unsupported.into())
        }

        /// Creates rules that grant nothing: no file can be opened any more, and no TCP connection where the kernel can prevent that.
        pub(in super::super) fn of_nothing() -> io::Result<Self> {
            let descriptor: Option<OwnedFd> = build_empty_ruleset().map_err(io::Error::other)?.into();
            descriptor.map(Self).ok_or_else(|| io::ErrorKind::Unsupported.into())
        }

        /// Applies the rules to this process. One system call.
        pub(in super::super) fn restrict_self(&self) -> io::Result<()> {
            kernel::restrict_files(self.0.as_fd())
        }
    }

    /// Most files next to a closed folder and next to its parents.
    const MAX_OUTSIDE: usize = 100_000;

    /// Returns all paths outside this folder: Landlock can only grant. Links are left out, since they could lead into the folder.
    fn list_paths_outside(folder: &Path) -> io::Result<Vec<PathBuf>> {
        let mut outside = Vec::new();
        for inner in folder.ancestors() {
            let Some(outer) = inner.parent() else { break };
            for entry in fs::read_dir(outer)? {
                let entry = entry?;
                let path = entry.path();
                // A rule holds for a file and not for its name: a rule for a link would open the target.
                if path != inner && !entry.file_type()?.is_symlink() {
                    outside.push(path);
                }
            }
            if outside.len() > MAX_OUTSIDE {
                return Err(io::Error::other(format!(
                    "there are more than {MAX_OUTSIDE} files next to {}",
                    inner.display()
                )));
            }
        }
        Ok(outside)
    }

    fn all_but(outside: &[PathBuf]) -> Result<RulesetCreated, RulesetError> {
        // Only handled rights are restricted, so writing and listing stay as they are.
        let closed = AccessFs::Execute | AccessFs::ReadFile;
        Builder::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(closed | AccessFs::Refer)?
            .create()?
            // Without this right no file could be moved to another folder. The kernel prevents moves to a folder where the file could be
            // read.
            .add_rules(path_beneath_rules(["/"], AccessFs::Refer))?
            .add_rules(path_beneath_rules(outside, closed))
    }

    fn build_empty_ruleset() -> Result<RulesetCreated, RulesetError> {
        Builder::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(LEAST))?
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(MOST))?
            // Rules for TCP are in version 4 (Linux 6.7) and scopes in version 6 (6.12); older kernels still close the
            // files.
            .handle_access(AccessNet::from_all(MOST))?
            .scope(Scope::Signal | Scope::AbstractUnixSocket)?
            .create()
    }

    fn build_ruleset(granted: &LandlockGrants<'_>) -> Result<RulesetCreated, RulesetError> {
        let read = AccessFs::from_read(MOST);
        let write: BitFlags<AccessFs> = AccessFs::from_all(MOST) & !AccessFs::Execute;
        Builder::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(LEAST))?
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(MOST))?
            // No signal to other processes (version 6), which could end hookbox and with it a later deny, and no connection to their
            // abstract sockets, on which a display or a bus takes commands.
            .scope(Scope::Signal | Scope::AbstractUnixSocket)?
            .create()?
            .add_rules(path_beneath_rules(START_READ, read))?
            .add_rules(path_beneath_rules(START_WRITE, write))?
            .add_rules(path_beneath_rules(granted.program, read))?
            .add_rules(path_beneath_rules(&granted.read, read))?
            .add_rules(path_beneath_rules(&granted.write, write))
    }
}

#[cfg(not(on_linux))]
mod elsewhere {
    use std::convert::Infallible;

    use super::{LandlockGrants, io};
    use crate::Unsupported;

    /// Rules, which do not exist here, so there is nothing to apply.
    #[derive(Debug)]
    pub struct Ruleset(Infallible);

    impl Ruleset {
        /// Reports that there are no rules.
        pub fn new(_: &LandlockGrants<'_>) -> io::Result<Self> {
            Err(Unsupported { what: "keep a process to some files", needs: "Landlock" }.into())
        }

        /// Reports that there are no rules.
        pub fn of_closed_folder(_: &super::Path, _: &super::Path) -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        /// Reports that there are no rules.
        pub(in super::super) fn of_nothing() -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        /// Never called.
        pub(in super::super) fn restrict_self(&self) -> io::Result<()> {
            match self.0 {}
        }
    }
}
