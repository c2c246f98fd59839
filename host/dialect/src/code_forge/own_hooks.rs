//! Code-Forge's hooks.json, its hooks run as Code-Forge runs them (docs/contracts/code-forge.md).

use std::{path::PathBuf, time::Duration};

use hookbox_model::{Event, OnFailure};
use hookbox_port::{
    ChainEnd, ChainPolicy, Condition, Order, Target,
    hook::ShellSpec,
    hookfile::{Loaded, Source},
    port::Contract,
};

use super::{
    CodeForge,
    contract::ForgeContract,
    events::{EVENTS, ForgeEvent},
    hooks_file::{Hook, HooksFile},
    pattern::Pattern,
};
use crate::own_hooks::{Entry, OwnHooks, Reader};

/// Seconds.
const TIMEOUT: f64 = 10.0;
/// Seconds; what is beyond is brought within.
const TIMEOUTS: (f64, f64) = (0.1, 300.0);

impl OwnHooks for CodeForge {
    fn policy(&self) -> ChainPolicy {
        ChainPolicy { order: Order::InOrderOriginal, end: ChainEnd::Deny, ..ChainPolicy::TOGETHER }
    }

    /// One bad entry drops the whole file.
    fn load(&self, source: &Source) -> Loaded {
        let mut reader = Reader::new(source);
        let Some(file) = reader.any_json() else { return reader.finish() };
        match HooksFile::read(file) {
            Ok(file) => {
                let hooks = file.hooks().iter().enumerate();
                hooks.for_each(|(at, hook)| add(&format!("hooks[{at}]"), hook, &mut reader));
            }
            Err(problem) => {
                reader
                    .warning(&format!("{problem}; Code-Forge then runs no hook of this file, so none runs"));
            }
        }
        reader.finish()
    }

    fn contract(&self) -> Option<&'static dyn Contract> {
        Some(&ForgeContract)
    }

    fn differences(&self) -> &'static [&'static str] {
        &["the reason of a block names the hook by its name, not by its pattern"]
    }
}

/// Once for each event that the pattern may mean, under the pattern as its name.
fn add(place: &str, hook: &Hook, reader: &mut Reader<'_>) {
    reader.unknown_keys(place, hook.entry().other.keys(), &[]);
    if let Err(problem) = Pattern::parse(&hook.entry().event) {
        reader.warning(&format!("`{place}`: {problem}"));
    }
    for row in EVENTS.iter().filter(|row| hook.pattern().may_match(row.name)) {
        let entry = entry(hook, row);
        reader.add(place, entry);
        if let Some(said) = &hook.entry().description {
            reader.described(said);
        }
        if hook.entry().enabled == Some(false) {
            reader.switched_off();
        }
    }
}

fn entry(hook: &Hook, row: &ForgeEvent) -> Entry {
    let (pattern, hook) = (hook.pattern().clone(), hook.entry());
    let tools = pattern.tools(row.name);
    let matches = move |event: &Event| {
        pattern.matches(&event.agent_event, event.tool.as_ref().map(|tool| tool.name.as_str()))
    };
    let folder = hook.working_dir.as_ref().map(|folder| ("FORGE_WORKING_DIR".to_owned(), folder.clone()));
    let variables = folder.into_iter().chain(hook.env.clone().unwrap_or_default()).collect();
    let cwd = hook.working_dir.as_ref().map(PathBuf::from);
    let target = Target::Shell(ShellSpec { cwd, variables, ..ShellSpec::line(&hook.command) });
    Entry {
        name: Some(hook.event.clone()),
        on_failure: OnFailure::Deny,
        condition: Some(Condition::new(&hook.event, matches).says(tools)),
        ..Entry::new((row.name, row.canonical.clone()), target, &ForgeContract, timeout(hook.timeout))
    }
}

/// Seconds in the file, milliseconds here.
fn timeout(seconds: Option<f64>) -> u64 {
    let seconds = seconds.unwrap_or(TIMEOUT).clamp(TIMEOUTS.0, TIMEOUTS.1);
    let timeout = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)
}
