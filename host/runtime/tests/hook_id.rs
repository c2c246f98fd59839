//! Identity of a hook, in every process.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails like a test")]

use hookbox::{
    Condition, ContentDigest, HookId, HookSpec, Origin, Target, ToolMatcher, WrittenAt,
    agents::{self, Dialect},
    hook::{ShellSpec, WasmSpec, WebhookMethod, WebhookSpec},
    model::{EventName, Json, Limit, Limits, OnFailure, Role, ToolClass},
};

fn make_hook(handler: Target) -> HookSpec {
    HookSpec::new("a", handler).on([EventName::ToolBefore])
}

fn make_webhook(url: &str, token: &str) -> WebhookSpec {
    let headers = vec![("Authorization".to_owned(), token.to_owned())];
    let (url, method) = (url.to_owned(), WebhookMethod::Post);
    WebhookSpec { url, method, headers, env: Vec::new(), sign: None }
}

fn speaking_hook(agent: &str) -> HookSpec {
    let own = agents::find_dialect(agent).and_then(Dialect::hook_file).unwrap();
    HookSpec { contract: own.contract(), ..shell_hook("x") }
}

fn shell_hook(command: &str) -> HookSpec {
    make_hook(Target::Shell(ShellSpec::from_line(command)))
}

fn matched_hook(written: &str) -> HookSpec {
    HookSpec { condition: Some(Condition::new(written, |_| true)), ..shell_hook("x") }
}

/// Returns a hook of an agent's own file, at this place in the file.
fn written_hook(place: &str) -> HookSpec {
    let written = WrittenAt {
        unreadable: None,
        place: place.to_owned(),
        event: "PreToolUse",
        key: None,
        description: None,
        idle: Vec::new(),
    };
    let base = shell_hook("x");
    HookSpec { origin: Origin { written: Some(Box::new(written)), ..base.origin.clone() }, ..base }
}

#[test]
fn hooks_that_say_something_different_are_different_hooks() {
    let base = || make_hook(Target::Wasm(WasmSpec::new("/a")));
    let web = |url, token| make_hook(Target::Webhook(make_webhook(url, token)));
    let tool = |matcher| HookSpec { tool: Some(matcher), ..base() };
    let glob = ToolMatcher { glob: Some(wildmatch::WildMatch::new("a*")), ..ToolMatcher::default() };
    let other = ToolMatcher { glob: Some(wildmatch::WildMatch::new("b*")), ..ToolMatcher::default() };
    let hooks = vec![
        base(),
        make_hook(Target::Wasm(WasmSpec::new("/b"))),
        make_hook(Target::Callback),
        shell_hook("x"),
        shell_hook("y"),
        // `Debug` shows none of the differences between these.
        web("https://h/one", "secret"),
        web("https://h/two", "secret"),
        web("https://h/one", "mended"),
        speaking_hook("claude-code"),
        speaking_hook("gemini-cli"),
        speaking_hook("llxprt"),
        speaking_hook("codex"),
        matched_hook("Bash"),
        matched_hook("Write"),
        written_hook("hooks[0]"),
        written_hook("hooks[1]"),
        HookSpec { sequential: true, ..shell_hook("x") },
        HookSpec { in_role: false, ..shell_hook("x") },
        make_hook(Target::Shell(ShellSpec {
            variables: vec![("A".to_owned(), "1".to_owned())],
            ..ShellSpec::from_line("x")
        })),
        HookSpec { config: Json::parse("{\"a\":1}").unwrap(), ..base() },
        HookSpec { role: Role::Transform, ..base() },
        HookSpec { on_failure: Some(OnFailure::Ask), ..base() },
        HookSpec { priority: 1, ..base() },
        HookSpec { once: true, ..base() },
        HookSpec { events: vec![EventName::ToolAfter], ..base() },
        HookSpec { limits: Limits::default().with_limit(Limit::Fuel, 1_000_000).unwrap(), ..base() },
        tool(ToolMatcher { classes: vec![ToolClass::Shell], ..ToolMatcher::default() }),
        tool(ToolMatcher { names: vec!["a*".to_owned()], ..ToolMatcher::default() }),
        tool(glob),
        tool(other),
        tool(ToolMatcher { regex: Some(regex::bytes::Regex::new("a*").unwrap()), ..ToolMatcher::default() }),
    ];
    for (at, one) in hooks.iter().enumerate() {
        assert_eq!(HookId::of_spec(one), HookId::of_spec(&one.clone()));
        for (beside, another) in hooks.iter().enumerate().filter(|(beside, _)| *beside != at) {
            let (one, another) = (HookId::of_spec(one), HookId::of_spec(another));
            assert_ne!(one.to_string(), another.to_string(), "{at} and {beside}");
        }
    }
}

#[test]
fn the_same_call_is_known_whatever_it_is_called_and_for() {
    let base = make_hook(Target::Webhook(make_webhook("https://h/one", "secret")));
    let other = HookSpec { name: "b".to_owned(), events: vec![EventName::ToolAfter], ..base.clone() };
    assert_eq!(ContentDigest::of_call(&base), ContentDigest::of_call(&other));
    assert_ne!(ContentDigest::of_hook(&base), ContentDigest::of_hook(&other));
    let mended = make_hook(Target::Webhook(make_webhook("https://h/two", "secret")));
    assert_ne!(ContentDigest::of_call(&base), ContentDigest::of_call(&mended));
}

#[test]
fn a_secret_is_not_in_the_name() {
    let id =
        HookId::of_spec(&make_hook(Target::Webhook(make_webhook("https://h/secret-path", "secret-token"))));
    assert!(!format!("{id} {id:?}").contains("secret"));
}
