//! Rust: cargo, wherever it puts what it builds.

use std::path::PathBuf;

use serde_json::Value;

use super::{Job, Language};
use crate::tool::{Call, Tool};

pub(super) struct Rust;

const TARGET: &str = "wasm32-unknown-unknown";

const CARGO: Tool = Tool {
    words: &["cargo"],
    probe: &[],
    tried: "1.95",
    get: "install Rust by https://rustup.rs, then: rustup target add wasm32-unknown-unknown",
};

impl Language for Rust {
    fn name(&self) -> &'static str {
        "rust"
    }

    /// The package that the hook is.
    fn source(&self) -> &'static str {
        "Cargo.toml"
    }

    fn set_up(&self) -> &'static [&'static str] {
        &["rustup target add wasm32-unknown-unknown # once"]
    }

    fn build(&self, job: &Job<'_>) -> Result<PathBuf, String> {
        let cargo = Tool::first(&[CARGO])?;
        let words = ["build", "--release", "--target", TARGET, "--message-format", "json-render-diagnostics"];
        let call = Call::new(&cargo, job.folder).words(words).words(["--manifest-path", job.source]);
        let said = call
            .output(job.printer)
            .map_err(|why| format!("{why}. If the target is what it lacks: rustup target add {TARGET}"))?;
        module(&said).ok_or_else(|| {
            format!("cargo made no module of {}: it must say [lib] crate-type = [\"cdylib\"]", job.source)
        })
    }
}

/// The last file of wasm that cargo tells of: what others need is built before it.
fn module(said: &[u8]) -> Option<PathBuf> {
    let lines = said.split(|byte| *byte == b'\n');
    let is_module = |file: &PathBuf| file.extension().is_some_and(|end| end == "wasm");
    let messages = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let files = messages.filter_map(|message| {
        let files = message.get("filenames")?.as_array()?;
        files.iter().filter_map(Value::as_str).map(PathBuf::from).find(is_module)
    });
    files.fold(None, |_, file| Some(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_is_found_among_what_cargo_says() {
        let said = br#"
{"reason":"compiler-artifact","filenames":["/t/libserde.rlib"]}
{"reason":"compiler-artifact","filenames":["/t/hook.d","/t/my hook.wasm"]}
{"reason":"build-finished","success":true}
no json"#;
        assert_eq!(module(said), Some(PathBuf::from("/t/my hook.wasm")));
        assert_eq!(module(b"{\"reason\":\"build-finished\"}"), None);
    }
}
