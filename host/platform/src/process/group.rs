//! A child process that leads a group of its own, killed as one.

use std::{
    fs::File,
    io,
    os::{fd::OwnedFd, unix::process::ExitStatusExt as _},
    process::{Child, ChildStdin, Command, ExitStatus},
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions};
use tokio::{net::unix::pipe, time::sleep};

use super::{Outputs, Pipes, Starter, start_process};

/// Number of looks at a killed leader before a thread takes over, and the pause between two looks.
const REAP_TRIES: usize = 25;
const REAP_PAUSE: Duration = Duration::from_micros(200);

/// The pauses between two looks at a running leader where the kernel gives no handle to wait on.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(16);

/// hookbox's end of a process's input. Writing needs a runtime with I/O.
pub type PipeWriter = pipe::Sender;
/// hookbox's end of a process's output. Reading needs a runtime with I/O.
pub type PipeReader = pipe::Receiver;

/// Returns the unread content of the pipe; reading it does not wait for a process that still has the pipe open.
pub fn into_nonblocking(pipe: PipeReader) -> io::Result<File> {
    pipe.into_nonblocking_fd().map(File::from)
}

/// Returns the number of the signal that ended a process, if one did.
pub fn signal_of(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// hookbox's ends of the three standard streams of a process, for threads that wait.
pub struct ThreadPipes {
    /// Its input.
    pub stdin: ChildStdin,
    /// Its standard output and standard error.
    pub outputs: Outputs,
}

/// A running group. Dropping it kills every process in it and reaps the leader.
///
/// The leader is reaped only after the group was killed: until then its number names this group and cannot be given to another, so the
/// kill can never hit an unrelated process.
pub struct ProcessGroup {
    leader: Child,
    pid: Pid,
    reaped: bool,
    _starter: Starter,
}

impl ProcessGroup {
    /// Starts `command`, whose three streams are pipes and whose process makes itself the leader of a new group (see
    /// [`Steps`](crate::confinement::Steps)). Needs a runtime with I/O and time.
    pub async fn spawn(command: Command) -> io::Result<(Self, Pipes)> {
        let mut group = start_process(command, Self::new).await?;
        let pipes = group.take_pipes()?;
        Ok((group, pipes))
    }

    /// Starts `command` for threads that wait for its streams, which belong to no runtime and stay open when one ends.
    pub async fn spawn_for_threads(command: Command) -> io::Result<(Self, ThreadPipes)> {
        let mut group = start_process(command, Self::new).await?;
        let Child { stdin, stdout, stderr, .. } = &mut group.leader;
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin.take(), stdout.take(), stderr.take()) else {
            return Err(no_pipe());
        };
        Ok((group, ThreadPipes { stdin, outputs: Outputs::new(stdout, stderr) }))
    }

    /// Starts `command` with the streams that it sets, for callers that neither write its input nor read its output.
    pub async fn spawn_with_streams_of_its_own(command: Command) -> io::Result<Self> {
        start_process(command, Self::new).await
    }

    fn new(leader: Child, starter: Starter) -> Self {
        Self { pid: Pid::from_child(&leader), leader, reaped: false, _starter: starter }
    }

    fn take_pipes(&mut self) -> io::Result<Pipes> {
        let Child { stdin, stdout, stderr, .. } = &mut self.leader;
        let stdin = OwnedFd::from(stdin.take().ok_or_else(no_pipe)?);
        let (stdout, stderr) = (stdout.take().ok_or_else(no_pipe)?, stderr.take().ok_or_else(no_pipe)?);
        Ok(Pipes {
            stdin: PipeWriter::from_owned_fd(stdin)?,
            stdout: PipeReader::from_owned_fd(stdout.into())?,
            stderr: PipeReader::from_owned_fd(stderr.into())?,
        })
    }

    /// Waits for the leader's end without reaping it.
    pub async fn leader_exit(&self) {
        if let Some(handle) = exit_handle(self.pid) {
            let _ = handle.readable().await;
        }
        // A runtime may wake a task without a reason, so only `waitid` counts as the end.
        polled_exit(self.pid).await;
    }

    /// Kills the rest of the group after [`leader_exit`](Self::leader_exit), and returns the leader's exit status.
    pub fn kill_rest(mut self) -> io::Result<ExitStatus> {
        self.kill();
        self.reaped = true;
        self.leader.wait()
    }

    fn kill(&self) {
        // This only fails if no process is left.
        let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if self.reaped {
            return;
        }
        self.kill();
        for _ in 0..REAP_TRIES {
            match self.leader.try_wait() {
                Ok(None) => thread::sleep(REAP_PAUSE),
                _ => return,
            }
        }
        // The kernel may take long (a process in an uninterruptible wait), which must not block the caller.
        let pid = self.pid;
        let reap = move || rustix::process::waitpid(Some(pid), WaitOptions::empty());
        let _ = thread::Builder::new().name("hookbox-reaper".to_owned()).spawn(reap);
    }
}

fn no_pipe() -> io::Error {
    io::Error::other("a standard stream is not a pipe")
}

/// A handle that becomes readable when the process ends: a pidfd, which tokio's pipe takes as well, since nothing is read from it. A
/// signal handler would work too, but signals belong to the embedding program.
#[cfg(on_linux)]
fn exit_handle(pid: Pid) -> Option<pipe::Receiver> {
    let handle = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::NONBLOCK).ok()?;
    pipe::Receiver::from_owned_fd_unchecked(handle).ok()
}

#[cfg(not(on_linux))]
fn exit_handle(_: Pid) -> Option<pipe::Receiver> {
    None
}

/// Polls until the process has ended, and once more after that: the only way without a handle.
async fn polled_exit(pid: Pid) {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    let mut pause = FIRST_PAUSE;
    while let Ok(None) = rustix::process::waitid(WaitId::Pid(pid), look) {
        sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use std::{os::unix::process::CommandExt as _, process::Stdio};

    use super::*;

    #[expect(clippy::disallowed_methods, reason = "a process is what is tested")]
    fn make_shell(line: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command
            .process_group(0)
            .args(["-c", line])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
    }

    #[test]
    fn the_end_is_seen_with_and_without_a_kernel_handle_and_reaps_nothing() {
        let (group, _pipes) = block_on(ProcessGroup::spawn(make_shell("exit 7"))).unwrap();
        block_on(async {
            polled_exit(group.pid).await;
            group.leader_exit().await;
        });
        assert_eq!(group.kill_rest().unwrap().code(), Some(7));
    }

    #[test]
    fn dropping_a_group_reaps_its_leader() {
        let (group, _pipes) =
            block_on(ProcessGroup::spawn(make_shell("trap '' TERM HUP; sleep 1000"))).unwrap();
        let pid = group.pid;
        drop(group);
        // On a machine under load hookbox's thread reaps the process later: until then it is looked at without reaping.
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while rustix::process::waitid(WaitId::Pid(pid), look).is_ok() {
            thread::yield_now();
        }
    }
}
