//! The invariants of `docs/internals/architecture.md`, read off the sources.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests and their helpers")]

mod citations;
mod documents;
mod links;
mod lists;
mod manual;
mod packages;
mod platform;
mod programs;
mod rooms;
mod rustdoc;
mod sdks;
mod security;
mod words;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Returns every Rust source below `folder` without its comments, with its path from the root.
fn read_sources(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = vec![root.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                // Tests use the code from outside, in every agent's format.
                folders.extend((!path.ends_with("tests")).then_some(path));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                found.push((name, strip_comments(&fs::read_to_string(&path).unwrap())));
            }
        }
    }
    assert!(!found.is_empty(), "{folder} has no sources");
    found
}

/// Returns the source without comments and in-file tests.
fn strip_comments(text: &str) -> String {
    let text = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Returns the files below `folder` that contain any of `words`, except for the allowed ones.
fn find_trespassers(folder: &str, words: &[&str], allowed: &[&str]) -> Vec<String> {
    let holds = |text: &str| words.iter().any(|word| text.contains(word));
    let may = |name: &str| allowed.iter().any(|prefix| name.starts_with(prefix));
    read_sources(folder)
        .into_iter()
        .filter(|(name, text)| !may(name) && holds(text))
        .map(|(name, _)| name)
        .collect()
}

const NO_FILES: [String; 0] = [];

#[test]
fn wasmtime_is_named_in_the_sandbox_only() {
    assert_eq!(
        find_trespassers("host", &["wasmtime::", "use wasmtime"], &["host/runtime/src/sandbox"]),
        NO_FILES
    );
}

#[test]
fn generated_types_stay_in_the_sandbox() {
    let allowed = ["host/runtime/src/sandbox", "host/xtask"];
    assert_eq!(find_trespassers("host", &["bindings::"], &allowed), NO_FILES);
}

#[test]
fn foreign_field_names_appear_in_the_dialects_only() {
    let words = ["\"hook_event_name\"", "\"tool_input\"", "\"hookSpecificOutput\"", "\"permissionDecision\""];
    assert_eq!(find_trespassers("host", &words, &["host/agents/src", "host/embed", "host/xtask"]), NO_FILES);
}

#[test]
fn the_model_has_no_async_no_files_and_no_clock() {
    let words =
        ["async ", ".await", "std::fs", "std::path", "SystemTime", "Instant::", "std::env", "std::net"];
    assert_eq!(find_trespassers("host/model", &words, &[]), NO_FILES);
}

#[test]
fn only_the_command_reads_the_environment_and_only_in_one_file() {
    let words = ["env::var", "home_dir", "env::current_exe", "env::current_dir"];
    // Cargo passes values to a build script in variables.
    let allowed = [
        "host/author/environment.rs",
        "host/bundle/environment.rs",
        "host/cli/environment.rs",
        "host/platform/build.rs",
        "host/runtime/build.rs",
        "host/xtask",
    ];
    assert_eq!(find_trespassers("host", &words, &allowed), NO_FILES);
    let allowed = ["host/cli/args.rs", "host/cli/fast_start.rs", "host/compile/main.rs", "host/xtask"];
    assert_eq!(find_trespassers("host", &["env::args"], &allowed), NO_FILES);
}

/// A project may set variables for the agents that work in it, and so for the processes that they start.
#[test]
fn what_agents_start_does_not_ask_the_environment_where_things_are() {
    let of_people = find_trespassers(
        "host/cli",
        &["of_terminal", "environment::read_variable"],
        &["host/cli/environment.rs"],
    );
    let may = [
        "agent_change",
        "allow",
        "check",
        "detect_agents",
        "doctor",
        "doctor/coverage",
        "doctor/protected",
        "entries",
        "explain",
        "facts",
        "hooks",
        "import",
        "init",
        "install",
        "list",
        "log",
        "own_command",
        "own_file_copies",
        "plugin",
        "proxy_change",
        "restore",
        "setup",
        "switch",
        "trust",
        "user_presence",
    ];
    let may = may.map(|verb| format!("host/cli/commands/{verb}.rs"));
    let other: Vec<_> = of_people.into_iter().filter(|file| !may.contains(file)).collect();
    assert_eq!(other, NO_FILES);
}

/// A service reads files for many users' sessions at a time.
#[test]
fn the_crate_of_files_keeps_nothing_in_the_process() {
    let words = [
        "thread_local!",
        "OnceLock",
        "OnceCell",
        "LazyLock",
        "LazyCell",
        "\nstatic ",
        "b static ",
        ") static ",
    ];
    assert_eq!(find_trespassers("host/app", &words, &[]), NO_FILES);
}

#[test]
fn only_the_printer_writes_to_the_terminal() {
    let words = ["stdout()", "stderr()", "println!", "print!("];
    // A build script reports to cargo.
    let allowed = [
        "host/author/build",
        "host/author/printer.rs",
        "host/cli/printer.rs",
        "host/compile/main.rs",
        "host/platform/build.rs",
        "host/platform/src/stream",
        "host/runtime/build.rs",
        "host/xtask",
    ];
    assert_eq!(find_trespassers("host", &words, &allowed), NO_FILES);
}

#[test]
fn processes_start_for_hooks_for_compilers_and_where_an_entry_is_tried() {
    let allowed = [
        "host/runtime/src/handler/python/start.rs",
        "host/runtime/src/handler/shell",
        "host/runtime/src/sandbox/compile.rs",
        "host/runtime/src/sandbox/worker/process.rs",
        "host/author/tool.rs",
        "host/registry/src/helper.rs",
        "host/cli/commands/confine.rs",
        "host/cli/commands/entry_process.rs",
        "host/cli/commands/plugin/companions.rs",
        "host/xtask",
    ];
    assert_eq!(find_trespassers("host", &[" Command::new"], &allowed), NO_FILES);
}

#[test]
fn whole_files_are_written_in_one_place() {
    let words = [
        "OFlags::CREATE",
        "OFlags::TMPFILE",
        "OpenOptions",
        "File::create",
        "File::options",
        "create_new(",
        "fs::write(",
        "fs::copy(",
        "fs::rename",
        "renameat",
        "fs::link",
        "hard_link(",
    ];
    // The platform has the means; `doctor` attacks from a folder that it makes and takes away.
    let allowed = [
        "host/platform/src/file",
        "host/platform/src/folder",
        "host/cli/commands/doctor/attack.rs",
        "host/xtask",
    ];
    assert_eq!(find_trespassers("host", &words, &allowed), NO_FILES);
    let means = [
        "create_file(",
        "folder.rename_file(",
        "folder.rename_new(",
        "folder.exchange_files(",
        "folder.link_file(",
    ];
    for folder in ["host/cli", "host/app", "host/core", "host/agents"] {
        assert_eq!(find_trespassers(folder, &means, &[]), NO_FILES);
    }
    assert_eq!(find_trespassers("host/runtime", &means, &["host/runtime/src/atomic_file.rs"]), NO_FILES);
    // A lock is empty, and reports and logs are added to.
    let others = [
        "host/author/build_lock.rs",
        "host/platform/src",
        "host/runtime/src/sandbox/cache/compile_lock.rs",
        "host/app/src/event_log/store.rs",
        "host/app/src/plugin_home/change_lock.rs",
        "host/app/src/state_file.rs",
        "host/cli/run_report.rs",
    ];
    assert_eq!(find_trespassers("host", &["open_lock(", "append_private("], &others), NO_FILES);
}

#[test]
fn sockets_open_in_the_http_client_only() {
    let words = ["reqwest::", "TcpStream", "UdpSocket", "UnixStream", "hickory_resolver::", "lookup_host"];
    // The tests of guests' requests have servers. The platform has the means to ask a program of this machine.
    let allowed =
        ["host/http", "host/platform/src/socket", "host/runtime/src/sandbox/http/tests", "host/xtask"];
    assert_eq!(find_trespassers("host", &words, &allowed), NO_FILES);
    // A plugin's signer may have the key in an ssh agent.
    assert_eq!(find_trespassers("host", &["Local::connect"], &["host/bundle/agent.rs"]), NO_FILES);
}

#[test]
fn the_chain_does_not_know_what_kind_of_handler_it_runs() {
    let handlers = Path::new(env!("CARGO_MANIFEST_DIR")).join("host/runtime/src/handler.rs");
    let handlers = fs::read_to_string(handlers).unwrap();
    let modules =
        handlers.lines().filter_map(|line| line.strip_prefix("pub")?.split_once("mod ")?.1.strip_suffix(';'));
    let kinds: Vec<_> = modules.map(|module| format!("handler::{module}")).collect();
    assert!(kinds.contains(&"handler::shell".to_owned()), "{kinds:?}");
    let words = kinds.iter().map(String::as_str);
    let words: Vec<_> = words.chain(["interfaces::Callback", "HandlerKind::", "sandbox"]).collect();
    assert_eq!(find_trespassers("host/runtime/src/chain", &words, &[]), NO_FILES);
    assert_eq!(find_trespassers("host/runtime/src/chain", &["claude", "gemini", "agent =="], &[]), NO_FILES);
}

#[test]
fn handlers_know_neither_the_chain_nor_a_dialect() {
    let words = ["crate::chain", "crate::registry", "crate::dialect", "agents::"];
    assert_eq!(find_trespassers("host/runtime/src/handler", &words, &[]), NO_FILES);
}

#[test]
fn unsafe_code_is_where_native_code_is_loaded_and_where_a_child_is_confined() {
    let files = ["host/runtime/src/sandbox/cache/native_code.rs", "host/platform/src/confinement/kernel.rs"];
    assert_eq!(find_trespassers("host", &["unsafe {"], &files), NO_FILES);
}

#[test]
fn the_reported_version_of_wasmtime_is_the_locked_version() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lock = fs::read_to_string(root.join("Cargo.lock")).unwrap();
    let version = hookbox::sandbox::engine_settings::WASMTIME;
    assert!(lock.contains(&format!("name = \"wasmtime\"\nversion = \"{version}\"")));
}

#[test]
fn no_wasm_is_committed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["wit", "plugins", "sdk", "packages", "integrations", "tests", "host", "docs"] {
        let mut folders = vec![root.join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && !path.ends_with("target") {
                    folders.push(path);
                } else {
                    assert_ne!(path.extension().and_then(|e| e.to_str()), Some("wasm"), "{}", path.display());
                }
            }
        }
    }
}
