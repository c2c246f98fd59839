//! A tool that runs what an author wrote, which need not end: it has a time and limits of the kernel, and is ended with all that it has
//! started.

use std::{
    io,
    process::{Command, ExitStatus},
    time::Duration,
};

use hookbox_platform::{
    confinement::{Limits, Steps},
    process::ProcessGroup,
    signals::HeldBack,
};
use tokio::time::timeout;

use crate::call;

/// Memory of each of its processes, bytes: ten times what componentize-py was seen to take.
const MEMORY: u64 = 4 << 30;
/// Longest file that it writes, bytes.
const FILE_SIZE: u64 = 1 << 30;
/// Processors that it may keep busy for all of its time.
const PROCESSORS: u32 = 16;
/// Between two looks at whether we are told to end.
const PAUSE: Duration = Duration::from_millis(50);

/// How it went.
pub(super) enum Ran {
    Ended(ExitStatus),
    /// It was not done in its time, and is ended.
    Late,
    /// We were told to end, and it is ended.
    Stopped,
}

/// Runs it for so long at most. When this returns, nothing of it runs any more.
pub(super) fn run(mut command: Command, time: Duration) -> io::Result<Ran> {
    let limits =
        Limits { memory: Some(MEMORY), processes: None, file_size: FILE_SIZE, cpu: time * PROCESSORS };
    Steps { limits: Some(limits), ..Steps::default() }.before(&mut command)?;
    let told = HeldBack::begin();
    call::block_on(ended(command, time, &told)).map_err(io::Error::other)?
}

async fn ended(command: Command, time: Duration, told: &HeldBack) -> io::Result<Ran> {
    let group = ProcessGroup::spawn_with_streams_of_its_own(command).await?;
    let has_ended = timeout(time, has_ended(&group, told)).await;
    match has_ended {
        Err(_) => Ok(Ran::Late),
        Ok(false) => Ok(Ran::Stopped),
        Ok(true) => group.end().map(Ran::Ended),
    }
}

/// Waits for its end; false if we are told to end before.
async fn has_ended(group: &ProcessGroup, told: &HeldBack) -> bool {
    loop {
        if timeout(PAUSE, group.leader_exit()).await.is_ok() {
            return true;
        }
        if told.is_told() {
            return false;
        }
    }
}
