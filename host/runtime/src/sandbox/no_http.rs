//! Stands for HTTP in a program that is built without it for guests: no plugin that imports it is loaded.

use std::{path::Path, sync::Arc};

use hookbox_model::{Failure, FailureCode, Grants};

use super::{capability::Link, refusals::Refusals};
use crate::{left_out::left_out, port::Environment};

/// Refuses it.
pub(super) fn admit(path: &Path, name: &str, _: &Grants) -> Result<Link, Failure> {
    let (path, why) = (path.display(), left_out("HTTP for plugins", "guest-http"));
    let message = format!("the plugin {path} cannot be loaded: it imports `{name}`, and {why}");
    Err(Failure::new(FailureCode::Refused, &message))
}

#[derive(Default)]
pub(super) struct Client;

pub(super) enum Http {}

impl Http {
    pub(super) fn granted(_: &Grants, _: &Environment, _: &Arc<Client>, _: &Refusals) -> Option<Self> {
        None
    }

    pub(super) fn sent(&self) -> u64 {
        match *self {}
    }

    pub(super) fn redact(&self, _: &str) -> String {
        match *self {}
    }
}
