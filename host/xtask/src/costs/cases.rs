//! The measured paths, as data.

/// One measured path: an event, the hooks that see it, and the answer that shows that the path was taken.
pub(super) struct Case {
    /// The name in the table.
    pub(super) name: &'static str,
    /// The configuration.
    pub(super) hooks: Hooks,
    pub(super) agent: &'static str,
    pub(super) event: Event,
    /// The command that takes the place of the event's command.
    pub(super) command: &'static str,
    pub(super) way: Way,
    /// A part of the answer.
    pub(super) answer: &'static str,
}

/// The configuration of a path.
#[derive(Clone, Copy)]
pub(super) enum Hooks {
    /// A configuration text; `[PLUGINS]` is the folder of the plugins.
    Text(&'static str),
    /// Hooks of several kinds, none of which matches the event.
    Unrelated(usize),
}

/// The text of an event; `/home/dev` is the home folder and `[COMMAND]` the command.
#[derive(Clone, Copy)]
pub(super) enum Event {
    /// A recorded event, in `tests/data/events`, and the command in it.
    Recorded(&'static str, &'static str),
    /// An event of an agent without a recording.
    Text(&'static str),
}

/// Method of measuring a path.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// `hookbox run`, a process for the event.
    Cold,
    /// A later call in one process, of an event of so many bytes.
    Warm(usize),
}

const FIND_TEXT: &str = r#"
[[hook]]
name = "find-text"
on = "tool.before"
wasm = { path = "[PLUGINS]/find-text.wasm" }
config = { deny = ["make release"] }
"#;

const ONE_GUARD: &str = r#"
[[hook]]
name = "guard-shell"
on = "tool.before"
tool = { class = ["shell", "mcp"] }
wasm = { path = "[PLUGINS]/guard-shell.wasm" }
"#;

/// All plugins that a path needs.
pub(super) const ALL: &str = r#"
[[hook]]
name = "find-text"
on = "tool.before"
wasm = { path = "[PLUGINS]/find-text.wasm" }
config = { deny = ["make release"] }

[[hook]]
name = "guard-shell"
on = "tool.before"
wasm = { path = "[PLUGINS]/guard-shell.wasm" }

[[hook]]
name = "guard-paths"
on = "tool.before"
wasm = { path = "[PLUGINS]/guard-paths.wasm" }
"#;

const BOTH_GUARDS: &str = r#"
[[hook]]
name = "guard-shell"
on = "tool.before"
tool = { class = ["shell", "mcp"] }
wasm = { path = "[PLUGINS]/guard-shell.wasm" }

[[hook]]
name = "guard-paths"
on = "tool.before"
tool = { class = ["file-read", "file-write", "search", "shell", "mcp"] }
wasm = { path = "[PLUGINS]/guard-paths.wasm" }
"#;

const SHELL: &str = r#"
[[hook]]
name = "shell"
on = "tool.before"
shell = { command = "cat >/dev/null" }
"#;

const BASH: Event = Event::Recorded("claude-code/02-PreToolUse-Bash.json", "ls -la");

/// Harmless, and not trivial for a guard.
const ALLOWED: &str = "cargo build --release 2>&1 | tail -n 20";
/// The guard of shells denies it, and hookbox itself does not.
const DENIED: &str = "git push --force origin main";
/// `find-text` denies it.
const FOUND: &str = "make release";

const fn create_cold_case(
    name: &'static str,
    hooks: Hooks,
    command: &'static str,
    answer: &'static str,
) -> Case {
    Case { name, hooks, agent: "claude-code", event: BASH, command, way: Way::Cold, answer }
}

const fn create_warm_case(name: &'static str, bytes: usize) -> Case {
    let hooks = Hooks::Text(FIND_TEXT);
    let way = Way::Warm(bytes);
    Case { name, hooks, agent: "claude-code", event: BASH, command: ALLOWED, way, answer: "\"answered\"" }
}

/// Returns the case of an event of this agent that find-text denies.
const fn create_dialect_case(name: &'static str, agent: &'static str, event: Event) -> Case {
    let hooks = Hooks::Text(FIND_TEXT);
    Case { name, hooks, agent, event, command: FOUND, way: Way::Cold, answer: FOUND }
}

/// All measured paths.
pub(super) static CASES: [Case; 20] = [
    create_cold_case("cold-without-hooks", Hooks::Text("# No hooks.\n"), ALLOWED, ""),
    create_cold_case("cold-find-text-allowed", Hooks::Text(FIND_TEXT), ALLOWED, ""),
    create_cold_case("cold-find-text-denied", Hooks::Text(FIND_TEXT), FOUND, "deny"),
    create_cold_case("cold-one-guard-allowed", Hooks::Text(ONE_GUARD), ALLOWED, ""),
    create_cold_case("cold-one-guard-denied", Hooks::Text(ONE_GUARD), DENIED, "deny"),
    create_cold_case("cold-both-guards-allowed", Hooks::Text(BOTH_GUARDS), ALLOWED, ""),
    create_cold_case("cold-both-guards-denied", Hooks::Text(BOTH_GUARDS), DENIED, "deny"),
    create_cold_case("cold-shell-hook", Hooks::Text(SHELL), ALLOWED, ""),
    create_cold_case("cold-100-unrelated-hooks", Hooks::Unrelated(100), ALLOWED, ""),
    create_warm_case("warm-1-KiB", 1 << 10),
    create_warm_case("warm-64-KiB", 64 << 10),
    create_dialect_case(
        "dialect-codex",
        "codex",
        Event::Recorded("codex/04-PreToolUse-Bash.json", "echo hi > notes.txt"),
    ),
    create_dialect_case(
        "dialect-gemini-cli",
        "gemini-cli",
        Event::Recorded(
            "gemini-cli/18-BeforeTool-run_shell_command-blocked.json",
            "rm -rf / --no-preserve-root",
        ),
    ),
    create_dialect_case(
        "dialect-copilot",
        "copilot",
        Event::Recorded("copilot/05-PreToolUse-Bash-blocked.json", "rm -rf /"),
    ),
    create_dialect_case(
        "dialect-opencode",
        "opencode",
        Event::Recorded("opencode/02-tool.execute.before-bash-blocked.json", "rm -rf /home/dev/project"),
    ),
    create_dialect_case(
        "dialect-cline",
        "cline",
        Event::Recorded("cline/03-tool_call-run_commands-blocked.json", "rm -rf /"),
    ),
    create_dialect_case(
        "dialect-cursor",
        "cursor",
        Event::Text(
            r#"{"conversation_id":"c","generation_id":"g","model":"m","hook_event_name":"beforeShellExecution","cursor_version":"2.0","workspace_roots":["/home/dev/project"],"user_email":null,"transcript_path":null,"command":"[COMMAND]","cwd":"/home/dev/project"}"#,
        ),
    ),
    create_dialect_case(
        "dialect-llxprt",
        "llxprt",
        Event::Text(
            r#"{"session_id":"s","transcript_path":"/home/dev/.llxprt/x.jsonl","cwd":"/home/dev/project","hook_event_name":"BeforeTool","timestamp":"2026-11-21T20:53:55.314Z","tool_name":"run_shell_command","tool_input":{"command":"[COMMAND]"}}"#,
        ),
    ),
    create_dialect_case(
        "dialect-cocode",
        "cocode",
        Event::Text(
            r#"{"event":"PreToolUse","session_id":"s","cwd":"/home/dev/project","env":{},"tool_name":"Bash","tool_input":{"command":"[COMMAND]"}}"#,
        ),
    ),
    create_dialect_case(
        "dialect-code-forge",
        "code-forge",
        Event::Text(
            r#"{"type":"tool:pre_execute","timestamp":1.0,"tool_name":"bash","session_id":"s","data":{"tool_name":"bash","tool_args":{"command":"[COMMAND]"}}}"#,
        ),
    ),
];

impl Hooks {
    /// Returns the text of the configuration.
    pub(super) fn format_text(self, plugins: &str) -> String {
        match self {
            Self::Text(text) => text.replace("[PLUGINS]", plugins),
            Self::Unrelated(number) => (0..number).map(|at| format_unrelated_hook(at, plugins)).collect(),
        }
    }
}

/// Returns a hook for other tools and events than the measured one.
fn format_unrelated_hook(number: usize, plugins: &str) -> String {
    let hook = match number % 3 {
        // Of the same event, so that hookbox has to compare the tool as well.
        0 => format!(
            "on = \"tool.before\"\ntool = {{ class = \"file-write\", glob = \"tool_{number}_*\" }}\n\
             wasm = {{ path = \"{plugins}/find-text.wasm\" }}\nconfig = {{ deny = [\"text {number}\"] }}\n"
        ),
        1 => format!(
            "on = [\"session.start\", \"session.end\"]\nrole = \"observe\"\nshell = {{ command = \"echo {number} >>log\" }}\n"
        ),
        _ => format!("on = \"agent.stop\"\nwebhook = {{ url = \"http://127.0.0.1:9/{number}\" }}\n"),
    };
    format!("[[hook]]\nname = \"unrelated-{number}\"\n{hook}\n")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_path_has_a_name_of_its_own_that_is_one_word() {
        let names: HashSet<_> = CASES.iter().map(|case| case.name).collect();
        assert_eq!(names.len(), CASES.len());
        assert!(names.iter().all(|name| !name.contains(char::is_whitespace)), "{names:?}");
    }
}
