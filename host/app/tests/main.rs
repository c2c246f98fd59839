//! hookbox's files from outside.

mod managed;
mod one_process;
