//! Bringing plugins to a place, and getting them from there.

use std::path::PathBuf;

use super::TrustArgs;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin push guard.wasm oci://registry.example/acme/guard         # its own version becomes the tag
  hookbox plugin push guard.wasm oci-layout:out                           # a folder, for machines without a network
  hookbox plugin push guard.wasm limits.wasm oci://registry.example/acme/pack:2026.11.0

The statement and the signatures next to a file are pushed with it; without them it is pushed only with --unsigned. A version that is there with
other content stays. Names and passwords are those that `docker login` keeps.
Exit code: 0 if it is there, 1 if not, 2 if the command line is wrong.")]
pub(crate) struct PushArgs {
    /// The plugins' files; of several a pack is made
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// `oci://HOST/NAME[:VERSION]`, or `oci-layout:FOLDER[:VERSION]`
    #[arg(value_name = "PLACE")]
    pub(crate) place: String,
    /// Even if nobody signed it
    #[arg(long)]
    pub(crate) unsigned: bool,
    /// In the place of other content with this version: whoever has that is warned that it moved
    #[arg(long)]
    pub(crate) replace: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin pull oci://registry.example/acme/guard:1.2.0
  hookbox plugin pull oci-layout:out --into plugins

Writes the plugin's file, and its statement and signatures next to it. That it is what its digest says is checked, and not who signed it:
`hookbox plugin verify` does that. Of a pack every plugin is written.
Exit code: 0 if it is there, 1 if not, 2 if the command line is wrong.")]
pub(crate) struct PullArgs {
    /// `oci://HOST/NAME[:VERSION|@sha256:…]`, or `oci-layout:FOLDER[:VERSION|@sha256:…]`
    #[arg(value_name = "PLACE")]
    pub(crate) place: String,
    /// Where it is written; the folder is made if it is not there
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub(crate) into: PathBuf,
    /// In the place of other files with these names
    #[arg(long)]
    pub(crate) replace: bool,
}

/// What `hookbox plugin add` asks; for no person.
#[derive(Debug, clap::Args)]
pub(crate) struct FetchArgs {
    /// oci://…, oci-layout:…, or a plugin's file
    #[arg(value_name = "SOURCE")]
    pub(crate) source: String,
    /// Where it is written
    #[arg(long, value_name = "FOLDER")]
    pub(crate) into: PathBuf,
    /// Which one it is if it is a pack that is there
    #[arg(long, value_name = "NAME")]
    pub(crate) plugin: Option<String>,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}
