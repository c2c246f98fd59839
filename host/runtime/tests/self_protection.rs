//! Self-protection of the host: no hook, and no hook's answer outweighs it.
#![expect(clippy::unwrap_used, reason = "tests and their helpers")]

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use hookbox::{
    Callback, CallbackHook, HookSpec, Hooks, Host, Machine, Origin, SelfProtectionRule,
    model::{
        Answer, Event, EventName, Json, Outcome, Reason, Rewrite, Status, ToolCall, ToolClass, TrustLevel,
        Verdict,
    },
};

/// Refuses a command with this word; panics on one with `panic`.
struct Refuses(&'static str);

impl SelfProtectionRule for Refuses {
    fn name(&self) -> &'static str {
        "own-rule"
    }

    fn is_about(&self, event: &Event) -> bool {
        event.tool.is_some()
    }

    fn refuses(&self, event: &Event) -> Option<Reason> {
        let command = event.tool.as_ref()?.command.clone()?;
        assert!(!command.contains("panic"), "it panicked");
        command.contains(self.0).then(|| Reason::new("own-rule", "not this"))
    }
}

fn make_host(hooks: Hooks) -> Host {
    Machine::builder().build().create_host(hooks.own_rule(Arc::new(Refuses("evil"))))
}

fn make_event(command: &str) -> Event {
    let input = Json::parse(&format!("{{\"command\":\"{command}\"}}")).unwrap();
    let (name, command) = ("Bash".to_owned(), Some(command.to_owned()));
    let tool = ToolCall { name, class: ToolClass::Shell, command, paths: Vec::new(), input, output: None };
    Event {
        tool: Some(tool),
        agent_event: "PreToolUse".to_owned(),
        ..Event::new(EventName::ToolBefore, "claude-code")
    }
}

fn dispatch_event(host: &Host, event: &Event) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(host.dispatch(event))
}

fn answering_gate(answer: Answer) -> Hooks {
    let gate = CallbackHook::gate("gate", [EventName::ToolBefore]);
    Hooks::new().callback(gate, Callback::sync(move |_| Ok(answer.clone())))
}

#[test]
fn it_denies_without_any_hooks_and_is_not_one_of_them() {
    let host = make_host(Hooks::new());
    let no = dispatch_event(&host, &make_event("evil"));
    assert!(matches!(no.verdict, Verdict::Deny(_)));
    assert_eq!(no.reasons.iter().map(|said| said.hook.as_str()).collect::<Vec<_>>(), ["own-rule"]);
    assert_eq!(no.reports.len(), 1);
    let yes = dispatch_event(&host, &make_event("ls"));
    assert_eq!((yes.verdict, yes.reports.len()), (Verdict::None, 0));
    assert_eq!(host.hooks().count(), 0);
    assert_eq!(host.set_hook_enabled("own-rule", false), 0);
}

#[test]
fn no_allow_outweighs_it_and_a_deny_stands_as_it_is() {
    let allows = Answer { verdict: Verdict::Allow(Reason::new("ok", "yes")), ..Answer::default() };
    let outcome = dispatch_event(&make_host(answering_gate(allows)), &make_event("evil"));
    assert_eq!(outcome.verdict.reason().unwrap().code(), "own-rule");
    let outcome =
        dispatch_event(&make_host(answering_gate(Answer::deny("first", "no"))), &make_event("evil"));
    assert_eq!(outcome.reasons.iter().map(|said| said.hook.as_str()).collect::<Vec<_>>(), ["gate"]);
}

#[test]
fn it_is_asked_about_the_call_as_the_hooks_left_it() {
    let rewrites = |command: &str| {
        let rewrite = Json::parse(&format!("{{\"command\":\"{command}\"}}")).unwrap();
        let answer = Answer { rewrite: Some(Rewrite::Replace(rewrite)), ..Answer::default() };
        let hook = CallbackHook::transform("rewrites", [EventName::ToolBefore]);
        make_host(Hooks::new().callback(hook, Callback::sync(move |_| Ok(answer.clone()))))
    };
    let outcome = dispatch_event(&rewrites("evil"), &make_event("ls"));
    assert!(matches!(outcome.verdict, Verdict::Deny(_)) && outcome.rewrite.is_none());
    assert_eq!(dispatch_event(&rewrites("ls"), &make_event("evil")).verdict, Verdict::None);
}

#[test]
fn who_makes_it_panic_gets_no_call_past_it() {
    let outcome = dispatch_event(&make_host(Hooks::new()), &make_event("panic"));
    let reason = outcome.verdict.reason().unwrap_or_else(|| panic!("{outcome:?}"));
    assert!(reason.text().contains("could not look at this call") && reason.text().contains("it panicked"));
}

/// Adds an untrusted gate that denies everything and counts its calls.
fn untrusted_gate(hooks: Hooks, calls: &Arc<AtomicU32>) -> Hooks {
    let spec = HookSpec::from(CallbackHook::gate("untrusted", [EventName::ToolBefore]));
    let origin = Origin { trust_level: TrustLevel::Untrusted, ..spec.origin.clone() };
    let calls = Arc::clone(calls);
    let denies = Callback::sync(move |_| {
        calls.fetch_add(1, Ordering::Relaxed);
        Ok(Answer::deny("style", "no"))
    });
    hooks.callback(CallbackHook::from(HookSpec { origin, ..spec }), denies)
}

#[test]
fn untrusted_hooks_start_after_the_users_gates_and_the_self_protection() {
    let calls = Arc::new(AtomicU32::new(0));
    let dispatch_command = |command: &str, users: Answer| {
        let hooks = untrusted_gate(Hooks::new(), &calls);
        let gate = CallbackHook::gate("users", [EventName::ToolBefore]);
        let outcome = dispatch_event(
            &make_host(hooks.callback(gate, Callback::sync(move |_| Ok(users.clone())))),
            &make_event(command),
        );
        let reports =
            outcome.reports.iter().map(|report| (report.hook.as_str(), report.status != Status::Skipped));
        let reports = reports.map(|(hook, ran)| format!("{hook} {ran}")).collect::<Vec<_>>().join(", ");
        (outcome.verdict.reason().unwrap().code().to_owned(), reports, calls.load(Ordering::Relaxed))
    };
    let expected = |code: &str, reports: &str, calls| (code.to_owned(), reports.to_owned(), calls);
    let denied = dispatch_command("ls", Answer::deny("users", "no"));
    assert_eq!(denied, expected("users", "users true, plugin hook false", 0));
    let refused = dispatch_command("evil", Answer::default());
    assert_eq!(refused, expected("own-rule", "users true, plugin hook false, own-rule true", 0));
    let passed = dispatch_command("ls", Answer::default());
    assert_eq!(passed, expected("style", "users true, plugin hook true", 1));
}
