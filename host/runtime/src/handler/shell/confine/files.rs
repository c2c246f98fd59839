//! Which files a hook may touch, by Landlock: what no rule grants is closed.

use std::path::{Path, PathBuf};

#[cfg(not(target_os = "linux"))]
pub(super) use self::elsewhere::{Ruleset, ruleset};
#[cfg(target_os = "linux")]
pub(super) use self::linux::{Ruleset, ruleset};

/// What a program needs to start, as far as it is there: programs, libraries and how they are found.
#[cfg(target_os = "linux")]
const START_READ: [&str; 13] = [
    "/bin",
    "/sbin",
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/dev/random",
    "/dev/urandom",
];

/// Where it may write in any case: nothing is kept there.
#[cfg(target_os = "linux")]
const START_WRITE: [&str; 2] = ["/dev/null", "/dev/zero"];

/// What a ruleset grants.
pub(super) struct Granted<'a> {
    pub(super) read: Vec<PathBuf>,
    pub(super) write: Vec<PathBuf>,
    /// The hook's own program, to be read and run.
    pub(super) program: Option<&'a Path>,
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{
        io,
        os::fd::{AsFd as _, OwnedFd},
    };

    use landlock::{
        ABI, Access as _, AccessFs, BitFlags, CompatLevel, Compatible as _, Ruleset as Builder,
        RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError, Scope, path_beneath_rules,
    };

    use super::{super::kernel, Granted, START_READ, START_WRITE};

    /// What must be handled: without the third version a file could be cut short anywhere.
    const LEAST: ABI = ABI::V3;
    /// What is handled too where the kernel can: calls to devices (version 5).
    const MOST: ABI = ABI::V5;

    /// Rules as the kernel holds them.
    #[derive(Debug)]
    pub(in super::super) struct Ruleset(OwnedFd);

    impl Ruleset {
        /// Puts this process under the rules. One call to the kernel.
        pub(in super::super) fn restrict_self(&self) -> io::Result<()> {
            kernel::restrict_files(self.0.as_fd())
        }
    }

    /// Rules that grant this and what a program needs to start; an error in words.
    pub(in super::super) fn ruleset(granted: &Granted<'_>) -> Result<Ruleset, String> {
        let made = build(granted).map_err(|error| format!("its rules for files cannot be made: {error}"))?;
        let descriptor: Option<OwnedFd> = made.into();
        descriptor.map(Ruleset).ok_or_else(|| "its rules for files cannot be made".to_owned())
    }

    fn build(granted: &Granted<'_>) -> Result<RulesetCreated, RulesetError> {
        let read = AccessFs::from_read(MOST);
        let write: BitFlags<AccessFs> = AccessFs::from_all(MOST) & !AccessFs::Execute;
        Builder::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(LEAST))?
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(MOST))?
            // No signal to whom it does not belong to (version 6): it could end us, and with us a later deny.
            .scope(Scope::Signal)?
            .create()?
            .add_rules(path_beneath_rules(START_READ, read))?
            .add_rules(path_beneath_rules(START_WRITE, write))?
            .add_rules(path_beneath_rules(granted.program, read))?
            .add_rules(path_beneath_rules(&granted.read, read))?
            .add_rules(path_beneath_rules(&granted.write, write))
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use std::{convert::Infallible, io};

    use super::Granted;

    /// There are none: rules for files are refused before they are made.
    #[derive(Debug)]
    pub(in super::super) struct Ruleset(Infallible);

    impl Ruleset {
        pub(in super::super) fn restrict_self(&self) -> io::Result<()> {
            match self.0 {}
        }
    }

    pub(in super::super) fn ruleset(granted: &Granted<'_>) -> Result<Ruleset, String> {
        let Granted { read, write, program } = granted;
        Err(format!(
            "nothing here keeps it to {} files",
            read.len() + write.len() + usize::from(program.is_some())
        ))
    }
}
