//! What the host gives to a hook.

pub(crate) use crate::bindings::hookbox::hook::config::get as config;
pub(crate) use crate::bindings::hookbox::hook::kv as store;
pub(crate) use crate::bindings::hookbox::hook::log::write;
pub(crate) use crate::bindings::hookbox::hook::source::read as source;
pub(crate) use crate::bindings::hookbox::hook::{clock::now, random::bytes};
