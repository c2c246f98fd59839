use std::{
    io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::net::UnixStream,
    },
    path::Path,
    process::Stdio,
    time::Duration,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    net::{
        AddressFamily, RecvFlags, SendFlags, Shutdown, SocketFlags, SocketType, recv, send, shutdown,
        socketpair,
    },
};

/// A check for unread input of a connection. It holds the connection open.
#[derive(Debug)]
pub struct UnreadCheck(OwnedFd);

impl UnreadCheck {
    /// Creates the check of this connection. An error if there is no room for another descriptor.
    pub fn of_connection(connection: &impl AsFd) -> io::Result<Self> {
        connection.as_fd().try_clone_to_owned().map(Self)
    }

    /// Returns true if there is no unread input and no end of input. Asks the system itself: a runtime's knowledge of a connection may be
    /// older.
    pub fn is_quiet(&self) -> bool {
        recv(&self.0, &mut [0; 1], RecvFlags::PEEK | RecvFlags::DONTWAIT).map(drop) == Err(Errno::WOULDBLOCK)
    }
}

/// A connection to a program of this machine, by a path of the file system.
#[derive(Debug)]
pub struct Local(UnixStream);

impl Local {
    /// Connects to the program that listens there.
    pub fn connect(path: &Path) -> io::Result<Self> {
        UnixStream::connect(path).map(Self)
    }
}

impl io::Read for Local {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl io::Write for Local {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// One end of a pair of sockets, between a process and its child. Its functions do not block, except those whose names begin with `wait`.
#[derive(Debug)]
pub struct Wire(OwnedFd);

impl Wire {
    /// Creates both ends: hookbox's, and the child's standard input.
    pub fn pair() -> io::Result<(Self, Stdio)> {
        let (ours, theirs) = new_pair()?;
        Ok((Self(ours), theirs.into()))
    }

    /// Returns the socket that is this process's standard input.
    pub fn of_standard_input() -> io::Result<Self> {
        rustix::stdio::stdin().try_clone_to_owned().map(Self)
    }

    /// Sends as much of `bytes` as there is room for, and returns that number of bytes.
    pub fn send_some(&self, bytes: &[u8]) -> io::Result<usize> {
        // A library cannot rely on its program to ignore SIGPIPE, which a peer that has gone would cause otherwise.
        match send(&self.0, bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL) {
            Err(Errno::WOULDBLOCK | Errno::INTR) => Ok(0),
            sent => Ok(sent?),
        }
    }

    /// Receives at most as many bytes as `room` holds; 0 at the end, `None` if there may be more later.
    pub fn receive_some(&self, room: &mut [u8]) -> io::Result<Option<usize>> {
        match recv(&self.0, room, RecvFlags::DONTWAIT) {
            Err(Errno::WOULDBLOCK | Errno::INTR) => Ok(None),
            received => Ok(Some(received?.1)),
        }
    }

    /// Waits until there is input or its end; `false` if neither comes within this time.
    pub fn wait_to_receive(&self, most: Option<Duration>) -> io::Result<bool> {
        self.wait_ready(PollFlags::IN, most)
    }

    /// Ends it for both sides, also for a thread that waits for input.
    pub fn end(&self) {
        // It may have ended.
        let _ = shutdown(&self.0, Shutdown::Both);
    }

    /// Waits until there is room for more.
    pub fn wait_to_send(&self) -> io::Result<()> {
        self.wait_ready(PollFlags::OUT, None).map(drop)
    }

    /// Returns true if there is no input, and no end of input.
    pub fn is_quiet(&self) -> bool {
        recv(&self.0, &mut [0; 1], RecvFlags::PEEK | RecvFlags::DONTWAIT).map(drop) == Err(Errno::WOULDBLOCK)
    }

    fn wait_ready(&self, what: PollFlags, most: Option<Duration>) -> io::Result<bool> {
        let most = most.and_then(|most| Timespec::try_from(most).ok());
        match poll(&mut [PollFd::new(&self.0, what)], most.as_ref()) {
            Err(Errno::INTR) => Ok(false),
            ready => Ok(ready? > 0),
        }
    }
}

#[cfg(not(target_vendor = "apple"))]
fn new_pair() -> rustix::io::Result<(OwnedFd, OwnedFd)> {
    socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)
}

/// On Apple's systems the flag is set after the socket was made.
#[cfg(target_vendor = "apple")]
fn new_pair() -> rustix::io::Result<(OwnedFd, OwnedFd)> {
    use rustix::io::{FdFlags, fcntl_setfd};
    let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::empty(), None)?;
    fcntl_setfd(&ours, FdFlags::CLOEXEC)?;
    fcntl_setfd(&theirs, FdFlags::CLOEXEC)?;
    Ok((ours, theirs))
}

#[cfg(test)]
mod tests {
    use std::{
        io::Write as _,
        net::{TcpListener, TcpStream},
    };

    use super::*;

    #[test]
    fn a_wire_tells_what_there_is_room_for_what_came_and_the_end() {
        let (ours, theirs) = new_pair().map(|(a, b)| (Wire(a), Wire(b))).unwrap();
        let mut room = [0; 8];
        assert!(ours.is_quiet());
        assert_eq!(ours.receive_some(&mut room).unwrap(), None);
        assert!(!ours.wait_to_receive(Some(Duration::ZERO)).unwrap());
        theirs.wait_to_send().unwrap();
        assert_eq!(theirs.send_some(b"abc").unwrap(), 3);
        assert!(ours.wait_to_receive(None).unwrap() && !ours.is_quiet());
        assert_eq!(ours.receive_some(&mut room).unwrap(), Some(3));
        // No reader: the socket fails rather than wait.
        let mut much = vec![0; 1 << 16];
        while theirs.send_some(&much).unwrap() > 0 {}
        drop(theirs);
        while ours.receive_some(&mut much).unwrap() != Some(0) {}
        assert!(!ours.is_quiet() && ours.send_some(b"x").is_err());
    }

    #[test]
    fn a_connection_is_quiet_until_something_came_in_or_it_ended() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let ours = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut theirs, _) = listener.accept().unwrap();
        let quiet = UnreadCheck::of_connection(&ours).unwrap();
        assert!(quiet.is_quiet());
        theirs.write_all(b"x").unwrap();
        // The check does not consume the input.
        assert!(!quiet.is_quiet() && !quiet.is_quiet());

        let ended = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        drop(listener.accept().unwrap());
        assert!(!UnreadCheck::of_connection(&ended).unwrap().is_quiet());
    }
}
