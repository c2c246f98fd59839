//! The command line. `hookbox plugin` hands its words on, so that is what this program calls itself.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Sign plugins, and check who signed them.
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
    /// Sign a plugin's file, with a key of ssh
    Sign(SignArgs),
    /// Tell who signed a plugin's file, and whether that counts
    Verify(VerifyArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct SignArgs {
    /// The plugin's file, with its manifest in it
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The key: a private key's file, or a public key's whose private one an ssh-agent has
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// The plugin's file, its statement and signatures beside it
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}
