//! Self-confinement of a hookbox process before it reads untrusted data.

use std::fmt;

use super::{Ruleset, kernel, seccomp_worker::WorkerSeccomp};
use crate::process::{Limit, set_limit};

/// Rights that a process has given up for good, where the machine supports that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing that a kernel has or has not")]
pub struct DroppedRights {
    /// True if it gains no privileges by running a program.
    pub no_new_privileges: bool,
    /// True if it opens no file, and no connection by TCP (Landlock).
    pub files: bool,
    /// True if it makes only system calls that compute (seccomp).
    pub calls: bool,
    /// True if it uses no more than its limits.
    pub limits: bool,
}

impl DroppedRights {
    /// Keeps this thread, and all that it starts, from files, connections, processes and everything else but computing, and this process
    /// to these limits. Open descriptors stay usable. Features that the machine lacks are left out and reported.
    pub fn confine_process(limits: &[Limit]) -> Self {
        let limits = limits.iter().all(|most| set_limit(*most).is_ok());
        // Without this, the kernel accepts Landlock rules and filters from privileged processes only.
        let no_new_privileges = kernel::no_new_privileges().is_ok();
        let files = Ruleset::of_nothing().and_then(|rules| rules.restrict_self()).is_ok();
        // The filter comes last, since it refuses the system calls of the steps before it.
        let calls = WorkerSeccomp::new().and_then(|calls| calls.restrict_self()).is_ok();
        Self { no_new_privileges, files, calls, limits }
    }

    fn parts(self) -> [(bool, &'static str); 4] {
        [
            (self.files, "no files (Landlock)"),
            (self.calls, "no calls to the kernel but to compute (seccomp)"),
            (self.no_new_privileges, "no new privileges"),
            (self.limits, "limits"),
        ]
    }

    /// Returns the names of the features in force and of those that are missing, for display.
    pub fn list_parts(self) -> (Vec<&'static str>, Vec<&'static str>) {
        let (held, missing): (Vec<_>, Vec<_>) = self.parts().into_iter().partition(|(held, _)| *held);
        let names = |parts: Vec<(bool, &'static str)>| parts.into_iter().map(|(_, name)| name).collect();
        (names(held), names(missing))
    }
}

impl fmt::Display for DroppedRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (held, missing) = self.list_parts();
        f.write_str(&held.join(", "))?;
        if missing.is_empty() { Ok(()) } else { write!(f, "; not here: {}", missing.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(on_linux)]
    mod linux {
        use std::{
            collections::HashMap,
            fs::{self, File},
            io::{self, ErrorKind, Write as _},
            net::{TcpListener, UdpSocket},
            os::unix::net::UnixStream,
            process::Command,
            thread,
            time::{Duration, Instant, SystemTime},
        };

        use super::super::*;
        use crate::confinement::KernelSupport;

        /// Runs `act` in a thread that has given up everything. Other threads are not affected.
        fn given_up<T: Send + 'static>(act: impl FnOnce(DroppedRights) -> T + Send + 'static) -> T {
            thread::spawn(|| act(DroppedRights::confine_process(&[]))).join().unwrap()
        }

        fn error_kind<T>(tried: io::Result<T>) -> Option<ErrorKind> {
            tried.err().map(|error| error.kind())
        }

        #[test]
        fn what_the_kernel_offers_is_held() {
            let (held, here) = (given_up(|held| held), KernelSupport::detect_features());
            assert_eq!((held.files, held.calls), (here.confines_files(), here.seccomp));
            assert!(held.no_new_privileges && held.limits);
            let nothing = DroppedRights { calls: false, ..held };
            assert!(
                nothing.to_string().contains("; not here: no calls to the kernel but to compute (seccomp)")
            );
        }

        #[test]
        #[expect(clippy::disallowed_methods, reason = "a process is what is tested")]
        fn nothing_is_opened_connected_started_or_signalled() {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("file");
            fs::write(&file, "x").unwrap();
            let (this, parent) = (rustix::process::getpid(), rustix::process::getppid().unwrap());
            let tried = given_up(move |held| {
                let tries = [
                    ("read a file", error_kind(File::open(&file))),
                    ("write a file", error_kind(fs::write(&file, "y"))),
                    ("look at a file", error_kind(fs::metadata(&file))),
                    ("remove a file", error_kind(fs::remove_file(&file))),
                    ("listen", error_kind(TcpListener::bind("127.0.0.1:0"))),
                    ("send", error_kind(UdpSocket::bind("127.0.0.1:0"))),
                    ("talk here", error_kind(UnixStream::pair())),
                    ("start a program", error_kind(Command::new("/bin/true").status())),
                    (
                        "end another",
                        error_kind(rustix::process::test_kill_process(parent).map_err(io::Error::from)),
                    ),
                    (
                        "end itself",
                        error_kind(rustix::process::test_kill_process(this).map_err(io::Error::from)),
                    ),
                ];
                held.calls.then(|| HashMap::from(tries))
            });
            for (what, kind) in tried.into_iter().flatten() {
                assert_eq!(kind, Some(ErrorKind::PermissionDenied), "{what}");
            }
        }

        #[test]
        fn what_is_open_stays_open_and_threads_memory_and_time_are_there() {
            let (mut ours, theirs) = UnixStream::pair().unwrap();
            let sum = given_up(move |_| {
                ours.write_all(b"ok").unwrap();
                let memory = vec![1_u64; 4 << 20];
                let thread = thread::Builder::new().name("another".to_owned());
                let sum = thread.spawn(move || memory.iter().sum::<u64>()).unwrap().join().unwrap();
                let until = Instant::now() + Duration::from_millis(1);
                thread::sleep(Duration::from_millis(1));
                assert!(Instant::now() >= until && SystemTime::now() > SystemTime::UNIX_EPOCH);
                sum
            });
            assert_eq!(sum, 4 << 20);
            assert_eq!(io::read_to_string(theirs).unwrap(), "ok");
        }

        #[test]
        fn another_thread_keeps_what_it_had() {
            given_up(|_| ());
            assert!(File::open("/").is_ok() && UnixStream::pair().is_ok());
        }
    }
}
