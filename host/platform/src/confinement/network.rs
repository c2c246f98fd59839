//! No sockets but those of this machine's own files, by a seccomp filter. A network namespace of its own would close
//! more, but is seldom permitted to a user.

use std::io;

#[cfg(not(on_linux))]
pub use self::elsewhere::Filter;
#[cfg(on_linux)]
pub use self::linux::Filter;

#[cfg(on_linux)]
mod linux {
    use std::collections::BTreeMap;

    use seccompiler::{
        BackendError, BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
        SeccompFilter, SeccompRule, apply_filter,
    };

    use super::io;

    /// The second set of call numbers that an `x86_64` kernel may take: the same calls with 32-bit pointers.
    #[cfg(target_arch = "x86_64")]
    const X32: i64 = 0x4000_0000;

    /// The filter as the kernel takes it.
    #[derive(Debug)]
    pub struct Filter(BpfProgram);

    impl Filter {
        /// A filter that refuses sockets of every family but Unix, and `io_uring`, which opens sockets past filters.
        /// Programs of another architecture (32-bit ones) are ended: their calls have other numbers.
        pub fn new() -> io::Result<Self> {
            build().map(Self).map_err(io::Error::other)
        }

        /// Puts this process under the filter. Two calls to the kernel; `seccompiler` allocates nothing here.
        pub(in super::super) fn restrict_self(&self) -> io::Result<()> {
            apply_filter(&self.0).map_err(|error| match error {
                Error::Prctl(error) | Error::Seccomp(error) => error,
                _ => io::ErrorKind::InvalidInput.into(),
            })
        }
    }

    fn build() -> Result<BpfProgram, BackendError> {
        let family = u64::try_from(libc::AF_UNIX).unwrap_or_default();
        let other = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, family)?;
        let rules = [
            (libc::SYS_socket, vec![SeccompRule::new(vec![other])?]),
            (libc::SYS_io_uring_setup, Vec::new()),
        ];
        #[cfg(target_arch = "x86_64")]
        let rules = rules.into_iter().flat_map(|(call, rule)| [(call, rule.clone()), (call | X32, rule)]);
        let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let rules: BTreeMap<_, _> = rules.into_iter().collect();
        SeccompFilter::new(rules, SeccompAction::Allow, refuse, std::env::consts::ARCH.try_into()?)?
            .try_into()
    }
}

#[cfg(not(on_linux))]
mod elsewhere {
    use std::convert::Infallible;

    use super::io;
    use crate::Unsupported;

    /// There is none.
    #[derive(Debug)]
    pub struct Filter(Infallible);

    impl Filter {
        /// Says that there is none.
        pub fn new() -> io::Result<Self> {
            Err(Unsupported { what: "keep a process from the network", needs: "seccomp filters" }.into())
        }

        /// Never called.
        #[cfg(on_unix)]
        pub(in super::super) fn restrict_self(&self) -> io::Result<()> {
            match self.0 {}
        }
    }
}
