//! Setup of every benchmark of the host: the event, a host, a cache of its own.
#![expect(clippy::unwrap_used, reason = "benchmarks")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Once,
};

use hookbox::{
    Host, HostBuilder,
    agents::{self, ReadContext},
    model::{Event, Json},
    sandbox::{compile::Compiler, engine_settings::Allocation},
};

use super::extent::{Extent, target_folder};

/// Returns the recorded call of `rm -rf /`, its description padded until the event has this many bytes.
pub(crate) fn event_bytes(size: usize) -> Vec<u8> {
    let recorded = manifest_folder().join("tests/data/events/claude-code/14-PreToolUse-Bash-blocked.json");
    let recorded = fs::read_to_string(recorded).unwrap();
    let padding = " ".repeat(size.saturating_sub(recorded.len())).replace(' ', "x");
    recorded.replace("\"Clean\"", &format!("\"Clean{padding}\"")).into_bytes()
}

pub(crate) fn create_event(size: usize) -> Event {
    read_event(&event_bytes(size))
}

/// Reads an event of Claude Code's.
pub(crate) fn read_event(bytes: &[u8]) -> Event {
    let source = Json::parse_object(std::str::from_utf8(bytes).unwrap()).unwrap();
    agents::find_dialect("claude-code").unwrap().read(source, &ReadContext::default()).unwrap()
}

pub(crate) fn create_builder() -> HostBuilder {
    let extent = Extent::of_this_run().unwrap_or(Extent::Once);
    Host::builder()
        .cache(&cache_folder())
        .compiler(Compiler::Process(extent.program_path("hookbox-compile")))
        .allocation(Allocation::POOLED)
}

/// Returns the cache of this run alone: the floor takes its native code from it, the only one in there.
pub(crate) fn cache_folder() -> PathBuf {
    static EMPTIED: Once = Once::new();
    let cache = target_folder().join("bench-cache");
    EMPTIED.call_once(|| {
        let _ = fs::remove_dir_all(&cache); // it may not be there
    });
    cache
}

pub(crate) fn manifest_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn create_runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}
