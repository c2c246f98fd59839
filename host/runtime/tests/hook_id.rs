//! What tells one hook from another, in every process.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails like a test")]

use hookbox::{
    ContentDigest, HandlerSpec, HookId, HookSpec, ToolMatcher,
    dialect::{self, Dialect},
    hook::{
        Condition, ForeignCall, ForeignSpec, ShellCommand, ShellSpec, WasmSpec, WebhookMethod, WebhookSpec,
    },
    model::{EventName, Json, Limit, Limits, OnFailure, Role, ToolClass},
};

fn hook(handler: HandlerSpec) -> HookSpec {
    HookSpec::new("a", handler).on([EventName::ToolBefore])
}

fn webhook(url: &str, token: &str) -> WebhookSpec {
    let headers = vec![("Authorization".to_owned(), token.to_owned())];
    let (url, method) = (url.to_owned(), WebhookMethod::Post);
    WebhookSpec { url, method, headers, env: Vec::new(), sign: None }
}

fn shell(command: &str) -> ShellSpec {
    let command = ShellCommand::Line(command.to_owned());
    ShellSpec { command, cwd: None, env: Vec::new(), confinement: None }
}

fn speaking(agent: &str) -> HandlerSpec {
    let own = dialect::named(agent).and_then(Dialect::own_hooks).unwrap();
    HandlerSpec::Foreign(Box::new(ForeignSpec {
        call: ForeignCall::Shell(shell("x")),
        contract: own.contract().unwrap(),
        variables: Vec::new(),
        when: Some(Condition::new("Bash", |_| true)),
        sequential: false,
        in_role: false,
        written: None,
    }))
}

#[test]
fn hooks_that_say_something_different_are_different_hooks() {
    let base = || hook(HandlerSpec::Wasm(WasmSpec::new("/a")));
    let web = |url, token| hook(HandlerSpec::Webhook(webhook(url, token)));
    let tool = |matcher| HookSpec { tool: Some(matcher), ..base() };
    let glob = ToolMatcher { glob: Some(wildmatch::WildMatch::new("a*")), ..ToolMatcher::default() };
    let other = ToolMatcher { glob: Some(wildmatch::WildMatch::new("b*")), ..ToolMatcher::default() };
    let hooks = [
        base(),
        hook(HandlerSpec::Wasm(WasmSpec::new("/b"))),
        hook(HandlerSpec::Callback),
        hook(HandlerSpec::Shell(shell("x"))),
        hook(HandlerSpec::Shell(shell("y"))),
        // `Debug` shows none of the differences between these.
        web("https://h/one", "secret"),
        web("https://h/two", "secret"),
        web("https://h/one", "mended"),
        hook(speaking("claude-code")),
        hook(speaking("gemini-cli")),
        hook(speaking("llxprt")),
        hook(speaking("codex")),
        HookSpec { config: Json::parse("{\"a\":1}").unwrap(), ..base() },
        HookSpec { role: Role::Transform, ..base() },
        HookSpec { on_failure: Some(OnFailure::Ask), ..base() },
        HookSpec { priority: 1, ..base() },
        HookSpec { once: true, ..base() },
        HookSpec { events: vec![EventName::ToolAfter], ..base() },
        HookSpec { limits: Limits::default().with(Limit::Fuel, 1_000_000).unwrap(), ..base() },
        tool(ToolMatcher { classes: vec![ToolClass::Shell], ..ToolMatcher::default() }),
        tool(ToolMatcher { names: vec!["a*".to_owned()], ..ToolMatcher::default() }),
        tool(glob),
        tool(other),
        tool(ToolMatcher { regex: Some(regex::bytes::Regex::new("a*").unwrap()), ..ToolMatcher::default() }),
    ];
    for (at, one) in hooks.iter().enumerate() {
        assert_eq!(HookId::of(one), HookId::of(&one.clone()));
        for (beside, another) in hooks.iter().enumerate().filter(|(beside, _)| *beside != at) {
            let (one, another) = (HookId::of(one), HookId::of(another));
            assert_ne!(one.to_string(), another.to_string(), "{at} and {beside}");
        }
    }
}

#[test]
fn the_same_call_is_known_whatever_it_is_called_and_for() {
    let base = hook(HandlerSpec::Webhook(webhook("https://h/one", "secret")));
    let other = HookSpec { name: "b".to_owned(), events: vec![EventName::ToolAfter], ..base.clone() };
    assert_eq!(ContentDigest::of_call(&base), ContentDigest::of_call(&other));
    assert_ne!(ContentDigest::of_hook(&base), ContentDigest::of_hook(&other));
    let mended = hook(HandlerSpec::Webhook(webhook("https://h/two", "secret")));
    assert_ne!(ContentDigest::of_call(&base), ContentDigest::of_call(&mended));
}

#[test]
fn a_secret_is_not_in_the_name() {
    let id = HookId::of(&hook(HandlerSpec::Webhook(webhook("https://h/secret-path", "secret-token"))));
    assert!(!format!("{id} {id:?}").contains("secret"));
}
