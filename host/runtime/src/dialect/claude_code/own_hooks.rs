//! Claude Code's settings.json, its hooks run as Claude Code runs them (hook-contracts A.5, 3.2).

use std::{collections::HashSet, time::Duration};

use hookbox_model::{EventName, OnFailure};
use serde_json::{Map, Value};

use super::{ClaudeCode, contract::ClaudeContract, events, http, matcher};
use crate::{
    ChainEnd, ChainPolicy, Condition, ForeignCall, ForeignSpec, Late, Order, Roles, Stops, Texts,
    VerdictMerge,
    config::{Loaded, Source},
    dialect::{
        Dialect,
        own_hooks::{self, Entry, Group, OwnHooks, Reader},
    },
    handler::{
        contract::Contract,
        shell::{ShellCommand, ShellSpec},
    },
};

impl OwnHooks for ClaudeCode {
    /// All at once on the event as it came. Upstream the rewrite that was ready last wins, which is a race; here it is
    /// the last in order (hook-contracts 3.1, row 4).
    fn policy(&self) -> ChainPolicy {
        ChainPolicy {
            order: Order::Together,
            end: ChainEnd::Never,
            verdicts: |_| VerdictMerge::Strictest,
            rewrites: |_| None,
            carry: |_, _| {},
            rewrite_beside_deny: |event| *event == EventName::ToolAfter,
            texts: Texts::Plain,
            late: Late::Fails,
            roles: Roles::Ignored,
            stops: Stops::AsSaid,
        }
    }

    fn load(&self, source: &Source) -> Loaded {
        self.load_all(std::slice::from_ref(source))
    }

    /// What the last file says about all hooks is what counts.
    fn load_all(&self, sources: &[Source]) -> Loaded {
        let said = sources.iter().rev().find_map(|source| Some((source, all_off(source)?)));
        match said {
            Some((source, true)) => {
                let mut reader = Reader::new(source);
                let files = if sources.len() == 1 { "this file" } else { "these files" };
                reader.warning(&format!("`disableAllHooks` is true: no hook of {files} runs"));
                reader.finish()
            }
            _ => own_hooks::one_after_another(sources.iter().map(read_file)),
        }
    }

    fn contract(&self) -> Option<&'static dyn Contract> {
        Some(&ClaudeContract)
    }

    fn webhooks(&self) -> bool {
        true
    }

    fn differences(&self) -> &'static [&'static str] {
        &[
            "hooks that ran side by side run one after another, and the first deny ends the chain",
            "beside a deny of PostToolUse nothing is rewritten",
        ]
    }
}

/// `disableAllHooks`, if the file says it.
fn all_off(source: &Source) -> Option<bool> {
    let file = Reader::new(source).json()?;
    file.get("disableAllHooks").and_then(Value::as_bool)
}

fn read_file(source: &Source) -> Loaded {
    let mut reader = Reader::new(source);
    if let Some(file) = reader.json() {
        let mut seen = HashSet::new();
        for group in own_hooks::groups(&file, &mut reader, &[]) {
            read_group(&group, &mut reader, &mut seen);
        }
    }
    reader.finish()
}

/// The same handler for the same event and matcher runs once (A.5, 3.2); `seen` holds them.
fn read_group(group: &Group<'_>, reader: &mut Reader<'_>, seen: &mut HashSet<String>) {
    let Some(row) = events::row(group.event) else {
        reader.warning(&format!("`{}`: Claude Code has no event of this name; it is left out", group.place));
        return;
    };
    let when = match matcher::condition(row.name, group.matcher) {
        Ok(when) => when,
        Err(error) => {
            reader.warning(&format!(
                "`{}.matcher` is no regular expression ({error}); it matches nothing",
                group.place
            ));
            return;
        }
    };
    for (place, hook) in &group.hooks {
        let Some(call) = call(place, group.event, hook, reader) else { continue };
        let key = format!("{} {:?} {}", group.event, group.matcher, identity(&call, hook));
        if !seen.insert(key.clone()) {
            continue;
        }
        if hook.contains_key("if") {
            reader.warning(&format!(
                "`{place}.if` is a permission rule, which is not read here: the hook runs without it"
            ));
        }
        let when = match hook.get("if") {
            Some(rule) => Some(narrower(when.clone(), rule)),
            None => when.clone(),
        };
        let spec = ForeignSpec {
            call,
            contract: &ClaudeContract,
            variables: Vec::new(),
            when,
            sequential: false,
            in_role: false,
            written: None,
        };
        let on_failure = match hook.get("onFailure").and_then(Value::as_str) {
            Some("block") => OnFailure::Deny,
            _ => OnFailure::Allow,
        };
        let timeout = timeout(hook, ClaudeCode.patience(&row.canonical));
        let event = (row.name, row.canonical.clone());
        reader.add(place, Entry { name: None, event, timeout, on_failure, spec, key: Some(key) });
    }
}

/// The same events, which are more than the hook is meant for.
fn narrower(when: Option<Condition>, rule: &Value) -> Condition {
    let written = when.as_ref().map_or_else(|| format!("if {rule}"), |when| format!("{when}, if {rule}"));
    Condition::new(&written, move |event| when.as_ref().is_none_or(|when| when.matches(event)))
}

/// What makes a handler the same as another: a server's address, else all that is said of it.
fn identity(call: &ForeignCall, hook: &Map<String, Value>) -> String {
    match call {
        ForeignCall::Webhook(request) => request.url.clone(),
        _ => Value::Object(hook.clone()).to_string(),
    }
}

/// Seconds in the file, milliseconds here.
fn timeout(hook: &Map<String, Value>, otherwise: Duration) -> u64 {
    let said = hook.get("timeout").and_then(Value::as_f64).filter(|seconds| *seconds > 0.0);
    let timeout = said.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(otherwise);
    u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)
}

fn call(place: &str, event: &str, hook: &Map<String, Value>, reader: &mut Reader<'_>) -> Option<ForeignCall> {
    let text = |key: &str| hook.get(key).and_then(Value::as_str).map(str::to_owned);
    match hook.get("type").and_then(Value::as_str) {
        Some("command") => match text("command") {
            Some(command) => Some(shell(command, hook)),
            None => missing(place, "command", reader),
        },
        Some("http") if !http::serves(event) => {
            reader.warning(&format!("`{place}`: Claude Code sends no request at {event}; it is left out"));
            None
        }
        Some("http") => match text("url") {
            Some(url) => Some(ForeignCall::Webhook(http::request(url, hook))),
            None => missing(place, "url", reader),
        },
        Some(kind @ ("mcp_tool" | "prompt" | "agent")) => {
            reader.warning(&format!(
                "`{place}` is a hook of type `{kind}`, which only Claude Code can run; it is left out"
            ));
            None
        }
        _ => {
            reader.warning(&format!("`{place}.type` is not `command` or `http`; it is left out"));
            None
        }
    }
}

fn missing(place: &str, key: &str, reader: &mut Reader<'_>) -> Option<ForeignCall> {
    reader.warning(&format!("`{place}` has no `{key}`; it is left out"));
    None
}

/// With `args` the program is started without a shell.
fn shell(command: String, hook: &Map<String, Value>) -> ForeignCall {
    let command = match hook.get("args").and_then(Value::as_array) {
        Some(args) => {
            let args = args.iter().filter_map(Value::as_str).map(str::to_owned);
            ShellCommand::Argv(std::iter::once(command).chain(args).collect())
        }
        None => ShellCommand::Line(command),
    };
    ForeignCall::Shell(ShellSpec { command, cwd: None, env: Vec::new(), confinement: None })
}
