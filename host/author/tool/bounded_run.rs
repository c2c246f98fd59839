//! Runs a tool that executes an author's code, which may not end: it has a time limit and limits of the kernel, and is killed
//! with all processes that it has started.

use std::{
    io,
    process::{Command, ExitStatus},
    time::Duration,
};

use hookbox_platform::{
    confinement::{Limits, Steps},
    process::ProcessGroup,
    signals::ShutdownDelay,
};
use tokio::time::timeout;

use crate::call;

/// Memory limit of each of its processes, bytes: ten times the measured use of componentize-py.
const MEMORY: u64 = 4 << 30;
/// Maximum length of a file that it writes, bytes.
const FILE_SIZE: u64 = 1 << 30;
/// Number of processors that it may keep busy for all of its time.
const PROCESSORS: u32 = 16;
/// Pause between two checks for a termination signal.
const PAUSE: Duration = Duration::from_millis(50);

pub(super) enum ToolEnd {
    Ended(ExitStatus),
    /// The tool exceeded its time and was killed.
    Late,
    /// hookbox was interrupted, and the tool was killed.
    Stopped,
}

/// Runs the command for at most `time`. When this returns, none of its processes runs any more.
pub(super) fn run(mut command: Command, time: Duration) -> io::Result<ToolEnd> {
    // The kernel would count all processes of the user, so their number is not limited.
    let limits =
        Limits { memory: Some(MEMORY), processes: None, file_size: FILE_SIZE, cpu: time * PROCESSORS };
    Steps { limits: Some(limits), ..Steps::default() }.apply_to(&mut command)?;
    let delay = ShutdownDelay::begin_delay();
    call::block_on(run_to_end(command, time, &delay)).map_err(io::Error::other)?
}

async fn run_to_end(command: Command, time: Duration, delay: &ShutdownDelay) -> io::Result<ToolEnd> {
    let group = ProcessGroup::spawn_with_streams_of_its_own(command).await?;
    let has_ended = timeout(time, has_ended(&group, delay)).await;
    match has_ended {
        // The group is dropped here, which kills all of its processes.
        Err(_) => Ok(ToolEnd::Late),
        Ok(false) => Ok(ToolEnd::Stopped),
        Ok(true) => group.kill_rest().map(ToolEnd::Ended),
    }
}

/// Waits for its end; false if hookbox is interrupted before.
async fn has_ended(group: &ProcessGroup, delay: &ShutdownDelay) -> bool {
    loop {
        if timeout(PAUSE, group.leader_exit()).await.is_ok() {
            return true;
        }
        if delay.has_signal() {
            return false;
        }
    }
}
