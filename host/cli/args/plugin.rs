//! `hookbox plugin`.

use std::{ffi::OsString, path::PathBuf};

use clap::Subcommand;

use super::{signer::SignerArgs, source::SourceArgs};

#[derive(Debug, clap::Args)]
pub(crate) struct PluginArgs {
    #[command(subcommand)]
    pub(crate) command: PluginCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// Add a plugin: copy and pin its file, and add a hook that calls it
    Add(PluginAddArgs),
    /// Remove an added plugin
    Remove(PluginRemoveArgs),
    /// List plugins with a newer release
    Outdated(OutdatedArgs),
    /// Update plugins from a registry to the newest release
    Update(UpdateArgs),
    /// Remove stored plugins that no lock file names
    Gc(GcArgs),
    /// List built-in and added plugins
    List(PluginListArgs),
    /// Show a plugin's file, and its requested and granted capabilities
    Inspect(InspectArgs),
    /// Add, list and remove the signers whose plugins are accepted
    Signer(SignerArgs),
    /// Write the manifest of plugin.toml into a plugin's file
    Manifest(ManifestArgs),
    /// Create the project of a new plugin
    #[command(disable_help_flag = true)]
    New(WordsArgs),
    /// Build a plugin and add its manifest
    #[command(disable_help_flag = true)]
    Build(WordsArgs),
    /// Run a plugin's fixtures in the sandbox
    #[command(disable_help_flag = true)]
    Test(WordsArgs),
    /// Measure the cost of a plugin's call
    #[command(disable_help_flag = true)]
    Profile(WordsArgs),
    /// Print the world of a hook in WIT
    #[command(disable_help_flag = true)]
    Wit(WordsArgs),
    /// Sign a plugin's file with an SSH key
    #[command(disable_help_flag = true)]
    Sign(WordsArgs),
    /// Verify a plugin's signatures and show the signers
    #[command(disable_help_flag = true)]
    Verify(WordsArgs),
    /// Push signed plugins to a registry or an OCI layout folder
    #[command(disable_help_flag = true)]
    Push(WordsArgs),
    /// Pull plugins from a registry or an OCI layout folder
    #[command(disable_help_flag = true)]
    Pull(WordsArgs),
}

/// Arguments of `hookbox-author` or `hookbox-bundle`, which parse them.
#[derive(Debug, clap::Args)]
pub(crate) struct WordsArgs {
    #[arg(value_name = "WORDS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<OsString>,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin add guard.wasm                      # asks about each requested capability
  hookbox plugin add guard.wasm --dry-run            # writes nothing
  hookbox plugin add guard.js --name no-rm --on tool.before --tool shell
  hookbox plugin add guard.py --on tool.before       # built with componentize-py first
  hookbox plugin add guard.wasm --grant clock,kv=session --grant 'http=GET,POST https://api.example.com' --yes
  hookbox plugin add guard.wasm --here               # for all users of the current project

The file is loaded before anything is written. Then it is copied next to hooks.toml, pinned by its
SHA-256 in hookbox.lock, and called by a new entry; the rest of hooks.toml is unchanged. A
capability is granted only if you confirm it or name it with --grant. A plugin with the same name is
replaced, and keeps its grants and its stored data.
Exit code: 0 if the plugin was added or had been added before, 1 if it cannot be added or you
declined, 2 if a question needs a terminal or the command line is wrong.")]
#[command(mut_arg("yes", |yes| yes.help("Write without asking; grants nothing")))]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct PluginAddArgs {
    /// A component, a program for WASI, a script (`.js`, `.mjs`, `.ts`, `.mts`), a Python file (`.py`), which is built first,
    /// `oci://HOST/NAME[:VERSION|@DIGEST]` or `oci-layout:FOLDER[:VERSION]`
    #[arg(value_name = "SOURCE")]
    pub(crate) file: PathBuf,
    /// The hook's name [default: the last part of the plugin's name, or the file's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Add it to the project around the current folder, without capabilities, in place of the user's configuration
    #[arg(long)]
    pub(crate) here: bool,
    /// The events, separated by commas [default: the manifest's events, or tool.before]
    #[arg(long, value_name = "EVENT", value_delimiter = ',')]
    pub(crate) on: Vec<String>,
    /// The tool classes, separated by commas [default: any tool]
    #[arg(long = "tool", value_name = "CLASS", value_delimiter = ',')]
    pub(crate) classes: Vec<String>,
    /// A capability to grant: `clock`, `kv=session`, `env=LANG`, `fs.read=project`, `http=https://…`; repeatable
    #[arg(long, value_name = "GRANT")]
    pub(crate) grant: Vec<String>,
    /// The plugin's settings, a JSON object
    #[arg(long, value_name = "JSON")]
    pub(crate) settings: Option<String>,
    /// Only check the plugin against hookbox.lock, without fetching or writing
    #[arg(long, conflicts_with_all = [
        "name", "on", "classes", "grant", "settings", "unsigned", "allow_downgrade", "yes", "dry_run",
    ])]
    pub(crate) locked: bool,
    /// Accept an unsigned plugin from any source
    #[arg(long)]
    pub(crate) unsigned: bool,
    /// Accept an older release than the one installed before
    #[arg(long)]
    pub(crate) allow_downgrade: bool,
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin remove guard
  hookbox plugin remove guard --here --dry-run

Removes the plugin's entry in hooks.toml, its file and its row in hookbox.lock, and nothing else.
The plugin's stored data is kept, and so is a file that was changed after it was added.
Exit code: 0 if the plugin was removed, 1 if it cannot be removed or you declined, 2 if a question
needs a terminal or the command line is wrong.")]
pub(crate) struct PluginRemoveArgs {
    /// The name of the hook, as in `hookbox plugin list`
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Use the configuration of the project around the current folder
    #[arg(long)]
    pub(crate) here: bool,
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit code: 0 if every plugin is the newest release, 1 if one is not or its newest release is
unknown.")]
pub(crate) struct OutdatedArgs {
    /// Use the configuration of the project around the current folder
    #[arg(long)]
    pub(crate) here: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin update                  # all plugins from registries and image layouts
  hookbox plugin update guard --dry-run
  hookbox plugin update guard --yes --grant random

A newer release of the same publisher that requests no further capabilities is installed without a
question. Each further capability is a question, with the default no; if you decline, the old
release is kept. A missing or damaged file is restored without a question. --yes asks no
questions: the release gets the capabilities of --grant and those of the release before. A release
of another publisher and an older release are rejected.
Exit code: 0 if every plugin is the newest release, 1 if one cannot be updated or you declined, 2 if
a question needs a terminal.")]
pub(crate) struct UpdateArgs {
    /// The name of the hook, as in `hookbox plugin list` [default: all]
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Use the configuration of the project around the current folder
    #[arg(long)]
    pub(crate) here: bool,
    /// Accept the newest release of the source, even if a later one was installed before
    #[arg(long)]
    pub(crate) allow_downgrade: bool,
    /// Only check the plugins against hookbox.lock, without fetching or writing
    #[arg(long, conflicts_with_all = ["name", "allow_downgrade", "grant", "yes", "dry_run"])]
    pub(crate) locked: bool,
    /// A capability to grant to the plugin NAME, as with `plugin add`; repeatable
    #[arg(long, value_name = "GRANT", requires = "name")]
    pub(crate) grant: Vec<String>,
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit code: 0 if all unused plugins were removed, 1 if one cannot be removed.")]
pub(crate) struct GcArgs {
    /// Show what would be removed, without removing it
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// How changes are written.
#[derive(Debug, clap::Args)]
pub(crate) struct ConsentArgs {
    /// Write without asking
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) yes: bool,
    /// Show the changes without writing them
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
A hook calls a built-in plugin by its name: wasm = { plugin = \"guard-shell\" }

For plugins that were added to the user's or the current project's configuration, the list has their
grants and any difference between file, entry and hookbox.lock.
Exit code: 0 if every file is the expected one, 1 if one is missing or was replaced.")]
pub(crate) struct PluginListArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin inspect guard-shell           # a built-in plugin
  hookbox plugin inspect plugins/mine.wasm
  hookbox plugin inspect --json downloaded.wasm

An installed plugin is also found by its digest: `sha256:` and 64 digits. The signatures next to
the file are verified with your allowed_signers, revoked.krl and policy.toml. The file is not run.
Exit code: 0 if the file is a valid plugin, 1 if not.")]
pub(crate) struct InspectArgs {
    /// The plugin's file, its digest, or the name of a built-in plugin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The folder of the project whose hooks are searched [default: current folder]
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

The output file is replaced as a whole, with an existing manifest.
Exit code: 0 if the file has the manifest, 1 if hookbox would reject the result.")]
pub(crate) struct ManifestArgs {
    /// The plugin's file: a component, or a program for WASI
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The file with the manifest
    #[arg(value_name = "PLUGIN.TOML")]
    pub(crate) manifest: PathBuf,
    /// The file to write [default: FILE itself]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
