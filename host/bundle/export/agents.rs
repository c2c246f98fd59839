//! Files of an agent's plugin: the manifest and the hooks, for each agent.

use std::path::Path;

use hookbox::{
    agents::{self, Dialect, settings},
    model::{EventName, Version},
};
use hookbox_app::bundle::hooks_of;
use serde_json::{Map, Value, json};

use super::{BundleFile, ExportedPlugin, ask_hookbox, version};
use crate::{args::Target, exit::Fault};

/// The program of a bundle that the agent starts.
pub(super) const PROGRAM: &str = "bin/ask-hookbox";
/// Maximum length of a name that every agent accepts.
const MAX_NAME: usize = 64;
/// Common name of several plugins.
const SEVERAL: &str = "hookbox-plugins";
/// Maximum length of a description that every agent accepts, characters.
const MAX_DESCRIPTION: usize = 1000;
/// Folder of the files in a bundle that is not for one agent.
const NEUTRAL: &str = "dev.hookbox/";
/// The schema that a folder by the Agent Plugins specification names.
const SCHEMA: &str = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";

/// The plugin's name, version and description for an agent.
pub(crate) struct Title {
    pub(crate) name: String,
    pub(crate) version: Version,
    pub(crate) description: String,
}

impl Title {
    /// Returns the title of these plugins; `named` overrides the default name.
    pub(crate) fn from_plugins(plugins: &[ExportedPlugin], named: Option<String>) -> Result<Self, Fault> {
        let (name, description) = match plugins {
            [one] => {
                let plugin_description = one.plugin.manifest.description.clone();
                let plugin_description = plugin_description
                    .unwrap_or_else(|| format!("The hooks of {}", one.plugin.manifest.name.as_str()));
                (one.name.clone(), plugin_description)
            }
            several => {
                let called: Vec<_> = several.iter().map(|one| one.name.as_str()).collect();
                (SEVERAL.to_owned(), format!("The hooks of {}", called.join(", ")))
            }
        };
        // A hook's name may have these characters, and an agent's plugin may not.
        let name = named.unwrap_or(name).to_ascii_lowercase().replace(['_', '.'], "-");
        let is_name = |name: &str| {
            (1..=MAX_NAME).contains(&name.len())
                && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
                && !name.starts_with('-')
                && !name.ends_with('-')
                && !name.contains("--")
        };
        if !is_name(&name) {
            return Err(Fault::Usage(format!(
                "`{}` is not a valid name for an agent's plugin; pass --name with at most {MAX_NAME} letters, digits and `-`",
                crate::printer::to_plain_line(&name)
            )));
        }
        // Agents show the description in a terminal.
        let description =
            description.chars().filter(|letter| !letter.is_control()).take(MAX_DESCRIPTION).collect();
        Ok(Self { name, version: version::compute_version(plugins), description })
    }
}

/// Returns the folder of hookbox's own files.
pub(super) fn select_hookbox_folder(target: Target) -> &'static str {
    if target == Target::AgentPlugins { NEUTRAL } else { "" }
}

/// Returns the file that an agent recognizes its plugins by.
pub(crate) fn manifest_of(target: Target) -> &'static str {
    match target {
        Target::ClaudeCode | Target::Archive => ".claude-plugin/plugin.json",
        Target::Codex => ".codex-plugin/plugin.json",
        Target::GeminiCli => "gemini-extension.json",
        Target::Copilot | Target::AgentPlugins => "plugin.json",
        Target::Cursor => ".cursor-plugin/plugin.json",
    }
}

/// Returns the manifests of all other agents: one folder is for one agent.
pub(crate) fn list_other_manifests(target: Target) -> impl Iterator<Item = &'static str> {
    let all = [Target::ClaudeCode, Target::Codex, Target::GeminiCli, Target::Copilot, Target::Cursor];
    all.into_iter().map(manifest_of).filter(move |manifest| *manifest != manifest_of(target))
}

/// Returns the dialect of the entry; `None` for a folder that is not for one agent.
fn select_dialect(target: Target) -> Option<&'static str> {
    match target {
        Target::ClaudeCode | Target::Archive => Some("claude-code"),
        Target::Codex => Some("codex"),
        Target::GeminiCli => Some("gemini-cli"),
        Target::Copilot => Some("copilot"),
        Target::Cursor => Some("cursor"),
        Target::AgentPlugins => None,
    }
}

/// Returns the agent's own files; `hooks` is the text of the bundle's `hooks.toml`.
pub(super) fn build_agent_files(
    target: Target,
    title: &Title,
    hooks: &str,
) -> Result<Vec<BundleFile>, Fault> {
    // Any absolute folder will do: no file is opened.
    let loaded = hooks_of(Path::new("/bundle"), hooks.to_owned());
    if let Some(problem) = loaded.problems.first() {
        return Err(Fault::Failed(format!("the plugins cannot be exported: {}", problem.message)));
    }
    let mut files = vec![make_json_file(manifest_of(target), &build_manifest(target, title))];
    files.extend(build_marketplace(target, title));
    let Some(dialect) = select_dialect(target).and_then(agents::find_dialect) else { return Ok(files) };
    let needed: Vec<_> = loaded.hooks.iter().flat_map(|hook| &hook.events).collect();
    let events = list_needed_events(dialect, &needed);
    if events.is_empty() {
        return Err(Fault::Failed(format!(
            "{} supports none of the events of these plugins",
            dialect.name()
        )));
    }
    files.push(make_json_file(hooks_file(target), &build_entries(target, dialect, title, &events)));
    let script = ask_hookbox::format_script(dialect, title, &events);
    files.push(BundleFile::new(PROGRAM, script).program());
    Ok(files)
}

/// Returns the events of an agent that the plugins are for, of those that hookbox subscribes to.
fn list_needed_events(dialect: &dyn Dialect, needed: &[&EventName]) -> Vec<(&'static str, EventName)> {
    let usual = settings::find_settings(dialect.name()).map(|settings| settings.usual).unwrap_or_default();
    let is_wanted = |(name, event): &(&str, EventName)| usual.contains(name) && needed.contains(&event);
    dialect.events().into_iter().filter(is_wanted).collect()
}

fn make_json_file(path: &str, value: &Value) -> BundleFile {
    BundleFile::new(path, format!("{value:#}\n"))
}

fn build_manifest(target: Target, title: &Title) -> Value {
    let Title { name, version, description } = title;
    let mut manifest = match target {
        Target::AgentPlugins => json!({ "$schema": SCHEMA, "name": name }),
        _ => json!({ "name": name }),
    };
    let more = match target {
        Target::Copilot => json!({ "hooks": "hooks.json" }),
        Target::Cursor => json!({ "hooks": "hooks/hooks.json" }),
        Target::AgentPlugins => {
            json!({ "extensions": { "dev.hookbox": { "hooks": "dev.hookbox/hooks.toml" } } })
        }
        _ => json!({}),
    };
    let about = json!({ "version": version.to_string(), "description": description });
    for value in [about, more] {
        if let (Some(manifest), Value::Object(value)) = (manifest.as_object_mut(), value) {
            manifest.extend(value);
        }
    }
    manifest
}

/// Returns a marketplace with this plugin alone, for agents that install only from one.
fn build_marketplace(target: Target, title: &Title) -> Option<BundleFile> {
    let Title { name, description, .. } = title;
    let own = |source: Value| {
        let plugin = json!({ "name": name, "source": source, "description": description });
        json!({
            "name": format!("{name}-market"),
            "owner": { "name": "hookbox export" },
            "metadata": { "description": description },
            "plugins": [plugin],
        })
    };
    match target {
        Target::ClaudeCode => Some(make_json_file(".claude-plugin/marketplace.json", &own("./".into()))),
        Target::Codex => {
            let source = json!({ "source": "local", "path": "./" });
            Some(make_json_file(".agents/plugins/marketplace.json", &own(source)))
        }
        Target::Copilot => Some(make_json_file(".github/plugin/marketplace.json", &own("./".into()))),
        _ => None,
    }
}

/// Returns the file with the hooks, if the agent has one.
pub(crate) fn hooks_of_agent(target: Target) -> Option<&'static str> {
    select_dialect(target).map(|_| hooks_file(target))
}

/// Returns true if all entries in this file of hooks start hookbox's program. For an unreadable file this is false.
pub(super) fn are_hookbox_entries(text: &[u8]) -> bool {
    fn is_hookbox_entry(value: &Value) -> bool {
        match value {
            Value::Array(values) => values.iter().all(is_hookbox_entry),
            Value::Object(members) => members.iter().all(|(key, value)| match value.as_str() {
                Some(line) if matches!(key.as_str(), "command" | "bash") => line.contains(PROGRAM),
                // Agents have other kinds of hooks, such as prompts, which hookbox never writes.
                Some(kind) if key == "type" => kind == "command",
                _ => is_hookbox_entry(value),
            }),
            _ => true,
        }
    }
    serde_json::from_slice(text).is_ok_and(|value: Value| is_hookbox_entry(&value))
}

fn hooks_file(target: Target) -> &'static str {
    if target == Target::Copilot { "hooks.json" } else { "hooks/hooks.json" }
}

/// Returns one entry for each event. Entries do not change with a release, so agents that ask the user to approve each hook's
/// text ask once.
fn build_entries(
    target: Target,
    dialect: &dyn Dialect,
    title: &Title,
    events: &[(&'static str, EventName)],
) -> Value {
    let entry = |(event, _): &(&'static str, EventName)| {
        let handler = build_handler(target, dialect, title, event);
        let group = match target {
            Target::Copilot | Target::Cursor => handler,
            _ => json!({ "hooks": [handler] }),
        };
        ((*event).to_owned(), json!([group]))
    };
    let hooks: Map<_, _> = events.iter().map(entry).collect();
    match target {
        Target::Copilot | Target::Cursor => json!({ "version": 1, "hooks": hooks }),
        _ => json!({ "hooks": hooks }),
    }
}

fn build_handler(target: Target, dialect: &dyn Dialect, title: &Title, event: &str) -> Value {
    let settings = settings::find_settings(dialect.name());
    // By the frame, an agent refuses the action if the program is missing or killed.
    let frame = settings.map(|settings| settings.line_frame(event)).unwrap_or_default();
    let line = |root: &str| frame.wrap_line(&format!("\"{root}/{PROGRAM}\" {event}"));
    let mut handler = match target {
        // Without a shell, which a project could set variables for. A version without support for `args` starts the program
        // alone.
        Target::ClaudeCode | Target::Archive | Target::AgentPlugins => {
            json!({ "type": "command", "command": format!("${{CLAUDE_PLUGIN_ROOT}}/{PROGRAM}"), "args": [event] })
        }
        Target::Codex => json!({ "type": "command", "command": line("${PLUGIN_ROOT}") }),
        // The agent fills the path in, and a shell reads it.
        Target::GeminiCli => {
            let line = frame.wrap_line(&format!("'${{extensionPath}}/{PROGRAM}' {event}"));
            json!({ "type": "command", "name": "hookbox", "command": line })
        }
        Target::Copilot => json!({
            "type": "command",
            "bash": line("${PLUGIN_ROOT}"),
            "powershell": ask_hookbox::format_powershell(dialect, title, event),
        }),
        Target::Cursor => json!({ "command": line("${CURSOR_PLUGIN_ROOT}") }),
    };
    let member = settings.and_then(|settings| settings.failure_member(event));
    if let (Some((name, value)), Some(members)) = (member, handler.as_object_mut()) {
        members.insert(name.to_owned(), value);
    }
    handler
}
