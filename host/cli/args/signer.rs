//! `hookbox plugin signer`.

use std::path::PathBuf;

use clap::Subcommand;

use super::ConsentArgs;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin signer add release.pub --as release@acme.example
  hookbox plugin signer list
  hookbox plugin signer remove release@acme.example

The names and keys are lines of allowed_signers, OpenSSH's file, next to the user's hooks.toml.
`add` appends one line, with the namespace of plugins, and `remove` removes lines; the rest of the
file is unchanged.
Exit code: 0 if the change was made or is not necessary, 1 if it failed or you declined, 2 if a
question needs a terminal or the command line is wrong.")]
pub(crate) struct SignerArgs {
    #[command(subcommand)]
    pub(crate) command: SignerCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SignerCommand {
    /// Accept plugins signed with a key, under the name of its owner
    Add(SignerAddArgs),
    /// List the signers of plugins and their keys
    List,
    /// Remove a signer with all keys
    Remove(SignerRemoveArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct SignerAddArgs {
    /// The public key, a file of OpenSSH (`ssh-keygen` writes NAME.pub)
    #[arg(value_name = "KEY.pub")]
    pub(crate) key: PathBuf,
    /// The owner's name, as policy.toml lists it: `release@acme.example`
    #[arg(long = "as", value_name = "NAME")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SignerRemoveArgs {
    /// The name, as in `hookbox plugin signer list`
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
}
