//! The user's knowledge about publishers, independent of the plugin: signers, revocations, policies.

use std::path::{Path, PathBuf};

use hookbox_trust::{
    Refusal,
    allowed_signers::{AllowedSigners, MAX_SIGNERS_BYTES},
    policy::{MAX_POLICY_BYTES, Policy},
    revocation_list::{Krl, MAX_KRL_BYTES},
};

use crate::{
    args::TrustArgs,
    bundle::{describe_read_error, display_path, if_there, read_plain_file},
    environment,
    exit::Fault,
};

pub(crate) struct KnownFiles {
    pub(crate) signers: AllowedSigners,
    pub(crate) revoked: Vec<Krl>,
    pub(crate) policies: Vec<Policy>,
    /// The files of signers that were read, for display.
    pub(crate) read: Vec<PathBuf>,
}

impl KnownFiles {
    /// Reads the files named on the command line, or else those in the administrator's and the user's folder.
    pub(crate) fn read_files(args: &TrustArgs) -> Result<Self, Fault> {
        let signers = read_all(&args.allowed_signers, "allowed_signers", MAX_SIGNERS_BYTES)?;
        let revoked = read_all(&args.krl, "revoked.krl", MAX_KRL_BYTES)?;
        let policies = read_all(&args.policy, "policy.toml", MAX_POLICY_BYTES)?;
        let mut known = AllowedSigners::default();
        for (path, bytes) in &signers {
            known.extend_lines(require_parsed(path, AllowedSigners::parse(parse_utf8(path, bytes)?))?);
        }
        let revoked = revoked.iter().map(|(path, bytes)| require_parsed(path, Krl::parse(bytes)));
        let policies = policies
            .iter()
            .map(|(path, bytes)| require_parsed(path, Policy::parse(parse_utf8(path, bytes)?)));
        Ok(Self {
            signers: known,
            revoked: revoked.collect::<Result<_, _>>()?,
            policies: policies.collect::<Result<_, _>>()?,
            read: signers.into_iter().map(|(path, _)| path).collect(),
        })
    }
}

/// Reads the named files, which must exist, or else the existing ones of this name.
fn read_all(named: &[PathBuf], name: &str, most: usize) -> Result<Vec<(PathBuf, Vec<u8>)>, Fault> {
    let mut found = Vec::new();
    for path in named {
        let bytes =
            read_plain_file(path, most).map_err(|error| Fault::Usage(describe_read_error(path, &error)))?;
        found.push((path.clone(), bytes));
    }
    // A named file replaces the user's own, so that a result does not depend on the machine.
    if named.is_empty() {
        for path in environment::trusted_folders().into_iter().map(|folder| folder.join(name)) {
            found.extend(if_there(&path, most)?.map(|bytes| (path, bytes)));
        }
    }
    Ok(found)
}

fn parse_utf8<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a str, Fault> {
    str::from_utf8(bytes).map_err(|_| Fault::Failed(format!("{} is not UTF-8", display_path(path))))
}

/// Returns an error for a file that cannot be parsed, which must not count as empty.
fn require_parsed<T>(path: &Path, read: Result<T, Refusal>) -> Result<T, Fault> {
    read.map_err(|refusal| Fault::Failed(format!("cannot use {}: {refusal}", display_path(path))))
}
