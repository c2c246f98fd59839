//! The command line.

mod bus;
mod confine;
mod control;
mod facts;
mod hooks;
mod inspect_commands;
mod log;
mod plugin;
mod run;
mod settings;
mod setup;
mod signer;
mod source;
mod switch;
mod trust;
mod try_event;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum, error::ErrorKind};
use hookbox_platform::stream::Standard;

pub(crate) use self::{
    bus::BusArgs,
    confine::ConfineArgs,
    control::ControlArgs,
    facts::FactsArgs,
    hooks::{HookAddArgs, HookFileArgs, HookListArgs, HookRemoveArgs, HooksArgs, HooksCommand},
    inspect_commands::{CheckArgs, DialectsArgs, DoctorArgs, ExplainArgs, ListArgs},
    log::{AllowArgs, LogArgs},
    plugin::{
        ConsentArgs, GcArgs, InspectArgs, ManifestArgs, OutdatedArgs, PluginAddArgs, PluginArgs,
        PluginCommand, PluginListArgs, PluginRemoveArgs, UpdateArgs, WordsArgs,
    },
    run::RunArgs,
    settings::{ImportArgs, InstallArgs, SettingsArgs, UninstallArgs},
    setup::{ProgramArgs, SetupArgs},
    signer::{SignerAddArgs, SignerArgs, SignerCommand, SignerRemoveArgs},
    source::{OwnArgs, SourceArgs, Usual},
    switch::{DisableArgs, SwitchArgs},
    trust::{TrustArgs, TrustCommand, UntrustArgs},
    try_event::TryArgs,
};
use crate::fast_start;

/// One hook host for every coding agent.
///
/// Hooks are rules that run before a tool call, after a model response, when a session starts. hookbox runs them as
/// WebAssembly components in a sandbox, together with shell commands and webhooks, and answers in the agent's own protocol.
#[derive(Debug, Parser)]
#[command(name = "hookbox", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Parses the command line. Help and errors end the process.
pub(crate) fn parse() -> Args {
    // These two are started for each tool call and each confined command, and do not wait for the definitions of all
    // other commands.
    if let Some(words) = fast_start::words_of("run") {
        return Args { command: Command::Run(RunArgs::of_words(words)) };
    }
    if let Some(words) = fast_start::words_of("confine") {
        return Args { command: Command::Confine(ConfineArgs::of_words(words)) };
    }
    if std::env::args_os().len() < 2 && !Standard::Input.is_terminal() {
        // An agent of a version that does not know `args` starts the program alone.
        Args::command().error(ErrorKind::MissingSubcommand, STARTED_ALONE).exit();
    }
    Args::parse()
}

/// Error for a start without arguments. Its exit code is a deny for the agents that cause it.
const STARTED_ALONE: &str = "hookbox was started without arguments, and not from a terminal. If an agent started it, the agent \
                             does not support `args` in its settings: update the agent, or write hookbox's entries as one line";

const EXAMPLES: &str = "\
Examples:
  Protect every agent on this machine, after showing what would change:
    hookbox setup
  Put hookbox into Claude Code's settings, after showing what would change:
    hookbox install claude-code
  See what would happen to an event, hook by hook:
    hookbox explain < event.json
  Check the configuration and compile its plugins ahead:
    hookbox check

Configuration: ~/.config/hookbox/hooks.toml, <project>/.hookbox/hooks.toml
Exit codes: 0 done, 1 problems found, 2 wrong usage; `run` ends with the agent's own code.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Answer one event: event on standard input, the agent's own answer on standard output
    Run(RunArgs),
    /// Answer llxprt-code's message bus: requests on standard input, responses on standard output
    Bus(BusArgs),
    /// Speak the Agent SDK's control protocol over standard input and output
    ///
    /// Registers a callback for each event that the SDK has, and answers each call by your hooks, as `run` would. Requests that are
    /// not about hooks (permissions, MCP, user messages) are answered with an error: a program that has them implements the protocol
    /// itself, and uses this command or the library for hooks.
    Control(ControlArgs),
    /// Check the configuration and compile its plugins
    Check(CheckArgs),
    /// List the hooks in the order in which they run
    List(ListArgs),
    /// Disable a hook of yours, or the hooks of a project, for a time
    Disable(DisableArgs),
    /// Enable a disabled hook
    Enable(SwitchArgs),
    /// Review the hooks of the current project and choose which may run
    Trust(TrustArgs),
    /// Revoke trust in this project's hooks
    Untrust(UntrustArgs),
    /// Show recent answers and decisions of hooks
    Log(LogArgs),
    /// Allow one blocked call
    Allow(AllowArgs),
    /// Dry run of an event: matching hooks, their answers, and the combined result
    Explain(ExplainArgs),
    /// Print the facts about a command line that hooks get: commands, paths, hosts
    Facts(FactsArgs),
    /// Create an event and show how the hooks answer, without an agent
    Try(TryArgs),
    /// Protect every agent on this machine: write rules and settings, and test that they work
    Setup(SetupArgs),
    /// Add hookbox to an agent's settings
    Install(InstallArgs),
    /// Remove hookbox from an agent's settings
    Uninstall(UninstallArgs),
    /// List, add and remove hooks in an agent's own hook file
    Hooks(HooksArgs),
    /// Run a command confined to a profile
    Confine(ConfineArgs),
    /// Convert an agent's own hooks into hookbox's configuration, and list what cannot be converted
    Import(ImportArgs),
    /// List each agent's events and the answers it supports: block, ask, rewrite, context
    Dialects(DialectsArgs),
    /// Check the installation: files, cache, compiler, sandbox
    Doctor(DoctorArgs),
    /// Add, list, remove and inspect plugins; write, build and test your own
    Plugin(PluginArgs),
    /// Export signed plugins as a plugin for an agent
    #[command(disable_help_flag = true)]
    Export(WordsArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man,
    /// Print the JSON Schema of hooks.toml, for editors
    Schema,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  mkdir -p ~/.local/share/bash-completion/completions
  hookbox completions bash > ~/.local/share/bash-completion/completions/hookbox")]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

/// A shell with completions.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}
