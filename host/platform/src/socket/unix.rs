use std::{
    io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::net::UnixStream,
    },
    path::Path,
};

use rustix::{
    io::Errno,
    net::{RecvFlags, recv},
};

/// Tells of a connection whether its other side has said nothing. It holds the connection open.
#[derive(Debug)]
pub struct Quiet(OwnedFd);

impl Quiet {
    /// Of this connection. An error if there is no room for another descriptor.
    pub fn of(connection: &impl AsFd) -> io::Result<Self> {
        connection.as_fd().try_clone_to_owned().map(Self)
    }

    /// Has nothing come in that was not read, not even the end? Asks the system itself: what a runtime knows of a connection
    /// may be older.
    pub fn is_quiet(&self) -> bool {
        recv(&self.0, &mut [0; 1], RecvFlags::PEEK | RecvFlags::DONTWAIT).map(drop) == Err(Errno::WOULDBLOCK)
    }
}

/// A connection to a program of this machine, by a path of the file system.
#[derive(Debug)]
pub struct Local(UnixStream);

impl Local {
    /// To whoever listens there.
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

#[cfg(test)]
mod tests {
    use std::{
        io::Write as _,
        net::{TcpListener, TcpStream},
    };

    use super::*;

    #[test]
    fn a_connection_is_quiet_until_something_came_in_or_it_ended() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let ours = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut theirs, _) = listener.accept().unwrap();
        let quiet = Quiet::of(&ours).unwrap();
        assert!(quiet.is_quiet());
        theirs.write_all(b"x").unwrap();
        // It is not taken out by looking.
        assert!(!quiet.is_quiet() && !quiet.is_quiet());

        let ended = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        drop(listener.accept().unwrap());
        assert!(!Quiet::of(&ended).unwrap().is_quiet());
    }
}
