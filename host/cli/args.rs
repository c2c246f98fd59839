//! The command line.

mod bus;
mod confine;
mod control;
mod hooks;
mod log;
mod look;
mod plugin;
mod run;
mod settings;
mod setup;
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
    hooks::{HookAddArgs, HookFileArgs, HookListArgs, HookRemoveArgs, HooksArgs, HooksCommand},
    log::{AllowArgs, LogArgs},
    look::{CheckArgs, DialectsArgs, DoctorArgs, ExplainArgs, ListArgs},
    plugin::{
        ConsentArgs, GcArgs, InspectArgs, ManifestArgs, OutdatedArgs, PluginAddArgs, PluginArgs,
        PluginCommand, PluginListArgs, PluginRemoveArgs, UpdateArgs, WordsArgs,
    },
    run::RunArgs,
    settings::{ImportArgs, InstallArgs, SettingsArgs, UninstallArgs},
    setup::{ProgramArgs, SetupArgs},
    source::{OwnArgs, SourceArgs},
    switch::{DisableArgs, SwitchArgs},
    trust::{TrustArgs, TrustCommand, UntrustArgs},
    try_event::TryArgs,
};
use crate::fast_start;

/// One hook host for every coding agent.
///
/// Hooks are rules that run before a tool call, after a model response, when a session starts. hookbox runs them as
/// WebAssembly components in a sandbox, beside shell commands and webhooks, and answers in the agent's own words.
#[derive(Debug, Parser)]
#[command(name = "hookbox", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What the command line says; ends the process with help or an error otherwise.
pub(crate) fn parse() -> Args {
    if let Some(words) = fast_start::words_of("run") {
        return Args { command: Command::Run(RunArgs::of_words(words)) };
    }
    if let Some(words) = fast_start::words_of("confine") {
        return Args { command: Command::Confine(ConfineArgs::of_words(words)) };
    }
    if std::env::args_os().len() < 2 && !Standard::Input.is_terminal() {
        // Only the name of the program has got here, from a version that does not know what stands beside it.
        Args::command().error(ErrorKind::MissingSubcommand, STARTED_ALONE).exit();
    }
    Args::parse()
}

/// Where an agent started this, it ends with the code that is a deny for it.
const STARTED_ALONE: &str = "hookbox was started without arguments, and not by a person. If an agent did so, it does not \
                             know `args` in its settings: update the agent, or write hookbox's entries as one line";

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
    /// about no hook (permissions, MCP, user messages) are answered with an error: a program that has them speaks the protocol
    /// itself, and asks this one about hooks or has the library do it.
    Control(ControlArgs),
    /// Check the configuration, and compile its plugins ahead
    Check(CheckArgs),
    /// List the hooks in the order in which they run
    List(ListArgs),
    /// Switch a hook off for a time: one of yours, or those that a project brings
    Disable(DisableArgs),
    /// Switch on again what `disable` switched off
    Enable(SwitchArgs),
    /// Look at the hooks that the project here brings, and say which may run
    Trust(TrustArgs),
    /// Trust hooks of the project here no more
    Untrust(UntrustArgs),
    /// Show what hooks said and decided lately
    Log(LogArgs),
    /// Let one call pass that hooks have stopped
    Allow(AllowArgs),
    /// Dry run of an event: which hooks match, what each says, how it is folded
    Explain(ExplainArgs),
    /// Make an event, and see what the hooks say to it: no agent has to be driven
    Try(TryArgs),
    /// Protect every agent on this machine: rules, settings, and the proof that they hold
    Setup(SetupArgs),
    /// Put hookbox into an agent's own settings
    Install(InstallArgs),
    /// Take hookbox out of an agent's own settings
    Uninstall(UninstallArgs),
    /// List, add and remove hooks in an agent's own hook file
    Hooks(HooksArgs),
    /// Run a command that is kept from what its profile does not give it
    Confine(ConfineArgs),
    /// Turn an agent's own hooks into hookbox's configuration, and tell what does not carry over
    Import(ImportArgs),
    /// Show what each agent tells, and what it heeds: block, ask, rewrite, context
    Dialects(DialectsArgs),
    /// Look over the installation: files, cache, compiler, sandbox
    Doctor(DoctorArgs),
    /// Add, list, remove and look into plugins; write, build and try your own
    Plugin(PluginArgs),
    /// Make a plugin of an agent's own kind that brings signed plugins of hookbox
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

/// A shell that completions can be made for.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}
