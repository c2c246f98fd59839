//! Table of all keys of the file (those of `confine` and `grant` are in [`confine`](super::confine) and
//! [`grant`](super::grant)). The reader checks against this table, and the JSON Schema is generated from it.

use hookbox_model::{Limit, OnFailure, Proposal, Role, ToolClass};

pub(super) use super::key::{Key, Kind, Shape};
use super::key::{limit_key, optional_key, required_key};

use super::{
    confine::CONFINE,
    grant::GRANT,
    projects::{PROJECT, PROJECTS},
    speaks,
};
use crate::dialect::{Dialect, OwnHooks};

/// Longest name of a hook, characters.
pub(super) const MAX_NAME_CHARS: usize = 64;

fn list_roles() -> Vec<&'static str> {
    Role::ALL.map(Role::as_str).to_vec()
}

fn list_failure_policies() -> Vec<&'static str> {
    OnFailure::ALL.map(OnFailure::as_str).to_vec()
}

/// Returns the places that a project's hook may declare that it reads.
fn list_readable_places() -> Vec<&'static str> {
    vec!["project"]
}

fn list_proposals() -> Vec<&'static str> {
    Proposal::ALL.map(Proposal::as_str).to_vec()
}

fn list_tool_classes() -> Vec<&'static str> {
    ToolClass::ALL.map(ToolClass::as_str).to_vec()
}

/// Returns the names of agents whose contract a command may speak.
fn list_contract_agents() -> Vec<&'static str> {
    speaks::command_agents().map(Dialect::name).collect()
}

/// Returns the names of agents whose contract a Python function may speak.
fn list_function_agents() -> Vec<&'static str> {
    speaks::function_agents().map(Dialect::name).collect()
}

/// Returns the names of agents whose contract has webhooks.
fn list_webhook_agents() -> Vec<&'static str> {
    let webhooks = |agent: &&dyn Dialect| agent.own_hooks().is_some_and(OwnHooks::webhooks);
    speaks::command_agents().filter(webhooks).map(Dialect::name).collect()
}

fn list_methods() -> Vec<&'static str> {
    vec!["POST", "PUT"]
}

/// The file.
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

const WASM: Shape = Shape {
    name: "`wasm`",
    keys: &[
        optional_key(
            "plugin",
            Kind::Text,
            "plugin = \"guard-shell\"",
            "The name of a plugin that comes with hookbox. Its file must be the one that this hookbox was built with.",
        ),
        optional_key(
            "path",
            Kind::Text,
            "path = \"plugins/my-guard.wasm\"",
            "The component's file; a relative path is meant from the folder of this file.",
        ),
        optional_key(
            "sha256",
            Kind::Digest,
            "sha256 = \"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"",
            "What is in the file: with any other content the hook fails. Default: any content.",
        ),
        optional_key(
            "features",
            Kind::List(&Kind::Word(list_proposals), 1),
            "features = [\"gc\"]",
            "Parts of WebAssembly that it needs and hooks do not have by themselves. For hooks of the user's own file.",
        ),
        optional_key(
            "isolate",
            Kind::Flag,
            "isolate = true",
            "To run in a process that has nothing: no file, no connection, no environment. An untrusted hook always \
             runs like this. For hooks of the user's own file.",
        ),
    ],
    one_of: &["plugin", "path"],
    may_be_empty: false,
};

const SHELL: Shape = Shape {
    name: "`shell`",
    keys: &[
        optional_key("command", Kind::Any, "command = \"./check --strict\"", "A command line for `sh -c`."),
        optional_key(
            "argv",
            Kind::List(&Kind::Any, 1),
            "argv = [\"./check\", \"--strict\"]",
            "A program and its arguments, without a shell. A program with a `/` in it is meant from the folder of \
             this file, one without is looked for in PATH.",
        ),
        optional_key(
            "cwd",
            Kind::Text,
            "cwd = \".\"",
            "Where it runs; a relative path is meant from the folder of this file. Default: the event's folder.",
        ),
        optional_key(
            "env",
            Kind::List(&Kind::Variable, 0),
            "env = [\"HOOK_TOKEN\"]",
            "Variables that it gets from the environment, besides the few that every process needs.",
        ),
        optional_key(
            "confine",
            Kind::Table(&CONFINE),
            "confine = { write = [\"project\"], network = false }",
            "What it is kept from, beyond what every hook is. A setting that cannot hold on the machine fails the hook.",
        ),
        optional_key(
            "reads",
            Kind::List(&Kind::Word(list_readable_places), 0),
            "reads = [\"project\"]",
            "Only for a hook of a project: that it reads files of the project in addition to those that its command names. Without it, a trusted hook \
             can read and run none of them where the kernel has Landlock 3.",
        ),
        optional_key(
            "speaks",
            Kind::Word(list_contract_agents),
            "speaks = \"claude-code\"",
            "The agent whose contract the command keeps: it reads the event as that agent writes it, and answers as \
             that agent's own hooks do. Then `on` names events of this agent (`claude-code:PreToolUse`), and it runs \
             for no other's. Default: hookbox's own contract.",
        ),
    ],
    one_of: &["command", "argv"],
    may_be_empty: false,
};

const WEBHOOK: Shape = Shape {
    name: "`webhook`",
    keys: &[
        required_key(
            "url",
            Kind::Text,
            "url = \"https://hooks.example/agent\"",
            "Where the event is sent: `https`, or `http` to this machine.",
        ),
        optional_key("method", Kind::Word(list_methods), "method = \"PUT\"", "Default: `POST`."),
        optional_key(
            "headers",
            Kind::Map(&Kind::Any),
            "headers = { Authorization = \"Bearer ${HOOK_TOKEN}\" }",
            "Headers. `${NAME}` in a value stands for a variable that `env` lists.",
        ),
        optional_key(
            "env",
            Kind::List(&Kind::Variable, 0),
            "env = [\"HOOK_TOKEN\"]",
            "Variables that the headers may use.",
        ),
        optional_key(
            "sign",
            Kind::Variable,
            "sign = \"HOOK_KEY\"",
            "The variable whose value signs each request, by the scheme of Standard Webhooks. Default: not signed.",
        ),
        optional_key(
            "speaks",
            Kind::Word(list_webhook_agents),
            "speaks = \"claude-code\"",
            "The agent whose contract the server keeps, as for `shell`.",
        ),
    ],
    one_of: &[],
    may_be_empty: false,
};

const PYTHON: Shape = Shape {
    name: "`python`",
    keys: &[
        required_key("module", Kind::Text, "module = \"guards\"", "The module that has the function."),
        required_key(
            "function",
            Kind::Text,
            "function = \"check\"",
            "Its name in the module. It is given the event as a dict, in the words of the native dialect and with `config`, and returns \
             an answer in them, or `None`; plain or `async`.",
        ),
        optional_key(
            "path",
            Kind::OneOrMore(&Kind::Text),
            "path = \"hooks\"",
            "Folders in which modules are looked for first, one or a list; a relative one is meant from the folder of this file. \
             Default: installed modules only.",
        ),
        optional_key(
            "env",
            Kind::List(&Kind::Variable, 0),
            "env = [\"HOOK_TOKEN\"]",
            "Variables that its interpreter gets from the environment, besides the few that every process needs.",
        ),
        optional_key(
            "confine",
            Kind::Table(&CONFINE),
            "confine = { read = [\"/usr\"], network = false }",
            "What its interpreter is kept from, as for `shell`. Functions with the same `path`, `env` and `confine` share one.",
        ),
        optional_key(
            "speaks",
            Kind::Word(list_function_agents),
            "speaks = \"run-claude\"",
            "The agent whose contract the function keeps, as for `shell`: it is given a `HookContext`, and returns it. A folder of \
             `path` may begin with a variable (`${HOME}/hooks`).",
        ),
    ],
    one_of: &[],
    may_be_empty: false,
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
