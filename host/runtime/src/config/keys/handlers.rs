//! Keys of the kinds of handlers.

use hookbox_model::Proposal;

use super::{
    super::{confine::CONFINE, foreign_contract, key::required_key},
    Kind, Shape, optional_key,
};
use crate::agents::{AgentHookFile, Dialect};

/// Returns the places that a project's hook may declare that it reads.
fn list_readable_places() -> Vec<&'static str> {
    vec!["project"]
}

fn list_proposals() -> Vec<&'static str> {
    Proposal::ALL.map(Proposal::as_str).to_vec()
}

/// Returns the names of agents whose contract a command may speak.
fn list_contract_agents() -> Vec<&'static str> {
    foreign_contract::command_agents().map(Dialect::name).collect()
}

/// Returns the names of agents whose contract a Python function may speak.
fn list_function_agents() -> Vec<&'static str> {
    foreign_contract::function_agents().map(Dialect::name).collect()
}

/// Returns the names of agents whose contract has webhooks.
fn list_webhook_agents() -> Vec<&'static str> {
    let webhooks = |agent: &&dyn Dialect| agent.hook_file().is_some_and(AgentHookFile::webhooks);
    foreign_contract::command_agents().filter(webhooks).map(Dialect::name).collect()
}

fn list_methods() -> Vec<&'static str> {
    vec!["POST", "PUT"]
}

pub(super) const WASM: Shape = Shape {
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

pub(super) const SHELL: Shape = Shape {
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

pub(super) const WEBHOOK: Shape = Shape {
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

pub(super) const PYTHON: Shape = Shape {
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
