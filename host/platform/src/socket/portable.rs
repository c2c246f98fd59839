use std::{convert::Infallible, io, path::Path, process::Stdio, time::Duration};

use crate::Unsupported;

/// A check for unread input of a connection, which does not exist here.
#[derive(Debug)]
pub struct UnreadCheck(Infallible);

impl UnreadCheck {
    /// Returns an error: the caller opens a new connection.
    pub fn of_connection<C>(_: &C) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Never called.
    pub fn is_quiet(&self) -> bool {
        match self.0 {}
    }
}

/// A connection to a program of this machine, by a path of the file system, which does not exist here.
#[derive(Debug)]
pub struct Local(Infallible);

impl Local {
    /// Returns an error.
    pub fn connect(_: &Path) -> io::Result<Self> {
        Err(Unsupported { what: "connect to a program by a path", needs: "Unix's sockets" }.into())
    }
}

impl io::Read for Local {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        match self.0 {}
    }
}

impl io::Write for Local {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0 {}
    }
}

/// One end of a pair of sockets, between a process and its child, which does not exist here.
#[derive(Debug)]
pub struct Wire(Infallible);

impl Wire {
    /// Returns an error.
    pub fn pair() -> io::Result<(Self, Stdio)> {
        Err(Unsupported {
            what: "talk with a process that is kept from everything else",
            needs: "Unix's sockets",
        }
        .into())
    }

    /// Returns an error.
    pub fn of_standard_input() -> io::Result<Self> {
        Self::pair().map(|(wire, _)| wire)
    }

    /// Never called.
    pub fn send_some(&self, _: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }

    /// Never called.
    pub fn receive_some(&self, _: &mut [u8]) -> io::Result<Option<usize>> {
        match self.0 {}
    }

    /// Never called.
    pub fn wait_to_receive(&self, _: Option<Duration>) -> io::Result<bool> {
        match self.0 {}
    }

    /// Never called.
    pub fn end(&self) {
        match self.0 {}
    }

    /// Never called.
    pub fn wait_to_send(&self) -> io::Result<()> {
        match self.0 {}
    }

    /// Never called.
    pub fn is_quiet(&self) -> bool {
        match self.0 {}
    }
}
