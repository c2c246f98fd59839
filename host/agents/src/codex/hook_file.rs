//! Codex's hooks.json, or the `[hooks]` table of its config.toml, run as Codex runs them (docs/reference/agents/codex.md).

use std::{collections::HashSet, path::Path};

use hookbox_core::{
    ChainPolicy, Kept, PlainTexts, Target, Texts,
    hook::ShellSpec,
    hookfile::{Loaded, Source},
    interfaces::Contract,
};
use hookbox_model::EventName;
use serde_json::{Map, Value};

use super::{
    Codex,
    contract::CodexContract,
    events,
    facts::{CONFIG_RULES, FILE_RULES},
    matcher,
    switches::CodexSwitches,
};
use crate::{
    agent_hook_file::{self, AgentHookFile, Entry, Group, Keys, Reader},
    file_rules::{CheckedForm, FileRules},
    settings::{Shape, Unit},
};

/// Keys that Codex keeps next to the events: the trust state of hooks.
const NOT_EVENTS: [&str; 1] = ["state"];
const KEYS: Keys = Keys {
    read: &["type", "command", "timeout", "async"],
    idle: &["statusMessage", "command_windows", "commandWindows"],
};
/// Files that identify a plugin's folder.
const PLUGIN: [&str; 2] = [".codex-plugin", ".claude-plugin"];
/// Variables with the plugin's folder, for its hooks.
const ROOT: [&str; 2] = ["PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"];
/// Seconds.
const DEFAULT_TIMEOUT: u64 = 600;

impl AgentHookFile for Codex {
    /// Runs all hooks concurrently on the event as received. In Codex the rewrite that was ready last wins, which is a race; here the last
    /// in order wins, so that equal answers give equal outcomes.
    fn policy(&self) -> ChainPolicy {
        ChainPolicy {
            // Where an event can be blocked, only the first reason is used; feedback to the model consists of all of them.
            texts: |event| {
                let feedback =
                    matches!(event, EventName::ToolAfter | EventName::AgentStop | EventName::SubagentStop);
                let reasons = if feedback { Kept::Paragraphs } else { Kept::First };
                Texts::Plain(PlainTexts { reasons, ..PlainTexts::LINES })
            },
            ..ChainPolicy::TOGETHER
        }
    }

    fn load(&self, source: &Source) -> Loaded {
        self.load_all(std::slice::from_ref(source))
    }

    fn load_all(&self, sources: &[Source]) -> Loaded {
        let switches = CodexSwitches::from_sources(sources);
        agent_hook_file::one_after_another(sources.iter().map(|source| {
            let mut reader = Reader::new(source);
            let (file, rules) = if is_toml(source) {
                (reader.parse_toml(), &CONFIG_RULES)
            } else {
                (reader.parse_json(), &FILE_RULES)
            };
            if let Some(file) = file {
                let path = source.file.as_deref().map(Path::to_string_lossy).unwrap_or_default();
                read_file(&file, rules, &switches.find_disabled(&path), &mut reader);
            }
            reader.finish()
        }))
    }

    fn contract(&self) -> Option<&'static dyn Contract> {
        Some(&CodexContract)
    }

    fn differences(&self) -> &'static [&'static str] {
        &[
            "hooks that ran side by side run one after another, and the first deny ends the chain",
            "the same hook twice for one event runs once",
        ]
    }
}

pub(super) fn is_toml(source: &Source) -> bool {
    source.file.as_deref().and_then(Path::extension).is_some_and(|extension| extension == "toml")
}

/// Reads a file. A file with an event that Codex does not know is refused as a whole, as in Codex.
fn read_file(file: &Value, rules: &FileRules, off: &HashSet<String>, reader: &mut Reader<'_>) {
    let knows_event = |name: &str| events::find_row(name).is_some();
    let of =
        CheckedForm { shape: Shape::Groups(Unit::Seconds), knows_event: &knows_event, skipped: &NOT_EVENTS };
    if reader.report_discarded(file, ("Codex", rules), of) {
        return;
    }
    let plugin = reader.plugin_root(&PLUGIN);
    for group in agent_hook_file::read_groups(file, reader, &NOT_EVENTS) {
        read_group(&group, (off, plugin.as_deref()), reader);
    }
}

/// Reads the hooks of a group. A hook that is listed twice runs twice.
fn read_group(group: &Group<'_>, (off, plugin): (&HashSet<String>, Option<&str>), reader: &mut Reader<'_>) {
    let Some(row) = events::find_row(group.event) else { return };
    let when = match matcher::parse_condition(row.name, group.matcher) {
        Ok(when) => when,
        Err(error) => {
            reader.report_warning(&format!(
                "`{}.matcher` is not a regular expression ({error}); the group is left out",
                group.place
            ));
            return;
        }
    };
    for (place, hook) in &group.hooks {
        // The state is by place: a hook that moves within the file loses it, as in Codex.
        if off.contains(place) {
            reader.report_warning(&format!("`{place}` is switched off in config.toml; it is left out"));
            continue;
        }
        // Each hook has an entry of its own, without a key: Codex runs equal hooks twice.
        if let Some(command) = read_command(place, hook, reader) {
            let timeout = read_timeout(hook);
            let event = (row.name, row.canonical.clone());
            if plugin.is_none() {
                reader.unset_variables((place, &command), ("Codex", &ROOT), &PLUGIN);
            }
            let variables =
                plugin.iter().flat_map(|root| ROOT.map(|name| (name.to_owned(), (*root).to_owned())));
            let shell = ShellSpec { variables: variables.collect(), ..ShellSpec::from_line(&command) };
            let entry = Entry::new(event, Target::Shell(shell), &CodexContract, timeout);
            reader.add_entry(place, Entry { condition: when.clone(), ..entry });
            reader.report_member_keys(place, hook, &KEYS);
        }
    }
}

fn read_command(place: &str, hook: &Map<String, Value>, reader: &mut Reader<'_>) -> Option<String> {
    let text = |key: &str| hook.get(key).and_then(Value::as_str);
    let command = text("command").filter(|command| !command.trim().is_empty());
    let problem = match (text("type"), command) {
        (Some("command"), Some(_)) if hook.get("async") == Some(&Value::Bool(true)) => {
            "runs concurrently with the agent and decides nothing"
        }
        (Some("command"), Some(command)) => return Some(command.to_owned()),
        (Some("command"), None) => "has no `command`",
        (Some("prompt" | "agent"), _) => "is of a type that only Codex can run",
        _ => "is not of type `command`",
    };
    reader.report_warning(&format!("`{place}` {problem}; it is left out"));
    None
}

/// Seconds in the file, at least one; milliseconds here.
fn read_timeout(hook: &Map<String, Value>) -> u64 {
    let seconds = hook.get("timeout").and_then(Value::as_u64).unwrap_or(DEFAULT_TIMEOUT);
    // Codex raises a timeout of 0 to one second.
    seconds.max(1).saturating_mul(1000)
}

#[cfg(test)]
mod tests {
    use hookbox_model::{Layer, Limit, TrustLevel};

    use super::*;

    fn load_text(file: &str, text: &str) -> Loaded {
        let (file, text) = (Some(file.into()), text.to_owned());
        Codex.load(&Source {
            layer: Layer::Session,
            trust_level: TrustLevel::Own,
            file,
            root: None,
            plugins: hookbox_core::ShippedPlugins::default(),
            text,
        })
    }

    fn list_messages(loaded: &Loaded) -> Vec<String> {
        loaded.problems.iter().map(|problem| problem.message.clone()).collect()
    }

    #[test]
    fn an_event_that_codex_does_not_know_refuses_the_file() {
        let hook = r#"[{"hooks": [{"type": "command", "command": "true"}]}]"#;
        let loaded = load_text("/hooks.json", &format!(r#"{{"hooks": {{"Stop": {hook}, "Surprise": []}}}}"#));
        assert_eq!(
            list_messages(&loaded),
            [
                "`hooks.Surprise` is not a known event of the agent, and Codex loads no hook of such a file: correct it or take it out"
            ]
        );
        assert_eq!(loaded.hooks.len(), 0);
    }

    #[test]
    fn the_extension_determines_whether_it_is_toml() {
        let hook = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = 'true'";
        assert_eq!(load_text("/config.toml", hook).hooks.len(), 1);
        assert!(
            list_messages(&load_text("/hooks.json", hook))
                .concat()
                .starts_with("the file is not acceptable JSON")
        );
        assert!(
            list_messages(&load_text("/config.toml", "{}"))
                .concat()
                .starts_with("the file is not acceptable TOML")
        );
    }

    #[test]
    fn an_error_of_toml_has_its_line_and_column() {
        let text = "a = 1\n[hooks.state.\"C:\\Users\"]\n";
        let message = list_messages(&load_text("/config.toml", text)).concat();
        assert!(message.contains(", at line 2 column "), "{message}");
    }

    #[test]
    fn a_timeout_defaults_to_600_seconds_and_is_at_least_one() {
        let timeout = |configured: &str| {
            let hook = format!(r#"{{"type": "command", "command": "true"{configured}}}"#);
            let loaded =
                load_text("/hooks.json", &format!(r#"{{"hooks": {{"Stop": [{{"hooks": [{hook}]}}]}}}}"#));
            (loaded.hooks.first().unwrap().limits.get(Limit::Timeout), list_messages(&loaded).len())
        };
        assert_eq!(timeout(""), (600_000, 0));
        assert_eq!(timeout(r#", "timeout": 0"#), (1_000, 0));
        assert_eq!(timeout(r#", "timeout": 30"#), (30_000, 0));
        assert_eq!(timeout(r#", "timeout": null"#), (600_000, 0));
    }
}
