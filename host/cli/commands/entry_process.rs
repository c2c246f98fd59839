//! Starts the command of an entry as an agent does: passes it an input and reads its output.

use std::{
    io::{self, Read, Write as _},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use hookbox::agents::Written;

/// Time limit: longer than hookbox itself takes, for a user's shell that does much first.
const MAX_WAIT: Duration = Duration::from_mins(1);
/// Maximum length of each of its outputs, bytes.
const MAX_OUTPUT: u64 = 1 << 20;
/// Pause between two checks for its end after it has closed its outputs.
const PAUSE: Duration = Duration::from_millis(5);

/// A command with its surroundings.
pub(super) struct Entry<'a> {
    pub(super) words: &'a [String],
    /// The complete environment.
    pub(super) variables: Vec<(String, String)>,
    pub(super) folder: &'a Path,
    pub(super) input: &'a str,
}

/// Runs the command to its end. Output beyond a mebibyte is cut off.
#[expect(clippy::disallowed_methods, reason = "what is tried is how a process starts")]
pub(super) fn run(entry: &Entry<'_>) -> io::Result<Written> {
    let (program, arguments) = entry.words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(entry.variables.iter().map(|(name, value)| (name, value)));
    command.current_dir(entry.folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let ended = exchange_with_child(&mut child, entry.input.to_owned().into_bytes());
    if ended.is_err() {
        drop(child.kill());
        drop(child.wait());
    }
    ended
}

fn exchange_with_child(child: &mut Child, input: Vec<u8>) -> io::Result<Written> {
    let deadline = Instant::now() + MAX_WAIT;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
        return Err(io::Error::other("a standard stream is not a pipe"));
    };
    // A shell's startup files may hang or print without end, as they would for the agent.
    let (sender, receiver) = mpsc::channel();
    // A command that does not read its input still answers.
    thread::spawn(move || drop(stdin.write_all(&input)));
    thread::spawn(move || {
        // Both outputs are read concurrently, since a full pipe of either would block the command.
        let stderr = thread::spawn(move || read_text(stderr));
        let stdout = read_text(stdout);
        drop(sender.send((stdout, stderr.join().unwrap_or_default())));
    });
    // The threads are not joined: a background process of the command may keep the pipes open.
    let (stdout, stderr) = receiver.recv_timeout(MAX_WAIT).map_err(|_| timeout_error())?;
    let status = wait_for_exit(child, deadline)?;
    let exit = status.code().and_then(|code| u8::try_from(code).ok());
    let exit = exit.ok_or_else(|| io::Error::other(format!("it was ended by the system ({status})")))?;
    Ok(Written { stdout, stderr, exit, ..Written::default() })
}

fn wait_for_exit(child: &mut Child, deadline: Instant) -> io::Result<ExitStatus> {
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(status),
            None if Instant::now() > deadline => return Err(timeout_error()),
            None => thread::sleep(PAUSE),
        }
    }
}

fn timeout_error() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, format!("it did not end within {} s", MAX_WAIT.as_secs()))
}

fn read_text(pipe: impl Read) -> String {
    let mut bytes = Vec::new();
    // Output before an error counts.
    drop(pipe.take(MAX_OUTPUT).read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}
