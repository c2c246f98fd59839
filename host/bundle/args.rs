//! The command line. `hookbox plugin` hands its words on, so that is what this program calls itself.

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
    /// Bring signed plugins to a registry, or into a folder that is like one
    Push(PushArgs),
    /// Get plugins from there
    Pull(PullArgs),
    /// Make a plugin of an agent's own kind that brings signed plugins of hookbox
    Export(ExportArgs),
    /// What `hookbox plugin add` asks
    #[command(hide = true)]
    Fetch(FetchArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin sign guard.wasm --key ~/.ssh/release
  hookbox plugin sign guard.wasm --key ~/.ssh/id_ed25519_sk.pub   # by the ssh-agent, which asks the security key

Writes guard.wasm.statement.json, which describes the file, and guard.wasm.statement.json.sig next to it. Where a statement about
this very file is there already, one more signature is added (.sig.1), if this key has not signed it; with another --expires it
is made anew.
Exit code: 0 if it is signed, 1 if not, 2 if the command line is wrong.")]
pub(crate) struct SignArgs {
    /// The plugin's file, with its manifest in it
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The key: a private key's file, or a public key's whose private one the ssh-agent has
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// Where the ssh-agent listens; where `SSH_AUTH_SOCK` says if not given
    #[arg(long, value_name = "SOCKET")]
    pub(crate) agent: Option<PathBuf>,
    /// Among whom the release is handed out; `stable` if not given
    #[arg(long, value_name = "NAME")]
    pub(crate) channel: Option<String>,
    /// Until which day this is the newest release: whoever sees none after it is warned that some may be kept back
    #[arg(long, value_name = "DAY", value_parser = parse_day, conflicts_with = "valid_for")]
    pub(crate) expires: Option<SystemTime>,
    /// The same, from now: 90d
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) valid_for: Option<Duration>,
    /// Where the sources are that it was built of
    #[arg(long, value_name = "URL")]
    pub(crate) source: Option<String>,
    /// Which state of them
    #[arg(long, value_name = "REVISION", requires = "source")]
    pub(crate) revision: Option<String>,
}

/// `2027-01-31`, which begins at midnight of the world's time.
fn parse_day(text: &str) -> Result<SystemTime, String> {
    humantime::parse_rfc3339(&format!("{text}T00:00:00Z")).map_err(|_| "write a day as 2027-01-31".to_owned())
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin verify guard.wasm
  hookbox plugin verify guard.wasm --allowed-signers signers --principal release@acme.example
  hookbox plugin verify guard.wasm --sigstore-bundle guard.sigstore.json --sigstore-key release.pub

What counts is what the user knows, and never what comes with the plugin: `allowed_signers`, `revoked.krl` and `policy.toml` beside the
user's hooks.toml and the administrator's, unless others are named. With a policy, it is signed if the policy says so.
Exit code: 0 if it is signed by somebody who counts, 1 if not, 2 if the command line is wrong.")]
pub(crate) struct VerifyArgs {
    /// The plugin's file, its statement and signatures beside it
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
    /// Who has to have signed, one of several; whoever the allowed signers know if not given
    #[arg(long, value_name = "NAME", conflicts_with = "policy")]
    pub(crate) principal: Vec<String>,
    /// A bundle of sigstore, in the place of statement and signatures of ssh
    #[arg(long, value_name = "FILE", requires = "sigstore_key", conflicts_with_all = ["principal", "policy", "allowed_signers"])]
    pub(crate) sigstore_bundle: Option<PathBuf>,
    /// The public key that has to have signed it
    #[arg(long, value_name = "FILE", requires = "sigstore_bundle")]
    pub(crate) sigstore_key: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Whose word counts.
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
