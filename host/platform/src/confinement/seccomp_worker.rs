//! Seccomp filter of the worker for untrusted guests, a process that only computes and communicates over descriptors that it has.

use std::io;

#[cfg(not(on_linux))]
pub(super) use self::elsewhere::WorkerSeccomp;
#[cfg(on_linux)]
pub(super) use self::linux::WorkerSeccomp;

#[cfg(on_linux)]
mod linux {
    use std::collections::BTreeMap;

    use seccompiler::{
        BackendError, BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
        SeccompFilter, SeccompRule, apply_filter,
    };

    use super::io;

    /// Memory, time, threads' waiting, signals to itself, and descriptors that are open already.
    const ALLOWED: &[i64] = &[
        libc::SYS_read,
        libc::SYS_readv,
        libc::SYS_write,
        libc::SYS_writev,
        libc::SYS_recvfrom,
        libc::SYS_sendto,
        libc::SYS_ppoll,
        libc::SYS_close,
        libc::SYS_mmap,
        libc::SYS_munmap,
        libc::SYS_mprotect,
        libc::SYS_mremap,
        libc::SYS_madvise,
        libc::SYS_brk,
        libc::SYS_membarrier,
        libc::SYS_futex,
        // The C library makes these two calls at the start of each thread.
        libc::SYS_set_robust_list,
        libc::SYS_rseq,
        libc::SYS_sched_yield,
        libc::SYS_sched_getaffinity,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_getrandom,
        libc::SYS_clock_gettime,
        libc::SYS_clock_nanosleep,
        libc::SYS_nanosleep,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        // Rust and wasmtime give each thread a stack for signals, on which a guest's stack overflow becomes a trap.
        libc::SYS_sigaltstack,
        // With this call the kernel resumes a wait that a stop signal interrupted; no program makes it by itself.
        libc::SYS_restart_syscall,
        libc::SYS_exit,
        libc::SYS_exit_group,
        #[cfg(target_arch = "x86_64")]
        // aarch64 and riscv64 have `ppoll` only.
        libc::SYS_poll,
    ];

    /// System calls that libraries do without if the kernel lacks them: `clone3` could start a process, since filters cannot see its
    /// arguments, and no limit counts files in memory.
    const MISSING: &[i64] = &[libc::SYS_clone3, libc::SYS_memfd_create];

    /// The flags of `clone` for a thread.
    const THREAD: u64 = (libc::CLONE_THREAD | libc::CLONE_VM | libc::CLONE_SIGHAND).unsigned_abs() as u64;

    /// Both filters in the kernel's form: of two the stricter counts.
    #[derive(Debug)]
    pub(in super::super) struct WorkerSeccomp {
        missing: BpfProgram,
        allowed: BpfProgram,
    }

    impl WorkerSeccomp {
        /// Creates filters that refuse every other call (`EPERM`), and end programs of another architecture.
        pub(in super::super) fn new() -> io::Result<Self> {
            Ok(Self {
                missing: build_missing_filter().map_err(io::Error::other)?,
                allowed: build_allowed_filter().map_err(io::Error::other)?,
            })
        }

        /// Applies the filters to this thread, and to all that it starts from now on.
        pub(in super::super) fn restrict_self(&self) -> io::Result<()> {
            let apply = |filter: &BpfProgram| {
                apply_filter(filter).map_err(|error| match error {
                    Error::Prctl(error) | Error::Seccomp(error) => error,
                    _ => io::ErrorKind::InvalidInput.into(),
                })
            };
            // The second filter does not allow to install another.
            apply(&self.missing).and_then(|()| apply(&self.allowed))
        }
    }

    fn build_missing_filter() -> Result<BpfProgram, BackendError> {
        let none = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
        let rules = MISSING.iter().map(|call| (*call, Vec::new())).collect();
        compile_filter(rules, SeccompAction::Allow, none)
    }

    fn build_allowed_filter() -> Result<BpfProgram, BackendError> {
        // If two filters refuse a call, the later one determines how, so this one must not refuse the calls that the other reports as
        // missing.
        let known = ALLOWED.iter().chain(MISSING);
        let mut rules: BTreeMap<_, _> = known.map(|call| (*call, Vec::new())).collect();
        let is_thread =
            SeccompCondition::new(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(THREAD), THREAD)?;
        rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![is_thread])?]);
        // The name of a thread or of a piece of memory, and no other option.
        let names = [libc::PR_SET_NAME, libc::PR_SET_VMA].map(|what| u64::from(what.unsigned_abs()));
        let names: Result<_, _> =
            names.into_iter().map(|what| SeccompRule::new(vec![first_is(what)?])).collect();
        rules.insert(libc::SYS_prctl, names?);
        // Reading its own limits, from which a library learns a stack's size.
        let looks = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0)?;
        rules.insert(libc::SYS_prlimit64, vec![SeccompRule::new(vec![first_is(0)?, looks])?]);
        // A signal to itself, with which a program aborts.
        let this = u64::from(std::process::id());
        rules.insert(libc::SYS_tgkill, vec![SeccompRule::new(vec![first_is(this)?])?]);
        compile_filter(rules, SeccompAction::Errno(libc::EPERM.unsigned_abs()), SeccompAction::Allow)
    }

    /// Matches if the first argument, a number of 32 bits, has this value.
    fn first_is(value: u64) -> Result<SeccompCondition, BackendError> {
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
    }

    fn compile_filter(
        rules: BTreeMap<i64, Vec<SeccompRule>>,
        otherwise: SeccompAction,
        matched: SeccompAction,
    ) -> Result<BpfProgram, BackendError> {
        SeccompFilter::new(rules, otherwise, matched, std::env::consts::ARCH.try_into()?)?.try_into()
    }
}

#[cfg(not(on_linux))]
mod elsewhere {
    use std::convert::Infallible;

    use super::io;

    /// System call filters, which do not exist here.
    #[derive(Debug)]
    pub(in super::super) struct WorkerSeccomp(Infallible);

    impl WorkerSeccomp {
        /// Reports that there are no filters.
        pub(in super::super) fn new() -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        /// Never called.
        pub(in super::super) fn restrict_self(&self) -> io::Result<()> {
            match self.0 {}
        }
    }
}
