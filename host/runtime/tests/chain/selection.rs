//! Selection and order of the hooks for an event.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use hookbox::{
    Condition, HookSpec, Host, Origin, ToolMatcher,
    model::{EventName, Layer, ToolClass},
};
use regex::bytes::Regex;
use wildmatch::WildMatch;

use super::bed::*;

fn select_names(host: &Host, of: &str, class: ToolClass) -> Vec<String> {
    let mut event = shell_event();
    let tool = event.tool.as_mut().unwrap();
    (tool.name, tool.class) = (of.to_owned(), class);
    host.plan(&event).hooks().map(|hook| hook.spec.name.clone()).collect()
}

fn for_tool(name: &str, tool: ToolMatcher) -> HookSpec {
    HookSpec { tool: Some(tool), ..make_gate(name) }
}

fn matcher_host() -> Host {
    let none = ToolMatcher::default;
    Chain::new()
        .add_answer(make_gate("any"), empty_answer())
        .add_answer(
            for_tool("named", ToolMatcher { names: vec!["Bash".into(), "Edit".into()], ..none() }),
            empty_answer(),
        )
        .add_answer(
            for_tool("class", ToolMatcher { classes: vec![ToolClass::Shell], ..none() }),
            empty_answer(),
        )
        .add_answer(
            for_tool("glob", ToolMatcher { glob: Some(WildMatch::new("B*")), ..none() }),
            empty_answer(),
        )
        .add_answer(
            for_tool("regex", ToolMatcher { regex: Some(Regex::new("^(?:Ba.*)$").unwrap()), ..none() }),
            empty_answer(),
        )
        .host()
}

#[test]
fn a_hook_is_for_the_tools_that_its_matcher_means() {
    let host = matcher_host();
    assert_eq!(select_names(&host, "Bash", ToolClass::Shell), ["any", "named", "class", "glob", "regex"]);
    assert_eq!(select_names(&host, "Edit", ToolClass::FileWrite), ["any", "named"]);
    assert_eq!(select_names(&host, "Borrow", ToolClass::Other), ["any", "glob"]);
    assert_eq!(select_names(&host, "bash", ToolClass::Shell), ["any", "class"]);
}

/// The selection for a tool is cached; a tool with one name may be of different classes in different agents.
#[test]
fn what_is_remembered_of_a_tool_is_remembered_for_its_class_too() {
    let host = matcher_host();
    for _ in 0..2 {
        assert_eq!(select_names(&host, "run", ToolClass::Shell), ["any", "class"]);
        assert_eq!(select_names(&host, "run", ToolClass::Other), ["any"]);
    }
}

#[test]
fn tools_without_end_are_all_matched_rightly() {
    let host = matcher_host();
    for at in 0..3000 {
        assert_eq!(select_names(&host, &format!("B{at}"), ToolClass::Other), ["any", "glob"]);
    }
}

/// The number of hooks that are looked at, in place of a time.
#[test]
fn neither_a_registration_nor_a_lookup_looks_at_hooks_of_other_events() {
    let looked_at = Arc::new(AtomicUsize::new(0));
    let counted = |name: &str, event: EventName| {
        let count = Arc::clone(&looked_at);
        let condition = Condition::new("counted", move |_| {
            count.fetch_add(1, Ordering::Relaxed);
            true
        });
        on_event(event, HookSpec { condition: Some(condition), ..make_gate(name) })
    };
    let others = (0..1000).map(|at| counted(&format!("other {at}"), EventName::PromptSubmit));
    let chain = others.fold(Chain::new(), |chain, spec| chain.add_answer(spec, empty_answer()));
    let host = chain.add_answer(counted("wanted", EventName::ToolBefore), empty_answer()).host();
    assert_eq!(looked_at.load(Ordering::Relaxed), 0);
    assert_eq!(select_names(&host, "Bash", ToolClass::Shell), ["wanted"]);
    assert_eq!(looked_at.load(Ordering::Relaxed), 1);
}

#[test]
fn every_part_of_a_matcher_must_match() {
    let both =
        ToolMatcher { names: vec!["Bash".into()], classes: vec![ToolClass::Web], ..Default::default() };
    let host = Chain::new().add_answer(for_tool("both", both), empty_answer()).host();
    assert!(select_names(&host, "Bash", ToolClass::Shell).is_empty());
    assert_eq!(select_names(&host, "Bash", ToolClass::Web), ["both"]);
}

#[test]
fn a_hook_for_tools_is_not_for_an_event_without_one() {
    let spec = for_tool("h", ToolMatcher { glob: Some(WildMatch::new("*")), ..Default::default() });
    let host = Chain::new().add_answer(on_event(EventName::PromptSubmit, spec), empty_answer()).host();
    assert_eq!(host.plan(&make_event(EventName::PromptSubmit, None)).hooks().count(), 0);
    assert_eq!(host.plan(&make_event(EventName::PromptSubmit, Some("ls"))).hooks().count(), 1);
}

#[test]
fn a_hook_that_names_a_tool_twice_is_called_once() {
    let twice = ToolMatcher { names: vec!["Bash".into(), "Bash".into()], ..Default::default() };
    let host = Chain::new().add_answer(for_tool("h", twice), empty_answer()).host();
    assert_eq!(select_names(&host, "Bash", ToolClass::Shell), ["h"]);
}

#[test]
fn higher_priority_comes_first_then_the_administrators_layer_then_the_place() {
    let standing = |name: &str, priority, layer| {
        let spec = make_gate(name);
        HookSpec { priority, origin: Origin { layer, ..spec.origin.clone() }, ..spec }
    };
    let host = Chain::new()
        .add_answer(standing("session", 0, Layer::Session), empty_answer())
        .add_answer(standing("user 1", 0, Layer::User), empty_answer())
        .add_answer(standing("managed", 0, Layer::Managed), empty_answer())
        .add_answer(standing("user 2", 0, Layer::User), empty_answer())
        .add_answer(standing("low", -1, Layer::Managed), empty_answer())
        .add_answer(standing("high", 1, Layer::Session), empty_answer())
        .host();
    let order = select_names(&host, "Bash", ToolClass::Shell);
    assert_eq!(order, ["high", "managed", "user 1", "user 2", "session", "low"]);
}

#[test]
fn a_hook_that_is_switched_off_is_not_called_until_it_is_on_again() {
    let host = Chain::new().add_answer(make_gate("g"), deny_with("no")).host();
    assert_eq!(host.set_hook_enabled("g", false), 1);
    assert_eq!(dispatch_event(&host, shell_event()).verdict.as_str(), "none");
    assert_eq!(host.set_hook_enabled("g", true), 1);
    assert_eq!(dispatch_event(&host, shell_event()).verdict.as_str(), "deny");
    assert_eq!(host.set_hook_enabled("other", false), 0);
}

#[test]
fn an_administrators_hook_stays_enabled_when_its_name_is_disabled() {
    let managed = make_gate("g");
    let managed = HookSpec { origin: Origin { layer: Layer::Managed, ..managed.origin.clone() }, ..managed };
    let host = Chain::new()
        .add_answer(managed, deny_with("theirs"))
        .add_answer(make_gate("g"), deny_with("ours"))
        .host();
    assert_eq!(host.set_hook_enabled("g", false), 1);
    let on: Vec<_> = host.hooks().map(|hook| (hook.spec.origin.layer, hook.enabled)).collect();
    assert_eq!(on, [(Layer::Managed, true), (make_gate("g").origin.layer, false)]);
    let outcome = dispatch_event(&host, shell_event());
    assert_eq!(outcome.reasons.iter().map(|said| said.value.text()).collect::<Vec<_>>(), ["theirs"]);
    assert_eq!(host.set_hook_enabled("g", true), 2);
}

#[test]
fn a_hook_that_runs_once_has_one_turn_and_a_later_host_knows_of_it() {
    let once = || HookSpec { once: true, ..make_gate("g") };
    let host = Chain::new().add_answer(once(), deny_with("no")).host();
    assert_eq!(dispatch_event(&host, shell_event()).verdict.as_str(), "deny");
    assert_eq!(dispatch_event(&host, shell_event()).reports, []);
    let counts = host.machine().counts();
    let later =
        Chain::new().add_answer(once(), deny_with("no")).configure_with(|host| host.counts(counts)).host();
    assert_eq!(dispatch_event(&later, shell_event()).reports, []);
}
