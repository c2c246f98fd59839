//! The command line.

use std::{path::PathBuf, time::Duration};

use clap::{CommandFactory, Parser, Subcommand, ValueEnum, error::ErrorKind};

use crate::places;

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

/// Is this `hookbox run`?
pub(crate) fn is_run() -> bool {
    std::env::args_os().nth(1).is_some_and(|word| word == "run")
}

/// What the command line says; ends the process with help or an error otherwise.
pub(crate) fn parse() -> Args {
    // `run` is started for every tool call: it does not wait for the other commands to be described.
    let mut words = std::env::args_os().skip(1).peekable();
    if words.next_if(|word| word == "run").is_some() {
        let run = RunCommand::parse_from(std::iter::once("hookbox run".into()).chain(words));
        return Args { command: Command::Run(run.args) };
    }
    if words.peek().is_none() && !rustix::termios::isatty(rustix::stdio::stdin()) {
        // Only the name of the program has got here, from a version that does not know what stands beside it.
        Args::command().error(ErrorKind::MissingSubcommand, STARTED_ALONE).exit();
    }
    Args::parse()
}

/// Where an agent started this, it ends with the code that is a deny for it.
const STARTED_ALONE: &str = "hookbox was started without arguments, and not by a person. If an agent did so, it does not \
                             know `args` in its settings: update the agent, or write hookbox's entries as one line";

/// `hookbox run` alone.
#[derive(Debug, Parser)]
#[command(name = "hookbox run", bin_name = "hookbox run", version, max_term_width = 100, after_help = RUN_EXAMPLES)]
#[command(about = "Answer one event: event on standard input, the agent's own answer on standard output")]
struct RunCommand {
    #[command(flatten)]
    args: RunArgs,
}

const EXAMPLES: &str = "\
Examples:
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
    /// Check the configuration, and compile its plugins ahead
    Check(CheckArgs),
    /// List the hooks in the order in which they run
    List(ListArgs),
    /// Switch off hooks that a project brings
    Disable(DisableArgs),
    /// Switch on again what `disable` switched off
    Enable(SwitchArgs),
    /// Dry run of an event: which hooks match, what each says, how it is folded
    Explain(ExplainArgs),
    /// Put hookbox into an agent's own settings
    Install(InstallArgs),
    /// Take hookbox out of an agent's own settings
    Uninstall(UninstallArgs),
    /// List, add and remove hooks in an agent's own hook file
    Hooks(HooksArgs),
    /// Turn an agent's own hooks into hookbox's configuration, and tell what does not carry over
    Import(ImportArgs),
    /// Show what each agent tells, and what it heeds: block, ask, rewrite, context
    Dialects(DialectsArgs),
    /// Look over the installation: files, cache, compiler, sandbox
    Doctor(DoctorArgs),
    /// Look into a plugin's file, without running it
    Plugin(PluginArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man,
    /// Print the JSON Schema of hooks.toml, for editors
    Schema,
}

/// Where hooks come from.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct SourceArgs {
    /// One more configuration file, for this session only
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// An agent's own hook file instead of hookbox's.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct OwnArgs {
    /// Run the agent's own hook file as the agent would, and nothing else; several in the order given
    #[arg(long = "source", value_name = "FILE", conflicts_with = "config")]
    pub(crate) files: Vec<PathBuf>,
}

const RUN_EXAMPLES: &str = "\
Examples:
  hookbox run --agent claude-code < event.json
  echo '{\"event\":\"session.start\"}' | hookbox run --agent native
  hookbox run --agent claude-code --source .claude/settings.json < event.json

The project is found from the event's working directory. If --agent is left out, the input tells which agent it is.
Exit code: the agent's own. For the native dialect: 0, or 2 for a deny.";

/// Where things are. No variable says it: a project may set variables for the agents that work in it.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Places")]
pub(crate) struct PlaceArgs {
    /// The home folder; that of the user database if not given
    #[arg(long, value_name = "DIR", value_parser = absolute)]
    pub(crate) home: Option<PathBuf>,
    /// The folder of `hookbox/hooks.toml`; `.config` of the home folder if not given
    #[arg(long, value_name = "DIR", value_parser = absolute)]
    pub(crate) config_home: Option<PathBuf>,
    /// The folder of what is kept; `.local/state` of the home folder if not given
    #[arg(long, value_name = "DIR", value_parser = absolute)]
    pub(crate) state_home: Option<PathBuf>,
    /// The folder of compiled plugins; `.cache` of the home folder if not given
    #[arg(long, value_name = "DIR", value_parser = absolute)]
    pub(crate) cache_home: Option<PathBuf>,
}

fn absolute(path: &str) -> Result<PathBuf, String> {
    places::absolute(path)
}

#[derive(Debug, clap::Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct RunArgs {
    /// The agent whose dialect is spoken
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// How long the agent waits, if its settings say so: `5s`, `500ms`; else what it waits by default
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) patience: Option<Duration>,
    /// Append what happened, hook by hook, to this file: a line of JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) own: OwnArgs,
    #[command(flatten)]
    pub(crate) places: PlaceArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox check                     # the user's file and that of the project here
  hookbox check --config new.toml   # and one more

Exit code: 0 if all is well (warnings included), 1 if anything is wrong.")]
pub(crate) struct CheckArgs {
    /// The project's folder; the current one if not given
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox list
  hookbox list --agent run-claude --source ~/.config/run-claude/hooks.yaml")]
pub(crate) struct ListArgs {
    /// The agent whose own hook file is listed
    #[arg(long, value_name = "NAME", requires = "files")]
    pub(crate) agent: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The project's folder; the current one if not given
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) own: OwnArgs,
}

/// Which hooks of projects.
#[derive(Debug, clap::Args)]
#[group(id = "which", required = true, multiple = false)]
pub(crate) struct SwitchArgs {
    /// The hook of this name, of the project around the current folder
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// All hooks of the project around the current folder
    #[arg(long)]
    pub(crate) project: bool,
    /// All hooks of all projects
    #[arg(long)]
    pub(crate) all_projects: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox disable slow-check            # one hook of the project here
  hookbox disable --project --for 1h    # all of its hooks, for an hour
  hookbox disable --all-projects

Hooks of your own are switched off by `enabled = false` in their entries. It must be said at a terminal.")]
pub(crate) struct DisableArgs {
    #[command(flatten)]
    pub(crate) what: SwitchArgs,
    /// For how long: `1h`, `2days`; until `hookbox enable` if not given
    #[arg(long = "for", value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) lasts: Option<Duration>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox explain < event.json
  hookbox explain --agent claude-code --json event.json

Wasm hooks are called: they have no effect outside the sandbox. Shell hooks and webhooks are only called with --call-all.")]
pub(crate) struct ExplainArgs {
    /// The event; standard input if not given
    #[arg(value_name = "FILE")]
    pub(crate) event: Option<PathBuf>,
    /// The agent whose dialect is spoken
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Call shell hooks and webhooks too
    #[arg(long)]
    pub(crate) call_all: bool,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) own: OwnArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct HooksArgs {
    #[command(subcommand)]
    pub(crate) command: HooksCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HooksCommand {
    /// List the hooks of the file, in their order
    List(HookListArgs),
    /// Add a hook behind the others
    Add(HookAddArgs),
    /// Remove all hooks of exactly this pattern
    Remove(HookRemoveArgs),
    /// Remove all hooks
    Clear(HookFileArgs),
}

/// Which hook file.
#[derive(Debug, clap::Args)]
pub(crate) struct HookFileArgs {
    /// The agent: code-forge
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: String,
    /// The file of the project around the current folder; the user's if not given
    #[arg(long)]
    pub(crate) project: bool,
    /// Show what would change, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  hookbox hooks list --agent code-forge --project")]
pub(crate) struct HookListArgs {
    #[command(flatten)]
    pub(crate) file: HookFileArgs,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox hooks add --agent code-forge session:start 'notify-send Code-Forge'
  hookbox hooks add --agent code-forge --project --timeout 30 'tool:post_execute:write' 'git add -A'

The rest of the file stays; it is laid out as Code-Forge does.")]
pub(crate) struct HookAddArgs {
    #[command(flatten)]
    pub(crate) file: HookFileArgs,
    /// Which events it is for: `tool:pre_execute:bash`, `tool:*`, `session:start,session:end`, `*`
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
    /// A command line for the shell
    #[arg(value_name = "COMMAND")]
    pub(crate) command: String,
    /// Seconds, 0.1 to 300; 10 if not given
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<f64>,
    /// Where it runs; the event's folder if not given
    #[arg(long, value_name = "DIR")]
    pub(crate) working_dir: Option<String>,
    /// A variable for it; several
    #[arg(long = "env", value_name = "NAME=VALUE")]
    pub(crate) env: Vec<String>,
    /// What it is for, for people
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// Not called until the file says otherwise
    #[arg(long)]
    pub(crate) disabled: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  hookbox hooks remove --agent code-forge session:start

Exit code: 1 if there is no such hook.")]
pub(crate) struct HookRemoveArgs {
    #[command(flatten)]
    pub(crate) file: HookFileArgs,
    /// The pattern, as the file has it
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct PluginArgs {
    #[command(subcommand)]
    pub(crate) command: PluginCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// List the plugins that come with hookbox
    List(PluginListArgs),
    /// Show what a plugin's file is, what it asks for, and what it would be given
    Inspect(InspectArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
A hook calls one by its name: wasm = { plugin = \"guard-shell\" }
Exit code: 0 if each is the file that this hookbox was built with, 1 if one is missing or was replaced.")]
pub(crate) struct PluginListArgs {
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin inspect guard-shell           # one that comes with hookbox
  hookbox plugin inspect plugins/mine.wasm
  hookbox plugin inspect --json downloaded.wasm

Nothing of the file runs. Exit code: 0 if it can be a plugin, 1 if not.")]
pub(crate) struct InspectArgs {
    /// The plugin's file, or the name of one that comes with hookbox
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The folder of the project whose hooks are looked at; the current one if not given
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DoctorArgs {
    /// The project's folder; the current one if not given
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox install claude-code                        # ~/.claude/settings.json
  hookbox install gemini-cli --project --dry-run     # of the project here; only shown
  hookbox install claude-code --events PreToolUse --yes

Writes the command `hookbox run --agent AGENT` for each event; the rest of the file stays as it is.
A second run changes nothing. `hookbox uninstall AGENT` takes it out again.")]
pub(crate) struct InstallArgs {
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
    /// The agent's own names of the events, with commas; those that hooks commonly use if not given
    #[arg(long, value_name = "EVENTS", value_delimiter = ',')]
    pub(crate) events: Vec<String>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox uninstall claude-code
  hookbox uninstall gemini-cli --project --dry-run

Takes out every command that runs hookbox for this agent, whatever folder hookbox is in. Other hooks stay.")]
pub(crate) struct UninstallArgs {
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
}

/// Which settings file, and how to go about it.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct SettingsArgs {
    /// The agent: claude-code, gemini-cli, ...
    pub(crate) agent: String,
    /// The user's settings (this is the default)
    #[arg(long, conflicts_with = "project")]
    pub(crate) user: bool,
    /// The settings of the project around the current folder
    #[arg(long)]
    pub(crate) project: bool,
    /// Write without asking
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) yes: bool,
    /// Show what would change, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox import claude-code --output ~/.config/hookbox/hooks.toml
  hookbox import codex .codex/config.toml --output imported.toml && hookbox check --config imported.toml

The configuration goes to standard output if no file is named, what does not carry over to standard error. The file is
written as a whole or not at all, and none that is there is replaced. (`>` empties a file before anything is known.)
Exit code: 0 if every hook carries over, 1 if one does not or the file cannot be read, 2 if it is not known where the file is.")]
pub(crate) struct ImportArgs {
    /// The agent whose hooks they are
    #[arg(value_name = "AGENT")]
    pub(crate) agent: String,
    /// Its hook file; the user's if not given
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// A new file for the configuration
    #[arg(long, value_name = "NEW")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox dialects
  hookbox dialects claude-code --json

An event marked `unsure` is known at second hand only.")]
pub(crate) struct DialectsArgs {
    /// The dialect; all if not given
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
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
