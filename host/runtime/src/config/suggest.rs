//! "Did you mean" texts, which all readers of a file share.

pub use crate::hookfile::{did_you_mean as help, find_nearest, quote_word};
