//! `hookbox plugin`.

use std::{ffi::OsString, path::PathBuf};

use clap::Subcommand;

use super::source::SourceArgs;

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
    /// Put what plugin.toml says of a plugin into the plugin's file
    Manifest(ManifestArgs),
    /// Make the project of a new plugin, in a language of yours
    #[command(disable_help_flag = true)]
    New(AuthorArgs),
    /// Build a plugin of yours, and put its manifest into it
    #[command(disable_help_flag = true)]
    Build(AuthorArgs),
    /// Run a plugin's fixtures in the sandbox
    #[command(disable_help_flag = true)]
    Test(AuthorArgs),
    /// Show what a call of a plugin costs
    #[command(disable_help_flag = true)]
    Profile(AuthorArgs),
}

/// Words for `hookbox-author`, which has help of its own.
#[derive(Debug, clap::Args)]
pub(crate) struct AuthorArgs {
    #[arg(value_name = "WORDS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<OsString>,
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
#[command(after_help = "\
Examples:
  hookbox plugin manifest guard.wasm plugin.toml
  hookbox plugin manifest target/guard.wasm plugin.toml --output dist/guard.wasm

The file is replaced as a whole, a manifest that it had as well.
Exit code: 0 if it is written or says so already, 1 if hookbox would refuse it.")]
pub(crate) struct ManifestArgs {
    /// The plugin's file: a component, or a program for WASI
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// What it says of itself
    #[arg(value_name = "PLUGIN.TOML")]
    pub(crate) manifest: PathBuf,
    /// Where the plugin is written with its manifest; FILE itself if not given
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
