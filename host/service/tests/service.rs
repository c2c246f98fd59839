//! A long-running service, with the files of a user who does not exist.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails like a test")]

mod bed;
mod files;
mod managed;
mod reading;
