//! Table of all keys of the file (those of `confine` and `grant` are in [`confine`](super::confine) and
//! [`grant`](super::grant)). The reader checks against this table, and the JSON Schema is generated from it.

mod handlers;

use hookbox_model::{Limit, OnFailure, Role, ToolClass};

pub(super) use super::key::{Key, Kind, Shape};
use super::key::{limit_key, optional_key, required_key};

use self::handlers::{PYTHON, SHELL, WASM, WEBHOOK};
use super::{
    confine::CONFINE,
    grant::GRANT,
    projects::{PROJECT, PROJECTS},
};

/// Longest name of a hook, characters.
pub(super) const MAX_NAME_CHARS: usize = 64;

fn list_roles() -> Vec<&'static str> {
    Role::ALL.map(Role::as_str).to_vec()
}

fn list_failure_policies() -> Vec<&'static str> {
    OnFailure::ALL.map(OnFailure::as_str).to_vec()
}

fn list_tool_classes() -> Vec<&'static str> {
    ToolClass::ALL.map(ToolClass::as_str).to_vec()
}

pub(super) const FILE: Shape = Shape {
    name: "the file",
    keys: &[
        optional_key(
            "version",
            Kind::Integer(1, 1),
            "version = 1",
            "The version of this format. 1, the default.",
        ),
        optional_key(
            "hook",
            Kind::Entries(&HOOK),
            "[[hook]]",
            "One rule: for which events, what to call, with what limits.",
        ),
        optional_key(
            "projects",
            Kind::Table(&PROJECTS),
            "[projects]",
            "Hooks that projects bring, all of them; without effect in an untrusted file.",
        ),
        optional_key(
            "project",
            Kind::Entries(&PROJECT),
            "[[project]]",
            "Hooks that one project brings; without effect in an untrusted file.",
        ),
        optional_key(
            "confine",
            Kind::Map(&Kind::Table(&CONFINE)),
            "[confine.tests]",
            "Profiles for `hookbox confine`, by name; without effect in a project's file.",
        ),
        optional_key(
            "log",
            Kind::Flag,
            "log = false",
            "`false`: nothing is kept of what hooks say and decide (`hookbox log`). Default: `true`; without effect in an \
             untrusted file.",
        ),
    ],
    one_of: &[],
    may_be_empty: true,
};

/// Keys that each name a kind of handler.
pub(super) const HANDLERS: &[&str] = &["wasm", "shell", "webhook", "python"];

/// One `[[hook]]`.
pub(super) const HOOK: Shape = Shape {
    name: "the hook",
    keys: &[
        required_key(
            "name",
            Kind::Name,
            "name = \"guard-shell\"",
            "The hook's name in reports and commands: 1 to 64 letters, digits, `.`, `_` and `-`. Unique in the file.",
        ),
        required_key(
            "on",
            Kind::OneOrMore(&Kind::Event),
            "on = \"tool.before\"",
            "The events that it is for, one or a list: a canonical name (`tool.before`), a pattern of canonical names \
             with `*` and `?` (`tool.*`, `*`), an agent's own name (`PreToolUse`, `claude-code:PreToolUse`, \
             `claude-code:*`), or `custom:name` for an event that no table knows.",
        ),
        optional_key(
            "tool",
            Kind::Table(&TOOL),
            "tool = { class = \"shell\" }",
            "The tools that it is for. Every part that is given must match. Default: any tool.",
        ),
        optional_key(
            "role",
            Kind::Word(list_roles),
            "role = \"gate\"",
            "`transform` may rewrite the event, `gate` may deny, ask or allow, `observe` has no effect on the outcome. \
             Default: `gate`, or `observe` if none of its events can be blocked or takes text for the model.",
        ),
        optional_key(
            "priority",
            Kind::Integer(-1000, 1000),
            "priority = 10",
            "Higher runs earlier among the hooks of the same role. Default: 0.",
        ),
        optional_key(
            "timeout",
            Kind::Duration(Limit::Timeout),
            "timeout = \"250ms\"",
            "How long one call may take, with its unit: `250ms`, `10s`, `1m 30s`.",
        ),
        optional_key(
            "on-failure",
            Kind::Word(list_failure_policies),
            "on-failure = \"deny\"",
            "What it means when the hook gives no answer. Default: `deny` if the event can be blocked; without \
             effect for observers, for events that cannot be blocked and in untrusted files.",
        ),
        optional_key(
            "once",
            Kind::Flag,
            "once = true",
            "`true`: called once in a session of its agent, and not again. Defaults to `false`.",
        ),
        optional_key(
            "enabled",
            Kind::Flag,
            "enabled = false",
            "`false` takes the hook out of every chain. Default: `true`.",
        ),
        optional_key(
            "config",
            Kind::Free,
            "config = { deny = [\"rm-root\"] }",
            "The hook's own settings, handed to it as a JSON object. Dates become strings.",
        ),
        optional_key(
            "limits",
            Kind::Table(&LIMITS),
            "limits = { memory = \"64MiB\" }",
            "What one call may use. Each limit has a default, a minimum and a maximum; there is no \"unlimited\".",
        ),
        optional_key(
            "grant",
            Kind::Table(&GRANT),
            "grant = { clock = true }",
            "What a wasm hook may do beyond answering. Default: nothing.",
        ),
        optional_key(
            "wasm",
            Kind::Table(&WASM),
            "wasm = { plugin = \"guard-shell\" }",
            "Handler: a WebAssembly component in the sandbox.",
        ),
        optional_key(
            "shell",
            Kind::Table(&SHELL),
            "shell = { command = \"./check\" }",
            "Handler: a child process.",
        ),
        optional_key(
            "webhook",
            Kind::Table(&WEBHOOK),
            "webhook = { url = \"https://hooks.example/agent\" }",
            "Handler: an HTTP request.",
        ),
        optional_key(
            "python",
            Kind::Table(&PYTHON),
            "python = { module = \"guards\", function = \"check\" }",
            "Handler: a Python function, in a long-running interpreter.",
        ),
    ],
    one_of: HANDLERS,
    may_be_empty: false,
};

const TOOL: Shape = Shape {
    name: "`tool`",
    keys: &[
        optional_key(
            "name",
            Kind::OneOrMore(&Kind::Text),
            "name = \"Bash\"",
            "The agent's name for the tool, exactly; one or a list.",
        ),
        optional_key(
            "class",
            Kind::OneOrMore(&Kind::Word(list_tool_classes)),
            "class = \"shell\"",
            "What the tool does, whatever the agent calls it; one or a list.",
        ),
        optional_key(
            "glob",
            Kind::Text,
            "glob = \"mcp__*\"",
            "The agent's name for the tool, with `*` for any text and `?` for any character.",
        ),
        optional_key(
            "regex",
            Kind::Text,
            "regex = \"mcp__.*__(create|delete)_.*\"",
            "The agent's name for the tool as a regular expression, which must match all of it.",
        ),
    ],
    one_of: &[],
    may_be_empty: false,
};

/// `limits` of a hook.
pub(super) const LIMITS: Shape = Shape {
    name: "`limits`",
    keys: &[
        limit_key(Limit::Fuel, "fuel", "fuel = 1_000_000", "Wasm instructions, about."),
        limit_key(Limit::Memory, "memory", "memory = \"64MiB\"", "Memory of a wasm hook."),
        limit_key(
            Limit::TableElements,
            "table-elements",
            "table-elements = 20_000",
            "Elements of all wasm tables.",
        ),
        limit_key(Limit::Instances, "instances", "instances = 64", "Core instances of a wasm component."),
        limit_key(
            Limit::HostCallBytes,
            "host-call-bytes",
            "host-call-bytes = \"2MiB\"",
            "What one host call may move out of a wasm hook.",
        ),
        limit_key(
            Limit::HostCalls,
            "host-calls",
            "host-calls = 1_000",
            "Number of host calls of a wasm hook.",
        ),
        limit_key(
            Limit::Output,
            "output",
            "output = \"1MiB\"",
            "The answer; for a shell hook or a webhook, its output.",
        ),
        limit_key(Limit::LogBytes, "log-bytes", "log-bytes = \"16KiB\"", "Log text that is kept."),
        limit_key(Limit::LogLines, "log-lines", "log-lines = 100", "Log lines that are kept."),
    ],
    one_of: &[],
    may_be_empty: true,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_that_holds_for_one_hook_has_a_key() {
        let mut names = LIMITS.names();
        names.sort_unstable();
        let mut limits: Vec<_> = Limit::all().map(Limit::as_str).collect();
        limits.retain(|name| !["timeout", "stack"].contains(name));
        limits.sort_unstable();
        assert_eq!(names, limits);
        for key in LIMITS.keys {
            assert!(matches!(key.kind, Kind::Limit(limit) if limit.as_str() == key.name), "{}", key.name);
        }
    }
}
