use std::{convert::Infallible, io, path::Path, process::Stdio, time::Duration};

use crate::Unsupported;

/// Tells of a connection whether its other side has said nothing. Here nobody can.
#[derive(Debug)]
pub struct Quiet(Infallible);

impl Quiet {
    /// Always an error: who asks opens a new connection.
    pub fn of<C>(_: &C) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Nobody has one.
    pub fn is_quiet(&self) -> bool {
        match self.0 {}
    }
}

/// A connection to a program of this machine, by a path of the file system. Here there is none.
#[derive(Debug)]
pub struct Local(Infallible);

impl Local {
    /// Always an error.
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

/// One end of a pair of sockets, between a process and its child. Here there is none.
#[derive(Debug)]
pub struct Wire(Infallible);

impl Wire {
    /// Always an error.
    pub fn pair() -> io::Result<(Self, Stdio)> {
        Err(Unsupported {
            what: "talk with a process that is kept from everything else",
            needs: "Unix's sockets",
        }
        .into())
    }

    /// Always an error.
    pub fn of_standard_input() -> io::Result<Self> {
        Self::pair().map(|(wire, _)| wire)
    }

    /// Nobody has one.
    pub fn send_some(&self, _: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }

    /// Nobody has one.
    pub fn receive_some(&self, _: &mut [u8]) -> io::Result<Option<usize>> {
        match self.0 {}
    }

    /// Nobody has one.
    pub fn wait_to_receive(&self, _: Option<Duration>) -> io::Result<bool> {
        match self.0 {}
    }

    /// Nobody has one.
    pub fn end(&self) {
        match self.0 {}
    }

    /// Nobody has one.
    pub fn wait_to_send(&self) -> io::Result<()> {
        match self.0 {}
    }

    /// Nobody has one.
    pub fn is_quiet(&self) -> bool {
        match self.0 {}
    }
}
