//! Code-Forge's hooks.json, its hooks run as Code-Forge runs them (docs/reference/agents/code-forge.md).

use std::{path::PathBuf, time::Duration};

use hookbox_core::{
    ChainEnd, ChainPolicy, Condition, Order, Target,
    hook::ShellSpec,
    hookfile::{Loaded, Source},
    interfaces::Contract,
};
use hookbox_model::{Event, OnFailure};

use super::{
    CodeForge,
    contract::ForgeContract,
    events::{EVENTS, ForgeEvent},
    hooks_json::{self, BadEntry, Entries, Hook, HooksFile, OnFailure as FailureMeans},
    pattern::Pattern,
};
use crate::agent_hook_file::{AgentHookFile, Entry, Reader};

/// Seconds.
const TIMEOUT: f64 = 10.0;
/// Bounds of a timeout, seconds; other values are clamped.
const TIMEOUTS: (f64, f64) = (0.1, 300.0);

impl AgentHookFile for CodeForge {
    fn policy(&self) -> ChainPolicy {
        // Code-Forge runs each hook on the original event, and no output changes it.
        ChainPolicy { order: Order::InOrderOriginal, end: ChainEnd::Deny, ..ChainPolicy::TOGETHER }
    }

    /// A bad entry is left out, and the others run. It may be the very hook that would have blocked, so what it may be for is blocked,
    /// unless the file says that failures go on.
    fn load(&self, source: &Source) -> Loaded {
        let mut reader = Reader::new(source);
        let Some(file) = reader.any_json() else { return reader.finish() };
        match HooksFile::read_each(file) {
            Ok(Entries { entries, on_failure }) => {
                for (at, entry) in entries.iter().enumerate() {
                    let place = format!("hooks[{at}]");
                    match entry {
                        Ok(hook) => add_hook(&place, hook, on_failure, &mut reader),
                        Err(bad) => add_bad(&place, bad, on_failure, &mut reader),
                    }
                }
            }
            Err(problem) => reader.report_error(&problem.to_string()),
        }
        reader.finish()
    }

    fn contract(&self) -> Option<&'static dyn Contract> {
        Some(select_contract(FailureMeans::Block))
    }

    fn differences(&self) -> &'static [&'static str] {
        &["the reason of a block names the hook by its name, not by its pattern"]
    }
}

/// Adds the hook once for each event that the pattern may mean, with the pattern as its name.
fn add_hook(place: &str, hook: &Hook, on_failure: FailureMeans, reader: &mut Reader<'_>) {
    let on_failure = hook.entry().on_failure.unwrap_or(on_failure);
    reader.report_unknown_keys(place, hook.entry().other.keys(), &[]);
    if let Err(problem) = Pattern::parse(&hook.entry().event) {
        reader.report_warning(&format!("`{place}`: {problem}"));
    }
    let component = match hook.entry().wasm.as_deref().map(|name| reader.find_component(name)).transpose() {
        Ok(component) => component,
        Err(problem) => {
            let bad = BadEntry { event: hook.entry().event.clone(), problem, on_failure: Some(on_failure) };
            return add_bad(place, &bad, on_failure, reader);
        }
    };
    // hookbox's chain is per event, and a pattern may mean several.
    for row in EVENTS.iter().filter(|row| hook.pattern().may_match(row.name)) {
        let mut entry = build_entry(hook, row, on_failure);
        if let Some(component) = &component {
            entry.target = Target::Wasm(component.clone());
        }
        reader.add_entry(place, entry);
        if let Some(description) = &hook.entry().description {
            reader.set_description(description);
        }
        if hook.entry().enabled == Some(false) {
            reader.mark_disabled();
        }
    }
}

/// Adds a hook that fails at each event that the bad entry may be for.
fn add_bad(place: &str, bad: &BadEntry, on_failure: FailureMeans, reader: &mut Reader<'_>) {
    let BadEntry { event, problem, .. } = bad;
    let on_failure = bad.on_failure.unwrap_or(on_failure);
    reader.report_warning(&format!(
        "`{place}`: {problem}; it is left out, and {}",
        describe_consequence(on_failure)
    ));
    let pattern = Pattern::of_a_file(event);
    let message = format!("`{place}` of its file is wrong: {problem}; correct the entry, or take it out");
    let entry = hooks_json::Entry::with_command(event, "");
    for row in EVENTS.iter().filter(|row| pattern.may_match(row.name)) {
        reader.add_entry(place, self::build_entry(&Hook::of_a_file(entry.clone()), row, on_failure));
        reader.mark_unreadable(&message);
    }
}

/// Describes the consequence of a bad entry for the user.
fn describe_consequence(on_failure: FailureMeans) -> &'static str {
    match on_failure {
        FailureMeans::Block => "what it may be for is blocked (`\"on_failure\": \"continue\"` lets it go on)",
        FailureMeans::Continue => "what it may be for goes on",
    }
}

fn select_contract(on_failure: FailureMeans) -> &'static ForgeContract {
    match on_failure {
        FailureMeans::Block => &ForgeContract { goes_on: false },
        FailureMeans::Continue => &ForgeContract { goes_on: true },
    }
}

fn build_entry(hook: &Hook, row: &ForgeEvent, on_failure: FailureMeans) -> Entry {
    let means = match on_failure {
        FailureMeans::Block => OnFailure::Deny,
        FailureMeans::Continue => OnFailure::Allow,
    };
    let (pattern, hook) = (hook.pattern().clone(), hook.entry());
    let tools = pattern.find_tools(row.name);
    let matches = move |event: &Event| {
        pattern.matches(&event.agent_event, event.tool.as_ref().map(|tool| tool.name.as_str()))
    };
    // The variable has to agree with the folder in which the command runs.
    let folder = hook.working_dir.as_ref().map(|folder| ("FORGE_WORKING_DIR".to_owned(), folder.clone()));
    let variables = folder.into_iter().chain(hook.env.clone().unwrap_or_default()).collect();
    let cwd = hook.working_dir.as_ref().map(PathBuf::from);
    let target = Target::Shell(ShellSpec { cwd, variables, ..ShellSpec::from_line(&hook.command) });
    Entry {
        name: Some(hook.event.clone()),
        on_failure: means,
        condition: Some(Condition::new(&hook.event, matches).with_tools(tools)),
        ..Entry::new(
            (row.name, row.canonical.clone()),
            target,
            select_contract(on_failure),
            convert_timeout(hook.timeout),
        )
    }
}

/// Seconds in the file, milliseconds here.
fn convert_timeout(seconds: Option<f64>) -> u64 {
    // The bounds are Code-Forge's own.
    let seconds = seconds.unwrap_or(TIMEOUT).clamp(TIMEOUTS.0, TIMEOUTS.1);
    let timeout = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)
}
