//! The command line.

mod bus;
mod confine;
mod control;
mod facts;
mod hooks;
mod init;
mod inspect_commands;
mod log;
mod plugin;
mod restore;
mod run;
mod settings;
mod setup;
mod signer;
mod source;
mod status;
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
    init::InitArgs,
    inspect_commands::{CheckArgs, DialectsArgs, DoctorArgs, ExplainArgs, ListArgs},
    log::{AllowArgs, LogArgs},
    plugin::{
        ConsentArgs, GcArgs, InspectArgs, ManifestArgs, OutdatedArgs, PluginAddArgs, PluginArgs,
        PluginCommand, PluginListArgs, PluginRemoveArgs, UpdateArgs, WordsArgs,
    },
    restore::RestoreArgs,
    run::RunArgs,
    settings::{ImportArgs, InstallArgs, SettingsArgs, UninstallArgs},
    setup::{ProgramArgs, SetupArgs},
    signer::{SignerAddArgs, SignerArgs, SignerCommand, SignerRemoveArgs},
    source::{OwnArgs, SourceArgs, Usual},
    status::StatusArgs,
    switch::{DisableArgs, SwitchArgs},
    trust::{TrustArgs, TrustCommand, UntrustArgs},
    try_event::TryArgs,
};
use crate::fast_start;

/// One hook host for every coding agent.
#[derive(Debug, Parser)]
#[command(name = "hookbox", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Args {
    // Hidden in the help of each command, since it is the same for all; the first page names it.
    /// Colours of the output
    #[arg(long = "color", value_name = "WHEN", value_enum, default_value_t, global = true, hide = true)]
    pub(crate) colour: ColourChoice,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Parses the command line. Help and errors end the process.
pub(crate) fn parse() -> Args {
    // These two are started for each tool call and each confined command, and do not wait for the definitions of all
    // other commands.
    if let Some(words) = fast_start::words_of("run") {
        return Args { colour: ColourChoice::Auto, command: Command::Run(RunArgs::of_words(words)) };
    }
    if let Some(words) = fast_start::words_of("confine") {
        return Args { colour: ColourChoice::Auto, command: Command::Confine(ConfineArgs::of_words(words)) };
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
  hookbox setup                          # protect every agent
  hookbox status                         # protection and next steps
  hookbox explain --command 'rm -rf ~'   # the decision about a call
  hookbox check                          # check and compile the hooks

Configuration: ~/.config/hookbox/hooks.toml, <project>/.hookbox/hooks.toml
Exit codes: 0 done, 1 problems, 2 wrong usage; of `run` the agent's own.
Colours: --color auto, always or never; NO_COLOR=1 switches them off.";

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
    /// Undo or accept changes of hookbox's own files
    Restore(RestoreArgs),
    /// Dry run of an event: matching hooks, answers, combined result
    Explain(ExplainArgs),
    /// Print the facts about a command line that hooks get
    Facts(FactsArgs),
    /// Create an event and show how the hooks answer, without an agent
    Try(TryArgs),
    /// Protect every agent on this machine, and test the protection
    Setup(SetupArgs),
    /// Show the protection of this machine and the next steps
    Status(StatusArgs),
    /// Add hookbox to an agent's settings
    Install(InstallArgs),
    /// Remove hookbox from an agent's settings, or from all
    Uninstall(UninstallArgs),
    /// Write a commented hooks.toml for the project
    Init(InitArgs),
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
    /// Add, list, inspect and remove plugins; write and test your own
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
    /// Print the version
    Version,
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

/// Use of colours. Without a choice the output has colours on a terminal, unless `NO_COLOR` is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColourChoice {
    #[default]
    Auto,
    Always,
    Never,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Options with one meaning in every command: the name, the value if it takes one, and the beginning of its description.
    const SHARED: [(&str, Option<&str>, &[&str]); 6] = [
        (
            "project",
            Some("DIR"),
            &["The project's folder", "The session's working folder", "The folder of the project"],
        ),
        (
            "here",
            None,
            &["Use the", "Only in the project around the current folder", "Add it to the project around"],
        ),
        ("json", None, &["Print JSON", "Print one JSON line per event"]),
        ("yes", None, &["Write without asking"]),
        ("dry-run", None, &["Show the changes", "Show what would be removed"]),
        ("agent", Some("NAME"), &["The agent", "Check this agent's", "List this agent's"]),
    ];

    fn check_options(command: &clap::Command, path: &str, wrong: &mut Vec<String>) {
        for option in command.get_arguments() {
            let Some(name) = option.get_long() else { continue };
            let Some((_, value, meanings)) = SHARED.iter().find(|(shared, ..)| *shared == name) else {
                continue;
            };
            let takes_value = option.get_action().takes_values();
            let values = option.get_value_names().unwrap_or_default();
            let has_value = value.is_none_or(|value| values.iter().any(|name| name.as_str() == value));
            let help = option.get_help().map(ToString::to_string).unwrap_or_default();
            let has_meaning = meanings.iter().any(|meaning| help.starts_with(meaning));
            if takes_value != value.is_some() || !has_value || !has_meaning {
                wrong.push(format!("{path} --{name}: {help}"));
            }
        }
        for command in command.get_subcommands() {
            check_options(command, &format!("{path} {}", command.get_name()), wrong);
        }
    }

    #[test]
    fn an_option_has_one_meaning_in_every_command() {
        let mut wrong = Vec::new();
        let mut command = Args::command();
        command.build();
        check_options(&command, "hookbox", &mut wrong);
        assert_eq!(wrong, Vec::<String>::new());
    }
}
