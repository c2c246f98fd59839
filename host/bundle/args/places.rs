//! Arguments of `push`, `pull` and `fetch`.

use std::path::PathBuf;

use super::TrustArgs;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin push guard.wasm oci://registry.example/acme/guard   # tagged with its version
  hookbox plugin push guard.wasm oci-layout:out                      # without a network
  hookbox plugin push guard.wasm limits.wasm oci://registry.example/acme/pack:2026.11.0

The statement and the signatures next to a file are pushed with it; an unsigned file is pushed only
with --unsigned. A version that exists with other content is replaced only with --replace.
Credentials are those that `docker login` stores.
Exit code: 0 if the destination has the plugins, 1 if not, 2 if the command line is wrong.")]
pub(crate) struct PushArgs {
    /// Plugin files; several are pushed as a pack
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Destination: `oci://HOST/NAME[:VERSION]` or `oci-layout:FOLDER[:VERSION]`
    #[arg(value_name = "PLACE")]
    pub(crate) place: String,
    /// Push files without a signature
    #[arg(long)]
    pub(crate) unsigned: bool,
    /// Replace other content of this version; users of the old content are warned that the tag moved
    #[arg(long)]
    pub(crate) replace: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox plugin pull oci://registry.example/acme/guard:1.2.0
  hookbox plugin pull oci-layout:out --into plugins

Writes the plugin's file, with its statement and signatures next to it; for a pack, every plugin.
The digest is checked, the signatures are not: run `hookbox plugin verify`.
Exit code: 0 if the files were written, 1 if not, 2 if the command line is wrong.")]
pub(crate) struct PullArgs {
    /// Source: `oci://HOST/NAME[:VERSION|@sha256:…]` or `oci-layout:FOLDER[:VERSION|@sha256:…]`
    #[arg(value_name = "PLACE")]
    pub(crate) place: String,
    /// Directory for the output, created if it does not exist
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub(crate) into: PathBuf,
    /// Replace existing files with other content
    #[arg(long)]
    pub(crate) replace: bool,
}

/// Arguments of `fetch`, which `hookbox plugin add` runs.
#[derive(Debug, clap::Args)]
pub(crate) struct FetchArgs {
    /// Source: `oci://…`, `oci-layout:…`, or a plugin's file
    #[arg(value_name = "SOURCE")]
    pub(crate) source: String,
    /// Directory for the output
    #[arg(long, value_name = "FOLDER")]
    pub(crate) into: PathBuf,
    /// Plugin to select if the source is a pack
    #[arg(long, value_name = "NAME")]
    pub(crate) plugin: Option<String>,
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}
