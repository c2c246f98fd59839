//! Placeholder for HTTP in a program that is built without it for guests: no plugin that imports it is loaded.

use std::{path::Path, sync::Arc};

use hookbox_model::{Failure, FailureCode, Grants};

use super::{
    failure::Fault,
    refusals::Refusals,
    world_interfaces::{Interface, Link, WorldVersion},
};
use crate::{interfaces::Environment, left_out::left_out};

pub(super) const HTTP: Interface = Interface {
    name: "http",
    about: "not in this program, which was built without the cargo feature `guest-http`",
    acts: true,
    since: WorldVersion::V0_2,
    link: |_| Err(wasmtime::Error::new(Fault(left_out_failure()))),
};

fn left_out_failure() -> Failure {
    let why = left_out("HTTP for plugins", "guest-http");
    Failure::new(FailureCode::Refused, &format!("it imports `http`, and {why}"))
}

/// Never implemented here: there are no requests to answer.
pub trait Recording: Send + Sync {}

pub(super) fn admit_import(path: &Path, name: &str, _: &Grants) -> Result<Link, Failure> {
    let (path, why) = (path.display(), left_out("HTTP for plugins", "guest-http"));
    let message = format!("the plugin {path} cannot be loaded: it imports `{name}`, and {why}");
    Err(Failure::new(FailureCode::Refused, &message))
}

pub(super) struct Servers;

impl Servers {
    pub(super) fn new(_: Option<Arc<dyn Recording>>) -> Self {
        Self
    }
}

pub(super) enum Http {}

impl Http {
    pub(super) fn from_grants(_: &Grants, _: &Environment, _: &Servers, _: &Refusals) -> Option<Self> {
        None
    }

    pub(super) fn sent(&self) -> u64 {
        match *self {}
    }

    pub(super) fn redact_text(&self, _: &str) -> String {
        match *self {}
    }
}
