//! Placeholder for the store in a program that is built without it: no plugin that imports it is loaded.

use std::path::PathBuf;

use hookbox_model::{Failure, FailureCode, KvGrant};

use super::{
    failure::Fault,
    owner::Owner,
    world_interfaces::{Interface, WorldVersion},
};
use crate::{interfaces::Call, left_out::left_out};

pub(super) const KV: Interface = Interface {
    name: "kv",
    about: "not in this program, which was built without the cargo feature `kv`",
    acts: true,
    since: WorldVersion::V0_1,
    link: |_| Err(wasmtime::Error::new(Fault(left_out_failure()))),
};

fn left_out_failure() -> Failure {
    let why = left_out("what plugins keep", "kv");
    Failure::new(FailureCode::Refused, &format!("it imports `kv`, and {why}"))
}

pub(super) struct Stores;

impl Stores {
    pub(super) fn new(_: Option<PathBuf>) -> Self {
        Self
    }

    #[expect(clippy::unused_async, reason = "as that which it stands for")]
    pub(super) async fn open_store(&self, _: Owner, _: KvGrant) -> Result<PluginStore, Failure> {
        Err(left_out_failure())
    }
}

pub(super) enum PluginStore {}

impl PluginStore {
    pub(super) fn of_call(&self, _: &Call<'_>) -> Kv {
        match *self {}
    }
}

pub(super) enum Kv {}
