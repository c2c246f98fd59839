//! The commands about an agent's own settings: `install`, `uninstall`, `import`.

use std::path::PathBuf;

use super::{plugin::ConsentArgs, setup::ProgramArgs};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox install claude-code                        # ~/.claude/settings.json
  hookbox install gemini-cli --here --dry-run        # the project's settings; writes nothing
  hookbox install claude-code --events PreToolUse --yes
  hookbox install litellm --file config.yaml         # the configuration of a LiteLLM proxy

Writes the command `hookbox run --agent AGENT` for each event; the rest of the file is unchanged.
A proxy (litellm, run-claude) gets the name of the Python package that calls hookbox in its process.
A second run changes nothing. `hookbox uninstall AGENT` removes the entries.")]
pub(crate) struct InstallArgs {
    #[command(flatten)]
    pub(crate) settings: SettingsArgs,
    /// The agent's names of the events, separated by commas [default: the usual ones]
    #[arg(long, value_name = "EVENTS", value_delimiter = ',')]
    pub(crate) events: Vec<String>,
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox uninstall claude-code
  hookbox uninstall gemini-cli --here --dry-run
  hookbox uninstall litellm --file config.yaml
  hookbox uninstall --purge --dry-run
  hookbox uninstall                  # every agent, and the guards of `hookbox setup`

Removes every command that runs hookbox for this agent, for any folder of hookbox. Other hooks are
unchanged. Without an agent it does what `hookbox setup --remove` does, and lists what is left.
Exit code: 0 if hookbox was removed, 1 if it was not or you declined, 2 if a question needs a
terminal or the command line is wrong.")]
pub(crate) struct UninstallArgs {
    /// The agent: claude-code, gemini-cli, ... [default: all, with the guards]
    #[arg(value_name = "AGENT")]
    pub(crate) agent: Option<String>,
    /// Also remove hookbox's state and compiled plugins
    #[arg(long, conflicts_with = "agent")]
    pub(crate) purge: bool,
    #[command(flatten)]
    pub(crate) place: SettingsPlaceArgs,
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
}

/// An agent's settings, and how changes are written.
#[derive(Debug, clap::Args)]
pub(crate) struct SettingsArgs {
    /// The agent: claude-code, gemini-cli, ...
    pub(crate) agent: String,
    #[command(flatten)]
    pub(crate) place: SettingsPlaceArgs,
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
}

/// The settings file.
#[derive(Debug, clap::Args)]
pub(crate) struct SettingsPlaceArgs {
    /// Use the user's settings (the default)
    #[arg(long, conflicts_with = "here", requires = "agent")]
    pub(crate) user: bool,
    /// Use the settings of the project around the current folder
    #[arg(long, requires = "agent")]
    pub(crate) here: bool,
    /// The configuration file of a proxy (litellm, run-claude)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["user", "here"], requires = "agent")]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox import claude-code
  hookbox import codex .codex/config.toml --output imported.toml; hookbox check --config imported.toml
  hookbox import gemini-cli --plugin security --output imported.toml

Without --output, the configuration is written to standard output; hooks that cannot be converted
are listed on standard error. --output writes a complete file or none, and never replaces a file.
(`>` empties a file even if the conversion fails.)
Exit code: 0 if every hook was converted, 1 if one was not, the file cannot be read, or a new
file would have no hook, 2 if the place of the agent's hook file is unknown.")]
pub(crate) struct ImportArgs {
    /// The agent whose hooks are converted
    #[arg(value_name = "AGENT")]
    pub(crate) agent: String,
    /// The agent's hook file [default: the user's]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// An installed plugin of the agent, by name or folder, in place of the hook file
    #[arg(long, value_name = "PLUGIN", conflicts_with = "file")]
    pub(crate) plugin: Option<String>,
    /// Write the configuration to this new file
    #[arg(long, value_name = "NEW")]
    pub(crate) output: Option<PathBuf>,
}
