use std::{convert::Infallible, io, path::Path};

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
