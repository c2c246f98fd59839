//! `hookbox export`.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};

#[derive(Debug, clap::Args)]
#[command(
    override_usage = "hookbox export [OPTIONS] <TARGET> [PLUGIN]... <--out <DIR>|--print-dir>",
    after_help = "\
Examples:
  hookbox export claude-code guard.wasm --out acme-guard     # its statement and signatures next to it
  hookbox export gemini-cli --out hooks                      # every signed plugin that was added
  hookbox export archive guard.wasm --out dist
  hookbox export claude-code --print-dir                     # for a marketplace: \"source\": \"command\"

What is made has one entry for each event, however many plugins it brings; exporting one more to the same folder adds it to the
others. The entry runs `hookbox run --bundle`, which looks at every plugin before it runs it, wherever the folder came from.
Exit code: 0 if it was made, 1 if not, 2 if the command line is wrong."
)]
pub(crate) struct ExportArgs {
    /// What it is for
    #[arg(value_enum)]
    pub(crate) target: Target,
    /// A plugin's file, signed, or the name of one that was added; every signed one that was added if none is named
    #[arg(value_name = "PLUGIN")]
    pub(crate) plugins: Vec<String>,
    /// The folder to put it into
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, required_unless_present = "print_dir")]
    pub(crate) out: Option<PathBuf>,
    /// Put it into a folder of hookbox's own, and print that folder and nothing else
    #[arg(long, conflicts_with = "out")]
    pub(crate) print_dir: bool,
    /// What the agent calls it; the plugin's name, or `hookbox-plugins` for several, if not given
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
}

impl Target {
    /// As it is written.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// What a bundle is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// A plugin of Claude Code, and a marketplace with it
    ClaudeCode,
    /// A plugin of Codex, and a marketplace with it
    Codex,
    /// An extension of Gemini CLI
    GeminiCli,
    /// A plugin of Copilot CLI, and a marketplace with it
    Copilot,
    /// A plugin of Cursor
    Cursor,
    /// A folder by the Agent Plugins specification 1.0
    AgentPlugins,
    /// Claude Code's plugin as a zip file, and its SHA-256
    Archive,
}
