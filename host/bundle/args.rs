//! Command-line arguments. `hookbox plugin` starts this program with the user's arguments, so help names that command.

mod export;
mod places;

use std::{
    path::PathBuf,
    time::{Duration, SystemTime},
};

use clap::{Parser, Subcommand};

pub(crate) use self::{
    export::{ExportArgs, Target},
    places::{FetchArgs, PullArgs, PushArgs},
};

/// Sign, verify and distribute plugins.
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
    /// Sign a plugin's file with an SSH key
    Sign(SignArgs),
    /// Verify a plugin's signatures and show the signers
    Verify(VerifyArgs),
    /// Push signed plugins to a registry or an OCI layout folder
    Push(PushArgs),
    /// Pull plugins from a registry or an OCI layout folder
    Pull(PullArgs),
    /// Export signed plugins as a plugin for an agent
    Export(ExportArgs),
    /// Fetch a plugin for `hookbox plugin add`
    #[command(hide = true)]
    Fetch(FetchArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin sign guard.wasm --key ~/.ssh/release
  hookbox plugin sign guard.wasm --key ~/.ssh/id_ed25519_sk.pub   # with the ssh-agent

Writes the statement guard.wasm.statement.json and the signature guard.wasm.statement.json.sig next
to the file. If a statement about this file exists, the signature of another key is added to it
(.sig.1). A different --expires replaces the statement and its signatures.
Exit code: 0 if the file is signed, 1 if it cannot be signed, 2 if the command line is wrong.")]
pub(crate) struct SignArgs {
    /// The plugin's file, with its manifest
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Private key, or public key whose private key the ssh-agent holds
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// Socket of the ssh-agent [default: the value of `SSH_AUTH_SOCK`]
    #[arg(long, value_name = "SOCKET")]
    pub(crate) agent: Option<PathBuf>,
    /// Release channel [default: stable]
    #[arg(long, value_name = "NAME")]
    pub(crate) channel: Option<String>,
    /// Day in UTC, as 2027-01-31, from which users without a newer release are warned that updates may be withheld
    #[arg(long, value_name = "DAY", value_parser = parse_day, conflicts_with = "valid_for")]
    pub(crate) expires: Option<SystemTime>,
    /// Period from now, such as 90d, in place of the day of --expires
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) valid_for: Option<Duration>,
    /// URL of the plugin's source repository
    #[arg(long, value_name = "URL")]
    pub(crate) source: Option<String>,
    /// Revision of the source repository that the plugin was built from
    #[arg(long, value_name = "REVISION", requires = "source")]
    pub(crate) revision: Option<String>,
}

/// Parses a day such as `2027-01-31`, which begins at midnight UTC.
fn parse_day(text: &str) -> Result<SystemTime, String> {
    humantime::parse_rfc3339(&format!("{text}T00:00:00Z")).map_err(|_| "write a day as 2027-01-31".to_owned())
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin verify guard.wasm
  hookbox plugin verify guard.wasm --allowed-signers signers --principal release@acme.example
  hookbox plugin verify guard.wasm --sigstore-bundle guard.sigstore.json --sigstore-key release.pub

Trusted signers are read from `allowed_signers`, `revoked.krl` and `policy.toml` next to the user's
and the administrator's hooks.toml, or from the files that options name, and never from files that
come with the plugin. A policy, if there is one, decides which signers are accepted.
Exit code: 0 if a trusted signer signed the file, 1 if not, 2 if the command line is wrong.")]
pub(crate) struct VerifyArgs {
    /// The plugin's file, with its statement and signatures next to it
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
    /// Required signer, by the name in `allowed_signers`; repeatable, one of them must have signed [default: any allowed signer]
    #[arg(long, value_name = "NAME", conflicts_with = "policy")]
    pub(crate) principal: Vec<String>,
    /// Sigstore bundle to verify in place of SSH signatures
    #[arg(long, value_name = "FILE", requires = "sigstore_key", conflicts_with_all = ["principal", "policy", "allowed_signers"])]
    pub(crate) sigstore_bundle: Option<PathBuf>,
    /// Public key that must have signed the sigstore bundle
    #[arg(long, value_name = "FILE", requires = "sigstore_bundle")]
    pub(crate) sigstore_key: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Files that determine the trusted signers.
#[derive(Debug, clap::Args)]
pub(crate) struct TrustArgs {
    /// List of signers in the format of OpenSSH; may be repeated; defaults to the administrator's and the user's
    #[arg(long, value_name = "FILE")]
    pub(crate) allowed_signers: Vec<PathBuf>,
    /// Revocation list of OpenSSH; may be repeated; defaults to the administrator's and the user's
    #[arg(long, value_name = "FILE")]
    pub(crate) krl: Vec<PathBuf>,
    /// Policy; may be repeated, and each must accept; defaults to the administrator's and the user's
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Vec<PathBuf>,
}
