//! Agents that are started without the hooks that guard them.

use crate::{
    arg::{Arg, HOME, UNKNOWN},
    call::Call,
    finding::quote,
    scope::Scope,
};

/// An agent: the names of its program and package, the options that leave hooks out, and the variables that say where
/// its settings are.
type Row = (&'static [&'static str], &'static [SkippingOption], &'static [&'static str]);

/// An option that leaves hooks out.
enum SkippingOption {
    /// This one does, whatever its value.
    Always(&'static str),
    /// This one, given these settings as JSON or in a file.
    Settings(&'static str),
    /// This one, unless its value has all of these.
    Unless(&'static str, &'static [&'static str]),
    /// This one, with a value that has this text.
    With(&'static str, &'static str),
}

use SkippingOption::{Always, Settings, Unless, With};

const AGENTS: &[Row] = &[
    (
        &["claude", "claude-code"],
        &[
            Always("--bare"),
            Always("--safe-mode"),
            Settings("--settings"),
            Unless("--setting-sources", &["user", "project", "local"]),
        ],
        &["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE", "CLAUDE_CONFIG_DIR"],
    ),
    (
        &["codex"],
        &[
            With("-c", "hooks"),
            With("--config", "hooks"),
            With("--disable", "hooks"),
            Always("--ignore-user-config"),
        ],
        &["CODEX_HOME"],
    ),
    (
        &["gemini", "gemini-cli"],
        &[],
        &["GEMINI_CLI_HOME", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"],
    ),
    (&["qwen", "qwen-code"], &[], &["QWEN_HOME", "QWEN_CODE_SYSTEM_SETTINGS_PATH"]),
    (&["llxprt", "llxprt-code"], &[], &["LLXPRT_SYSTEM_SETTINGS_PATH"]),
    (
        &["opencode", "opencode-ai"],
        &[Always("--pure")],
        &["OPENCODE_CONFIG", "OPENCODE_CONFIG_CONTENT", "OPENCODE_CONFIG_DIR"],
    ),
    (&["copilot"], &[Always("--config-dir")], &["COPILOT_HOME"]),
    (&["cursor-agent"], &[], &["CURSOR_CONFIG_DIR"]),
    (&["droid"], &[Always("--settings")], &["FACTORY_HOME_OVERRIDE"]),
    (&["kimi", "kimi-cli"], &[Always("--config"), Always("--config-file")], &["KIMI_CODE_HOME"]),
    (&["openhands", "cocode", "forge", "cline", "qchat", "kiro-cli"], &[], &[]),
];

/// Variables for the folders of every program's settings.
const EVERYWHERE: &[&str] = &["HOME", "XDG_CONFIG_HOME"];

/// Returns the reason why an agent that is started this way runs without its hooks.
pub(crate) fn unhooked(call: &Call, scope: &Scope) -> Option<String> {
    let name = call.name().split('@').next().unwrap_or_default();
    let (_, ways, variables) = AGENTS.iter().find(|(names, ..)| names.contains(&name))?;
    let way = ways.iter().find(|way| is_given(way, call.args())).map(|way| {
        let (Always(option) | Settings(option) | Unless(option, _) | With(option, _)) = way;
        *option
    });
    let moved = || variables.iter().chain(EVERYWHERE).find(|name| is_moved(name, scope)).copied();
    let why = way.or_else(moved)?;
    Some(format!("starts an agent without its hooks, by {}", quote(why, 60)))
}

/// Returns true if the command line sets a variable to a value other than the usual one.
fn is_moved(name: &str, scope: &Scope) -> bool {
    let own = HOME.to_string();
    scope.alternatives.contains_key(name)
        || scope.get(name).is_some_and(|value| value.as_str().trim_end_matches('/') != own)
}

fn is_given(way: &SkippingOption, args: &[Arg]) -> bool {
    match way {
        Always(option) => values(option, args).next().is_some(),
        Settings(option) => values(option, args).any(|value| {
            let is_seen = value.trim_start().starts_with('{') && !value.contains(UNKNOWN);
            !is_seen || value.to_lowercase().contains("hook")
        }),
        Unless(option, sources) => {
            values(option, args).any(|value| !sources.iter().all(|source| value.contains(source)))
        }
        With(option, text) => {
            values(option, args).any(|value| value.contains(UNKNOWN) || value.contains(text))
        }
    }
}

/// The values that an option has, behind its `=` or in the next word; of one without, nothing.
fn values<'a>(option: &'a str, args: &'a [Arg]) -> impl Iterator<Item = String> + 'a {
    args.iter().enumerate().filter_map(move |(at, arg)| {
        let rest = arg.as_str().strip_prefix(option)?;
        if rest.is_empty() {
            return Some(args.get(at + 1).map(Arg::plain).unwrap_or_default());
        }
        let glued = !option.starts_with("--");
        rest.strip_prefix('=').or(Some(rest).filter(|_| glued)).map(str::to_owned)
    })
}
