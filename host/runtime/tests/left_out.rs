//! A program that was built without a kind of hook, or without an import of plugins, refuses such hooks and reports the
//! reason. The gate runs it with features left out; with all of them it shows that nothing is refused for a missing
//! feature.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use hookbox::{
    HookSpec, Host, HostBuilder, Target,
    hook::{ShellSpec, WasmSpec, WebhookMethod, WebhookSpec},
    model::{Event, EventName, Outcome, Role},
};

/// Returns the outcome of the hook.
fn dispatch_target(builder: HostBuilder, target: Target) -> Outcome {
    let guard = HookSpec::new("guard", target).on([EventName::ToolBefore]).role(Role::Gate);
    let event =
        Event { agent_event: "tool.before".to_owned(), ..Event::new(EventName::ToolBefore, "native") };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(builder.hooks([guard]).build().dispatch(&event))
}

#[track_caller]
fn assert_refused_if_left_out(outcome: &Outcome, what: &str, feature: &str, is_here: bool) {
    let reasons: Vec<_> = outcome.reasons.iter().map(|reason| reason.value.text()).collect();
    let message = format!("{}: {}", outcome.verdict.as_str(), reasons.join("; "));
    let why =
        format!("this program was built without {what} (the cargo feature `{feature}` of the crate hookbox)");
    assert_eq!(message.starts_with("deny: ") && message.contains(&why), !is_here, "{message}");
}

#[test]
fn a_shell_hook_denies_in_a_program_without_them() {
    let outcome = dispatch_target(Host::builder(), Target::Shell(ShellSpec::from_line("true")));
    assert_refused_if_left_out(&outcome, "shell hooks", "shell", cfg!(feature = "shell"));
}

#[test]
fn a_wasm_hook_denies_in_a_program_without_them() {
    let outcome = dispatch_target(Host::builder(), Target::Wasm(WasmSpec::new("/none.wasm")));
    assert_refused_if_left_out(&outcome, "wasm hooks", "wasm", cfg!(feature = "wasm"));
}

#[test]
fn a_webhook_denies_in_a_program_without_them() {
    let (url, method) = ("https://127.0.0.1:1/".to_owned(), WebhookMethod::Post);
    let spec = WebhookSpec { url, method, headers: Vec::new(), env: Vec::new(), sign: None };
    let outcome = dispatch_target(Host::builder(), Target::Webhook(spec));
    assert_refused_if_left_out(&outcome, "webhooks", "webhook", cfg!(feature = "webhook"));
}

#[cfg(feature = "compiler")]
mod imports {
    use hookbox::sandbox::compile::Compiler;

    use super::*;

    /// Returns the outcome of a plugin that only imports this interface.
    fn dispatch_importing(interface: &str) -> Outcome {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plugin.wasm");
        std::fs::write(&path, encode_component(interface)).unwrap();
        dispatch_target(Host::builder().compiler(Compiler::InProcess), Target::Wasm(WasmSpec::new(path)))
    }

    /// Encodes `(component (import "interface" (instance)))`.
    fn encode_component(interface: &str) -> Vec<u8> {
        let length = |bytes: &[u8]| u8::try_from(bytes.len()).unwrap();
        let import = [&[1, 0, length(interface.as_bytes())], interface.as_bytes(), &[5, 0]].concat();
        let head = b"\0asm\x0d\0\x01\0\x07\x03\x01\x42\0\x0a";
        [&head[..], &[length(&import)], &import].concat()
    }

    #[test]
    fn a_plugin_that_imports_the_store_is_refused_in_a_program_without_it() {
        let outcome = dispatch_importing("hookbox:hook/kv@0.1.0");
        assert_refused_if_left_out(&outcome, "what plugins keep", "kv", cfg!(feature = "kv"));
    }

    #[test]
    fn a_plugin_that_imports_http_is_refused_in_a_program_without_it() {
        let outcome = dispatch_importing("wasi:http/outgoing-handler@0.2.0");
        assert_refused_if_left_out(&outcome, "HTTP for plugins", "guest-http", cfg!(feature = "guest-http"));
    }
}
