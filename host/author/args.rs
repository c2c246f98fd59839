//! Command-line arguments. `hookbox plugin` starts this program with the user's arguments, so help names that command.

use std::{path::PathBuf, time::Duration};

use clap::{Parser, Subcommand};

/// Write, build and test your own plugins.
#[derive(Debug, Parser)]
#[command(name = "hookbox plugin", bin_name = "hookbox plugin", version, max_term_width = 100)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

/// Parses the command line. Help and errors end the process.
pub(crate) fn parse() -> Command {
    Args::parse().command
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Create the project of a new plugin
    New(NewArgs),
    /// Build a plugin and add its manifest
    Build(BuildArgs),
    /// Run a plugin's fixtures in the sandbox
    Test(TestArgs),
    /// Measure the cost of a plugin's call
    Profile(ProfileArgs),
    /// Print the world of a hook in WIT
    Wit(WitArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin new guard --lang rust
  hookbox plugin new acme/guard --lang python     # creates the folder guard

A hook in a single file needs no project: `hookbox plugin add` accepts guard.js, guard.ts and
guard.py.

The new project builds and passes its tests without changes.
Exit code: 0 if the project was created, 1 if not, 2 for a wrong name or language.")]
pub(crate) struct NewArgs {
    /// Name of the plugin: lower-case letters, digits and hyphens, in parts joined by `/`
    pub(crate) name: String,
    /// Language: rust, javascript, typescript, python, c, zig, assemblyscript, go
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) lang: String,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Runs the tools of the language in `[build]` of plugin.toml, which must be on PATH. Their output is
converted to a component, checked against plugin.toml, and written to build/NAME.wasm with
plugin.toml as its manifest.

`[build]` contains a language, or a command to run in the project's folder and the wasm file that the command writes:
  command = [\"make\", \"hook.wasm\"]
  output = \"hook.wasm\"

A single file is built without a manifest: `hookbox plugin build guard.py` writes guard.wasm next to
the file, and `hookbox plugin build core.wasm` converts a core module with a world, as wit-bindgen
writes it, to core.component.wasm.

Exit code: 0 if the plugin was built, 1 if plugin.toml is wrong or the build failed, 2 if the
command line is wrong or names neither a project nor a readable file. A failed build does not change
an existing plugin file.")]
pub(crate) struct BuildArgs {
    /// Folder of plugin.toml, a Python file or a core module [default: current folder]
    #[arg(value_name = "PATH")]
    pub(crate) at: Option<PathBuf>,
    /// Output file for the plugin of a single file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Time limit for componentize-py, which runs the top level of a Python hook; for Python only [default: 120]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: Option<u64>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl BuildArgs {
    /// Returns the time limit for tools that run the hook's code, if it is set.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.timeout.map(Duration::from_secs)
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin test                        # every tests/*.json next to plugin.toml
  hookbox plugin test . denies allows        # only these two
  hookbox plugin test --update               # expect the current answers from now on
  hookbox plugin test --junit report.xml

Exit code: 0 if all fixtures passed, 1 if one failed, the plugin is not built, is older than its
sources or cannot be loaded, or the report cannot be written, 2 if the command line is wrong, the
report's path cannot be used, or no fixture was found.")]
pub(crate) struct TestArgs {
    /// Folder of plugin.toml, or a plugin's file with `tests/` next to it or to its folder [default: current folder]
    #[arg(value_name = "PATH")]
    pub(crate) at: Option<PathBuf>,
    /// Names of the fixtures to run, without `.json` [default: all]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Write the current results into the fixtures
    #[arg(long)]
    pub(crate) update: bool,
    /// Build and run again after each change of a file, until Ctrl-C
    #[arg(long, conflicts_with_all = ["json", "junit"])]
    pub(crate) watch: bool,
    /// Write an XML report for CI systems
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Calls the plugin repeatedly with each fixture's event in one sandbox; answers are not compared with
the fixture.
Exit code: 0 if all fixtures were measured, 1 if a call failed whose fixture expects an answer, or
the plugin is not built, is older than its sources or cannot be loaded, 2 if the command line is
wrong or no fixture was found.")]
pub(crate) struct ProfileArgs {
    /// Folder of plugin.toml or a plugin's file, as for `hookbox plugin test` [default: current folder]
    #[arg(value_name = "PATH")]
    pub(crate) at: Option<PathBuf>,
    /// Measure only this fixture
    #[arg(long, value_name = "NAME")]
    pub(crate) fixture: Option<String>,
    /// Number of warm calls for each fixture
    #[arg(long, value_name = "NUMBER", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) calls: u32,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin wit                         # one text, with the world `hook`
  hookbox plugin wit --out wit               # the files in a folder, as wit-bindgen reads them
  hookbox plugin wit --version 0.1.0

No project is needed. --out replaces only unchanged files of another version.
Exit code: 0 if the world was printed or written, 1 if not, 2 for an unknown version.")]
pub(crate) struct WitArgs {
    /// Version of the world [default: the newest]
    #[arg(long, value_name = "VERSION")]
    pub(crate) version: Option<String>,
    /// Write the files to this directory
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}
