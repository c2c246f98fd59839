//! Rust: cargo, with any target folder.

use std::path::PathBuf;

use serde_json::Value;

use super::{BuildJob, Language};
use crate::{
    environment,
    tool::{Call, FoundTool, Tool},
};

pub(super) static LANGUAGE: Language = Language {
    name: "rust",
    // The manifest of the hook's package.
    source: "Cargo.toml",
    endings: &["rs", "toml"],
    set_up: &["rustup target add wasm32-unknown-unknown # once"],
    takes_time: false,
    build: build_module,
};

const TARGET: &str = "wasm32-unknown-unknown";

const CARGO: Tool = Tool {
    words: &["cargo"],
    probe: &[],
    tried: "1.95",
    get: "install Rust from https://rustup.rs, then: rustup target add wasm32-unknown-unknown",
};

/// The compiler that cargo starts.
const RUSTC: Tool = Tool { words: &["rustc"], ..CARGO };

fn build_module(job: &BuildJob<'_>) -> Result<PathBuf, String> {
    let cargo = Tool::find_first(&[CARGO])?;
    // The JSON on standard output names the module; messages for the author still go to standard error.
    let words = ["build", "--release", "--target", TARGET, "--message-format", "json-render-diagnostics"];
    let call = Call::new(&cargo, job.folder).with_words(words).with_words(["--manifest-path", job.source]);
    let call = call.with_words(["--config".to_owned(), without_folders(&list_remapped_folders(&cargo, job))]);
    let messages = call.run_for_output(job.printer).map_err(|why| {
        if target_is_missing(job) {
            format!("{why}. This Rust has no target {TARGET}; to get it: rustup target add {TARGET}")
        } else {
            why
        }
    })?;
    find_module(&messages).ok_or_else(|| {
        format!("cargo built no module from {}; add to it: [lib] crate-type = [\"cdylib\"]", job.source)
    })
}

/// Returns true if the standard library for the target is missing. If the compiler does not report its place, this is false.
fn target_is_missing(job: &BuildJob<'_>) -> bool {
    standard_library(job).is_some_and(|folder| folder.is_absolute() && !folder.is_dir())
}

/// Returns the folder of the compiler's standard library for the target, whether it exists or not.
fn standard_library(job: &BuildJob<'_>) -> Option<PathBuf> {
    let rustc = Tool::find_first(&[RUSTC]).ok()?;
    let words = ["--print", "target-libdir", "--target", TARGET];
    let output = Call::new(&rustc, job.folder).with_words(words).run_quietly()?;
    Some(PathBuf::from(String::from_utf8(output).ok()?.trim_end()))
}

/// Returns folders of this machine that could get into the module, each with its replacement; a later one takes precedence.
fn list_remapped_folders(cargo: &FoundTool, job: &BuildJob<'_>) -> Vec<(PathBuf, &'static str)> {
    let words = ["metadata", "--no-deps", "--format-version", "1", "--manifest-path", job.source];
    // Problems of the project are reported by the build that follows.
    let output = Call::new(cargo, job.folder).with_words(words).run_quietly().unwrap_or_default();
    let metadata: Value = serde_json::from_slice(&output).unwrap_or_default();
    let folder = |key: &str| metadata.get(key).and_then(Value::as_str).map(PathBuf::from);
    let all = [
        (folder("workspace_root"), "/plugin"),
        (folder("target_directory"), "/target"),
        (environment::cargo_home(), "/cargo"),
    ];
    all.into_iter().filter_map(|(folder, name)| Some((folder?, name))).collect()
}

/// Returns the line of cargo's configuration that keeps folders of this machine out of panic messages, so that the module is
/// reproducible. It comes after flags that the user has set for the target, or in `RUSTFLAGS`.
fn without_folders(folders: &[(PathBuf, &str)]) -> String {
    let flag = |(folder, name): &(PathBuf, &str)| Some(format_remap_flag(folder.to_str()?, name));
    let flags: Value = folders.iter().filter_map(flag).collect();
    format!("build.rustflags={flags}")
}

fn format_remap_flag(folder: &str, name: &str) -> String {
    format!("--remap-path-prefix={folder}={name}")
}

/// Returns the last wasm file that cargo reports: dependencies are built before it.
fn find_module(output: &[u8]) -> Option<PathBuf> {
    let lines = output.split(|byte| *byte == b'\n');
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
    fn the_module_is_found_in_the_messages_of_cargo() {
        let messages = br#"
{"reason":"compiler-artifact","filenames":["/t/libserde.rlib"]}
{"reason":"compiler-artifact","filenames":["/t/hook.d","/t/my hook.wasm"]}
{"reason":"build-finished","success":true}
no json"#;
        assert_eq!(find_module(messages), Some(PathBuf::from("/t/my hook.wasm")));
        assert_eq!(find_module(b"{\"reason\":\"build-finished\"}"), None);
    }

    #[test]
    fn folders_are_written_as_cargo_reads_them() {
        let line = without_folders(&[(PathBuf::from("/home/a \"b\""), "/plugin"), ("/c".into(), "/cargo")]);
        assert_eq!(
            line,
            r#"build.rustflags=["--remap-path-prefix=/home/a \"b\"=/plugin","--remap-path-prefix=/c=/cargo"]"#
        );
        let read: toml::Table = line.parse().unwrap();
        let flags = &read["build"]["rustflags"];
        assert_eq!(flags[0].as_str(), Some("--remap-path-prefix=/home/a \"b\"=/plugin"));
    }
}
