//! Code-Forge's hooks.json, its hooks run as Code-Forge runs them (hook-contracts F, 3.2).

use std::{path::PathBuf, time::Duration};

use hookbox_model::{Event, OnFailure};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{CodeForge, contract::ForgeContract, events::EVENTS, pattern::Pattern};
use crate::{
    ChainEnd, ChainPolicy, Condition, ForeignCall, ForeignSpec, Late, Order, Roles, Texts, VerdictMerge,
    config::{Loaded, Source},
    dialect::own_hooks::{Entry, OwnHooks, Reader},
    handler::shell::{ShellCommand, ShellSpec},
};

/// Seconds.
const TIMEOUT: f64 = 10.0;
/// Seconds; what is beyond is brought within.
const TIMEOUTS: (f64, f64) = (0.1, 300.0);

/// An entry of the file.
#[derive(Deserialize)]
struct Hook {
    event: String,
    command: String,
    timeout: Option<f64>,
    working_dir: Option<String>,
    env: Option<Map<String, Value>>,
    enabled: Option<bool>,
    #[serde(rename = "description")]
    _description: Option<String>,
}

/// An entry that can be run.
struct Registered {
    hook: Hook,
    pattern: Pattern,
    variables: Vec<(String, String)>,
}

impl OwnHooks for CodeForge {
    fn policy(&self) -> ChainPolicy {
        ChainPolicy {
            order: Order::InOrderOriginal,
            end: ChainEnd::Deny,
            verdicts: |_| VerdictMerge::Strictest,
            rewrites: |_| None,
            carry: |_, _| {},
            rewrite_beside_deny: |_| false,
            texts: Texts::Plain,
            late: Late::Fails,
            roles: Roles::Ignored,
        }
    }

    /// One bad entry drops the whole file.
    fn load(&self, source: &Source) -> Loaded {
        let mut reader = Reader::new(source);
        let Some(file) = reader.json() else { return reader.finish() };
        match registered(&file) {
            Ok(hooks) => {
                hooks
                    .iter()
                    .enumerate()
                    .for_each(|(at, hook)| add(&format!("hooks[{at}]"), hook, &mut reader));
            }
            Err(problem) => {
                reader
                    .warning(&format!("{problem}; Code-Forge then runs no hook of this file, so none runs"));
            }
        }
        reader.finish()
    }
}

fn registered(file: &Value) -> Result<Vec<Registered>, String> {
    let hooks = match file.get("hooks") {
        None if file.is_object() => return Ok(Vec::new()),
        None => return Err("the file is not an object".to_owned()),
        Some(hooks) => hooks.as_array().ok_or("`hooks` is not an array")?,
    };
    let read = |(at, hook)| entry(hook).map_err(|problem| format!("`hooks[{at}]`: {problem}"));
    hooks.iter().enumerate().map(read).collect()
}

fn entry(hook: &Value) -> Result<Registered, String> {
    let hook = Hook::deserialize(hook).map_err(|error| error.to_string())?;
    let pattern = Pattern::parse(&hook.event).map_err(|error| error.to_string())?;
    let variable = |(name, value): (&String, &Value)| match value.as_str() {
        Some(value) => Ok((name.clone(), value.to_owned())),
        None => Err(format!("`env.{name}` is not a string")),
    };
    let variables = hook.env.iter().flatten().map(variable).collect::<Result<_, _>>()?;
    Ok(Registered { hook, pattern, variables })
}

/// Once for each event that the pattern may mean, under the pattern as its name.
fn add(place: &str, registered: &Registered, reader: &mut Reader<'_>) {
    let Registered { hook, pattern, .. } = registered;
    if hook.enabled == Some(false) {
        return;
    }
    for row in EVENTS.iter().filter(|row| pattern.may_match(row.name)) {
        let entry = Entry {
            name: Some(hook.event.clone()),
            event: row.canonical.clone(),
            timeout: timeout(hook),
            on_failure: OnFailure::Deny,
            spec: spec(registered),
        };
        reader.add(place, entry);
    }
}

fn spec(registered: &Registered) -> ForeignSpec {
    let Registered { hook, pattern, variables } = registered;
    let pattern = pattern.clone();
    let matches = move |event: &Event| {
        pattern.matches(&event.agent_event, event.tool.as_ref().map(|tool| tool.name.as_str()))
    };
    let folder = hook.working_dir.as_ref().map(|folder| ("FORGE_WORKING_DIR".to_owned(), folder.clone()));
    ForeignSpec {
        call: ForeignCall::Shell(ShellSpec {
            command: ShellCommand::Line(hook.command.clone()),
            cwd: hook.working_dir.as_ref().map(PathBuf::from),
            env: Vec::new(),
        }),
        contract: &ForgeContract,
        variables: folder.into_iter().chain(variables.iter().cloned()).collect(),
        when: Some(Condition::new(&hook.event, matches)),
        sequential: false,
    }
}

/// Seconds in the file, milliseconds here.
fn timeout(hook: &Hook) -> u64 {
    let seconds = hook.timeout.unwrap_or(TIMEOUT).clamp(TIMEOUTS.0, TIMEOUTS.1);
    let timeout = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)
}
