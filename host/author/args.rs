//! The command line. `hookbox plugin` hands its words on, so that is what this program calls itself.

use std::{path::PathBuf, time::Duration};

use clap::{Parser, Subcommand};

/// Write, build and try a plugin of your own.
#[derive(Debug, Parser)]
#[command(name = "hookbox plugin", bin_name = "hookbox plugin", version, max_term_width = 100)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

/// What the command line says; ends the process with help or an error otherwise.
pub(crate) fn parse() -> Command {
    Args::parse().command
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make the project of a new plugin
    New(NewArgs),
    /// Build a plugin, and put its manifest into it
    Build(BuildArgs),
    /// Run a plugin's fixtures in the sandbox
    Test(TestArgs),
    /// Show what a call of a plugin costs
    Profile(ProfileArgs),
    /// Print the world of a hook in WIT
    Wit(WitArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin new guard --lang rust
  hookbox plugin new acme/guard --lang python     # makes the folder guard

A hook that is one file needs no project: `hookbox plugin add` takes guard.js, guard.ts and guard.py.

The project builds and passes its tests as it is. Exit code: 0 if it is made, 1 if not, 2 for a wrong name or language.")]
pub(crate) struct NewArgs {
    /// The plugin's name: lower-case letters, digits and hyphens, in parts joined by `/`
    pub(crate) name: String,
    /// rust, javascript, typescript, python, c, zig, assemblyscript, go
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) lang: String,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
What `[build]` of plugin.toml says is built by the language's own tools, which must be on PATH; what they make becomes a component,
is checked against plugin.toml, gets it as its manifest, and is left in build/NAME.wasm.

`[build]` names a language, or a command of another tool, which is run in the folder, and the wasm file that it makes:
  command = [\"make\", \"hook.wasm\"]
  output = \"hook.wasm\"

One file is built too, without a manifest: `hookbox plugin build guard.py` writes guard.wasm next to it, and `hookbox plugin build
core.wasm` makes core.component.wasm of a core module with a world, as wit-bindgen makes it.

Exit code: 0 if it was built, 1 if plugin.toml is wrong or the build failed, 2 if the command line is wrong or what it names is no project
and no file that can be read. Unless it is 0, the plugin that was there before is as it was.")]
pub(crate) struct BuildArgs {
    /// The folder of plugin.toml, or one file, in Python or a core module; the current folder if not given
    pub(crate) at: Option<PathBuf>,
    /// Where the plugin of one file goes
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// How long componentize-py may take, which runs the top level of a hook in Python; 120 if not given. No other language has it
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: Option<u64>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl BuildArgs {
    /// How long what runs an author's words may take, if that is said.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.timeout.map(Duration::from_secs)
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin test                        # every tests/*.json next to plugin.toml
  hookbox plugin test . denies allows        # these two
  hookbox plugin test --update               # what was answered becomes what is expected
  hookbox plugin test --junit report.xml

Exit code: 0 if all passed, 1 if some failed, or if the plugin is not built, older than its sources or cannot be loaded, or the report
cannot be written, 2 if the command line is wrong, the report has no place, or there is nothing to run.")]
pub(crate) struct TestArgs {
    /// The folder of plugin.toml, or a plugin's file with `tests/` next to it or to its folder [default: current folder]
    pub(crate) at: Option<PathBuf>,
    /// The fixtures to run, without `.json`; all if none is named
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Write what was got into the fixtures
    #[arg(long)]
    pub(crate) update: bool,
    /// Build and run again whenever a file changes, until Ctrl-C
    #[arg(long, conflicts_with_all = ["json", "junit"])]
    pub(crate) watch: bool,
    /// Write a report for CI
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Every fixture is called over and over in one sandbox; nothing is compared with what it expects.
Exit code: 0 if it was measured, 1 if a call failed that its fixture expects to answer, or if the plugin is not built, older than its
sources or cannot be loaded, 2 if the command line is wrong or there is nothing to measure.")]
pub(crate) struct ProfileArgs {
    /// As for `hookbox plugin test`
    pub(crate) at: Option<PathBuf>,
    /// Only this fixture
    #[arg(long, value_name = "NAME")]
    pub(crate) fixture: Option<String>,
    /// Warm calls of each fixture
    #[arg(long, value_name = "NUMBER", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) calls: u32,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin wit                         # one text, with the world `hook`
  hookbox plugin wit --out wit               # the files, as wit-bindgen reads a folder
  hookbox plugin wit --version 0.1.0

No project is needed. In the folder of --out no file is replaced but an unchanged one of another version.
Exit code: 0 if it was printed or written, 1 if not, 2 for an unknown version.")]
pub(crate) struct WitArgs {
    /// Version of the world; the newest if not given
    #[arg(long, value_name = "VERSION")]
    pub(crate) version: Option<String>,
    /// Write the files into this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}
