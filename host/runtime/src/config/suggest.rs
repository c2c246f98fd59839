//! "Did you mean", in the words that every reader of a file has for it.

pub use crate::hookfile::{did_you_mean as help, nearest, quoted};
