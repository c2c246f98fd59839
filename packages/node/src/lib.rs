//! The npm package `hookbox`: hookbox in a program for Node.js.
//!
//! Here are values in and values out, promises, and calls of functions on the thread that they are from; what a host is,
//! `hookbox-binding` says, and what a program sees is in `index.js`.
#![expect(clippy::needless_pass_by_value, reason = "what JavaScript hands over comes as a value")]

pub mod agent;
mod bus;
mod function;
mod host;
mod settled;
