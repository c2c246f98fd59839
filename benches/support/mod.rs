//! What the benchmarks share: the event, the plugin, the host, and the bare floor that it is compared with.
#![expect(clippy::unwrap_used, reason = "benchmarks")]

pub(crate) mod extent;
pub(crate) mod floor;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Once,
};

use hookbox::{
    HookSpec, Host, HostBuilder, Target, ToolMatcher,
    dialect::{self, Arrival},
    hook::WasmSpec,
    model::{Event, EventName, Json},
    sandbox::{compile::Compiler, settings::Allocation},
};

use extent::{Extent, built, target};

pub(crate) const SIZES: [(&str, usize); 3] = [("1 KiB", 1 << 10), ("64 KiB", 64 << 10), ("1 MiB", 1 << 20)];

/// The recorded call of `rm -rf /`, its description padded until the event has this many bytes.
pub(crate) fn event_bytes(size: usize) -> Vec<u8> {
    let recorded = root().join("tests/data/events/claude-code/14-PreToolUse-Bash-blocked.json");
    let recorded = fs::read_to_string(recorded).unwrap();
    let padding = " ".repeat(size.saturating_sub(recorded.len())).replace(' ', "x");
    recorded.replace("\"Clean\"", &format!("\"Clean{padding}\"")).into_bytes()
}

pub(crate) fn event(size: usize) -> Event {
    let source = Json::parse_object(std::str::from_utf8(&event_bytes(size)).unwrap()).unwrap();
    dialect::named("claude-code").unwrap().read(source, &Arrival::default()).unwrap()
}

/// A gate that calls `find-text`, the same check as in every other row.
pub(crate) fn hook(name: &str) -> HookSpec {
    let calls = Target::Wasm(WasmSpec::new(plugin()));
    let config = Json::parse(CONFIG).unwrap();
    HookSpec { config, ..HookSpec::new(name, calls).on([EventName::ToolBefore]) }
}

/// Asks instead of denying, so that a chain goes on to its end.
pub(crate) const CONFIG: &str = r#"{"ask":["rm -rf /"]}"#;

pub(crate) fn named_tool(name: &str) -> ToolMatcher {
    ToolMatcher { names: vec![name.to_owned()], ..ToolMatcher::default() }
}

pub(crate) fn plugin() -> PathBuf {
    built("plugins/find-text.wasm")
}

pub(crate) fn builder() -> HostBuilder {
    let extent = Extent::of_this_run().unwrap_or(Extent::Once);
    Host::builder()
        .cache(&cache())
        .compiler(Compiler::Process(extent.program("hookbox-compile")))
        .allocation(Allocation::POOLED)
}

/// The cache of this run alone: the floor takes its native code from it, the only one in there.
pub(crate) fn cache() -> PathBuf {
    static EMPTIED: Once = Once::new();
    let cache = target().join("bench-cache");
    EMPTIED.call_once(|| {
        let _ = fs::remove_dir_all(&cache); // it may not be there
    });
    cache
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}
