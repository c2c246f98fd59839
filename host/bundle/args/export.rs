//! `hookbox export`.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};

#[derive(Debug, clap::Args)]
#[command(
    override_usage = "hookbox export [OPTIONS] <TARGET> [PLUGIN]... <--out <DIR>|--print-dir>",
    after_help = "\
Examples:
  hookbox export claude-code guard.wasm --out acme-guard     # with its statement and signatures
  hookbox export gemini-cli --out hooks                      # all signed plugins that were added
  hookbox export archive guard.wasm --out dist
  hookbox export claude-code --print-dir                     # for a marketplace's \"command\" source

The export has one entry for each event, however many plugins it contains; a further export to the
same folder adds plugins to it. The entry runs `hookbox run --bundle`, which verifies every plugin
before it runs it, whatever the origin of the folder.
Exit code: 0 if the export was written, 1 if not, 2 if the command line is wrong."
)]
pub(crate) struct ExportArgs {
    /// Format of the export
    #[arg(value_enum)]
    pub(crate) target: Target,
    /// Signed plugin file, or the name of an added plugin [default: all signed plugins that were added]
    #[arg(value_name = "PLUGIN")]
    pub(crate) plugins: Vec<String>,
    /// Directory for the output
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, required_unless_present = "print_dir")]
    pub(crate) out: Option<PathBuf>,
    /// Write to a directory that hookbox manages, and print only its path
    #[arg(long, conflicts_with = "out")]
    pub(crate) print_dir: bool,
    /// Name of the agent's plugin [default: the plugin's name, or `hookbox-plugins` for several]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
}

impl Target {
    /// Returns the name of the format on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// Format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// Plugin for Claude Code, with a marketplace
    ClaudeCode,
    /// Plugin for Codex, with a marketplace
    Codex,
    /// Extension for Gemini CLI
    GeminiCli,
    /// Plugin for Copilot CLI, with a marketplace
    Copilot,
    /// Plugin for Cursor
    Cursor,
    /// Folder in the format of the Agent Plugins specification 1.0
    AgentPlugins,
    /// Plugin for Claude Code as a zip file, with its SHA-256
    Archive,
}
