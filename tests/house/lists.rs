//! Second lists against the first: events, agents and languages. Code that lacks a member of a second list passes it over without an error.

use std::{fs, path::Path};

use hookbox::{
    agents::{self, settings::Base},
    model::{EventMoment, EventName},
};

/// Programs of agents that `rules/agent.rs` of `shell-commands` does not list, with the reason.
const UNGUARDED_PROGRAMS: [(&str, &str); 2] =
    [("cursor", "an editor; the program of the agent is cursor-agent"), ("windsurf", "an editor")];
/// Agents that no program identifies, with the reason.
const WITHOUT_PROGRAM: [(&str, &str); 4] = [
    ("code-forge", "forge is the name of other programs, too; the rule lists it"),
    ("run-claude", "hookbox calls its functions, and commands do not start it"),
    ("litellm", "a proxy, which has no command line for a session"),
    ("native", "any program"),
];
/// Agents without a settings file at a usual place, with the reason.
const WITHOUT_FILE: [(&str, &str); 4] = [
    ("cline", "a folder with a program for each event: `Documents/Cline/Hooks` is in the list"),
    (
        "amazon-q",
        "a file for each of the agents that the user defines: both of their folders are in the list",
    ),
    ("litellm", "the user names the file of the proxy"),
    ("native", "any program"),
];
/// Agents without a session in `cargo xtask clients`, with the reason.
const WITHOUT_SESSION: [(&str, &str); 3] = [
    ("run-claude", "the conformance cases call functions with its contexts"),
    ("litellm", "`cargo xtask packages` tests the proxy's class"),
    ("native", "any program"),
];

fn read_text(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Returns the texts in the value of a constant, which is a list.
fn read_list(path: &str, constant: &str) -> Vec<String> {
    let source = read_text(path);
    let (_, rest) = source.split_once(&format!("const {constant}: ")).unwrap();
    let (value, _) = rest.split_once("];").unwrap();
    value.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

fn list_agents() -> impl Iterator<Item = &'static str> {
    agents::all_dialects().iter().map(|dialect| dialect.name())
}

#[test]
fn every_plugin_that_judges_calls_is_for_every_event_before_a_call() {
    let before = EventName::KNOWN.iter().filter(|event| event.traits().moment == EventMoment::PendingCall);
    let before: Vec<_> = before.map(EventName::as_str).collect();
    for plugin in ["guard-paths", "guard-shell", "shell-facts"] {
        let table = read_text(&format!("plugins/{plugin}/plugin.toml")).parse::<toml::Table>().unwrap();
        let events = table["events"].as_array().unwrap().iter();
        let events: Vec<_> = events.map(|event| event.as_str().unwrap()).collect();
        assert_eq!(events, before, "{plugin}");
    }
}

/// `Service::events` names `tool.before` for self-protection, and no other event before a call.
#[test]
fn every_agent_with_an_event_before_a_call_has_tool_before() {
    for dialect in agents::all_dialects() {
        let events = dialect.events();
        let judges_calls = events.iter().any(|(_, event)| event.traits().moment == EventMoment::PendingCall);
        let has_tool_before = events.iter().any(|(_, event)| *event == EventName::ToolBefore);
        assert!(!judges_calls || has_tool_before, "{}", dialect.name());
    }
}

#[test]
fn the_guards_know_the_program_of_every_agent() {
    let known = read_list("plugins/lib/shell-commands/src/rules/agent.rs", "AGENTS");
    let programs = list_agents().flat_map(|agent| agents::find_signs(agent).programs).copied();
    let unknown: Vec<_> = programs.filter(|program| !known.iter().any(|name| name == program)).collect();
    assert_eq!(unknown, UNGUARDED_PROGRAMS.map(|(program, _)| program));
    let without: Vec<_> =
        list_agents().filter(|agent| agents::find_signs(agent).programs.is_empty()).collect();
    assert_eq!(without, WITHOUT_PROGRAM.map(|(agent, _)| agent));
}

#[test]
fn tests_are_watched_at_the_settings_of_every_agent() {
    let watched = read_list("host/xtask/src/leftovers.rs", "IN_HOME");
    let mut without = Vec::new();
    for agent in list_agents() {
        let Some(usual) = agents::usual_files(agent) else {
            without.push(agent);
            continue;
        };
        let base = match usual.user.base {
            Base::Home | Base::HomeOr(_) => "",
            Base::Config => ".config/",
        };
        let file = format!("{base}{}/{}", usual.user.path, usual.file);
        let is_watched = watched.iter().any(|place| Path::new(&file).starts_with(place));
        assert!(is_watched, "host/xtask/src/leftovers.rs lacks {file} of {agent}");
    }
    assert_eq!(without, WITHOUT_FILE.map(|(agent, _)| agent));
}

#[test]
fn every_agent_is_a_client_or_has_a_reason_against_it() {
    let clients = read_text("host/xtask/clients/src/client.rs");
    let is_client = |agent: &str| {
        let names = [format!("agent: \"{agent}\","), format!("\n    (\"{agent}\", ")];
        names.iter().any(|name| clients.contains(name))
    };
    let unknown: Vec<_> = list_agents().filter(|agent| !is_client(agent)).collect();
    assert_eq!(unknown, WITHOUT_SESSION.map(|(agent, _)| agent));
}

#[test]
fn every_language_is_in_the_help_in_the_guide_and_in_the_benchmark() {
    let languages = read_list("host/manifest/src/plugin_toml/build.rs", "LANGUAGES");
    let help = format!("/// Language: {}\n", languages.join(", "));
    assert!(read_text("host/author/args.rs").contains(&help), "host/author/args.rs lacks {help}");
    let (guide, benchmark) = (read_text("docs/guide/authoring.md"), read_text("benches/languages.rs"));
    for language in &languages {
        let is_row = |line: &&str| line.starts_with("| ") && line.contains(&format!("`{language}`"));
        let rows = guide.lines().filter(is_row).count();
        assert!(rows >= 2, "a table of docs/guide/authoring.md lacks {language}");
        assert!(benchmark.contains(&format!("\"{language}\"")), "benches/languages.rs lacks {language}");
    }
}
