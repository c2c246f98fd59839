//! Code shared by the benchmarks: the event, the plugin, the host, and the bare floor that it is compared with.
#![expect(clippy::unwrap_used, reason = "benchmarks")]

pub(crate) mod bed;
pub(crate) mod extent;
pub(crate) mod floor;

use std::path::PathBuf;

use hookbox::{
    HookSpec, Target, ToolMatcher,
    hook::WasmSpec,
    model::{EventName, Json},
};

pub(crate) use self::bed::{cache_folder, create_builder, create_event, create_runtime};
use extent::built_path;

pub(crate) const SIZES: [(&str, usize); 3] = [("1 KiB", 1 << 10), ("64 KiB", 64 << 10), ("1 MiB", 1 << 20)];

/// Returns a gate that calls `find-text`, the check of every other row.
pub(crate) fn create_hook(name: &str) -> HookSpec {
    let calls = Target::Wasm(WasmSpec::new(plugin_path()));
    let config = Json::parse(CONFIG).unwrap();
    HookSpec { config, ..HookSpec::new(name, calls).on([EventName::ToolBefore]) }
}

/// Asks instead of denying, so that a chain continues to its end.
pub(crate) const CONFIG: &str = r#"{"ask":["rm -rf /"]}"#;

pub(crate) fn named_tool(name: &str) -> ToolMatcher {
    ToolMatcher { names: vec![name.to_owned()], ..ToolMatcher::default() }
}

pub(crate) fn plugin_path() -> PathBuf {
    built_path("plugins/find-text.wasm")
}
