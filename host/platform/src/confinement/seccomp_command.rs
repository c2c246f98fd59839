//! Seccomp filter of a confined process: no sockets but those of this machine's own files, nothing typed into the terminal in the user's
//! name, and no change of another process. A network namespace of its own would close more, but is seldom permitted to a user.

use std::io;

#[cfg(not(on_linux))]
pub use self::elsewhere::CommandSeccomp;
#[cfg(on_linux)]
pub use self::linux::CommandSeccomp;

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

    /// Requests that type into a terminal: `TIOCSTI` and, on a console, `TIOCLINUX`, with equal numbers on all supported processors. The
    /// shell that waits there would run the text unconfined.
    const TYPES: [u64; 2] = [0x5412, 0x541C];

    /// `PRIO_PROCESS` and `IOPRIO_WHO_PROCESS`: the first argument of calls that set the priority of a process rather than of a group or of
    /// all processes of a user.
    const OF_PROCESS: [(i64, u64); 2] = [(libc::SYS_setpriority, 0), (libc::SYS_ioprio_set, 1)];

    /// System calls whose first argument is a process; 0 is the caller itself.
    const SCHEDULING: [i64; 4] = [
        libc::SYS_sched_setaffinity,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setattr,
    ];

    /// The filter in the kernel's form.
    #[derive(Debug)]
    pub struct CommandSeccomp(BpfProgram);

    impl CommandSeccomp {
        /// Creates a filter that refuses sockets of every family but Unix, `io_uring`, which opens sockets past filters, and typing into
        /// a terminal. Programs of another architecture (32-bit ones) are ended: their calls have other numbers.
        pub fn new() -> io::Result<Self> {
            let family = u64::try_from(libc::AF_UNIX).unwrap_or_default();
            // The kernel takes the family as an `int`. Comparing all 64 bits would let a call pass that sets one of the
            // upper 32.
            let other = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, family);
            let sockets = other.and_then(|other| SeccompRule::new(vec![other])).map_err(io::Error::other)?;
            build_filter(vec![(libc::SYS_socket, vec![sockets]), (libc::SYS_io_uring_setup, Vec::new())])
        }

        /// Creates a filter that refuses typing into a terminal and changing other processes, and nothing else.
        pub fn of_terminal() -> io::Result<Self> {
            build_filter(Vec::new())
        }

        /// Applies the filter to this process. Two system calls; `seccompiler` allocates nothing here.
        pub(in super::super) fn restrict_self(&self) -> io::Result<()> {
            apply_filter(&self.0).map_err(|error| match error {
                Error::Prctl(error) | Error::Seccomp(error) => error,
                _ => io::ErrorKind::InvalidInput.into(),
            })
        }
    }

    type Rules = Vec<(i64, Vec<SeccompRule>)>;

    fn build_filter(mut rules: Rules) -> io::Result<CommandSeccomp> {
        rules.push((libc::SYS_ioctl, build_typing_rules().map_err(io::Error::other)?));
        rules.extend(other_processes().map_err(io::Error::other)?);
        #[cfg(target_arch = "x86_64")]
        // Filters check the architecture, and x32 calls have that of x86_64: without these rules an x32 number would
        // pass.
        rules.extend(rules.clone().into_iter().map(|(call, rule)| (call | X32, rule)));
        compile_program(rules).map(CommandSeccomp).map_err(io::Error::other)
    }

    /// Matches the lower half of the request only, as the kernel does.
    fn build_typing_rules() -> Result<Vec<SeccompRule>, BackendError> {
        let is = |request| SeccompCondition::new(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, request);
        TYPES.into_iter().map(|request| SeccompRule::new(vec![is(request)?])).collect()
    }

    /// Rules against changing limits, priorities and processors of processes other than the caller: with a limit of no processes on the
    /// agent, the agent could start no hook any more. Landlock has no rule for these calls.
    fn other_processes() -> Result<Rules, BackendError> {
        let is_other = |at| SeccompCondition::new(at, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, 0);
        // Without new limits the call only reads.
        let sets = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
        let mut rules = vec![(libc::SYS_prlimit64, vec![SeccompRule::new(vec![is_other(0)?, sets])?])];
        for call in SCHEDULING {
            rules.push((call, vec![SeccompRule::new(vec![is_other(0)?])?]));
        }
        for (call, process) in OF_PROCESS {
            let is_wider = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, process)?;
            let rule = |condition| SeccompRule::new(vec![condition]);
            rules.push((call, vec![rule(is_wider)?, rule(is_other(1)?)?]));
        }
        Ok(rules)
    }

    fn compile_program(rules: Rules) -> Result<BpfProgram, BackendError> {
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

    /// Filters, which do not exist here.
    #[derive(Debug)]
    pub struct CommandSeccomp(Infallible);

    impl CommandSeccomp {
        /// Reports that there are no filters.
        pub fn new() -> io::Result<Self> {
            Err(Unsupported { what: "keep a process from the network", needs: "seccomp filters" }.into())
        }

        /// Reports that there are no filters.
        pub fn of_terminal() -> io::Result<Self> {
            Err(Unsupported { what: "keep a process from a terminal", needs: "seccomp filters" }.into())
        }

        /// Never called.
        #[cfg(on_unix)]
        pub(in super::super) fn restrict_self(&self) -> io::Result<()> {
            match self.0 {}
        }
    }
}
