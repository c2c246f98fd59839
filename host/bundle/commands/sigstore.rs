//! `hookbox plugin verify --sigstore-bundle`: verifies a statement signed with a key that sigstore's tools use.

use std::path::Path;

use hookbox_trust::{
    Refusal,
    key::PublicKey,
    sigstore::{MAX_BUNDLE_BYTES, MAX_KEY_FILE_BYTES, SigstoreBundle, parse_key},
    statement::{MAX_STATEMENT_BYTES, Release},
    verify::not_revoked,
};
use serde_json::{Value, json};

use crate::{
    args::VerifyArgs,
    bundle::{Plugin, read, shown, statement_file, unreadable},
    exit::{ExitStatus, Fault},
    known::KnownFiles,
    printer::{ERROR, GOOD, Printer, plain},
};

/// A file that was checked.
struct Look<'a> {
    args: &'a VerifyArgs,
    bundle_file: &'a Path,
    plugin: Plugin,
    key: PublicKey,
    /// Number of parts of the bundle that are not checked.
    unchecked: usize,
    verdict: Result<Release, String>,
}

/// Reports the result. The key is trusted because the user names it, unless the user's files revoke or deny it.
pub(super) fn verify(
    args: &VerifyArgs,
    bundle_file: &Path,
    key_file: &Path,
    printer: &Printer,
) -> Result<ExitStatus, Fault> {
    let plugin = Plugin::read(&args.file)?;
    let known = KnownFiles::read(&args.trust)?;
    let bytes = required(bundle_file, MAX_BUNDLE_BYTES)?;
    let key = String::from_utf8_lossy(&required(key_file, MAX_KEY_FILE_BYTES)?).into_owned();
    let key = parse_key(&key).map_err(|refusal| Fault::Usage(format!("{}: {refusal}", shown(key_file))))?;
    let bundle = SigstoreBundle::parse(&bytes);
    let unchecked = bundle.as_ref().map(|bundle| bundle.unchecked).unwrap_or_default();
    let verdict = bundle.map_err(|refusal| refusal.to_string()).and_then(|bundle| {
        let file = if bundle.is_over_a_file() { statement(&args.file)? } else { Vec::new() };
        release(&bundle, &key, &file, &plugin, &known).map_err(|refusal| refusal.to_string())
    });
    let denied = known.policies.iter().find_map(|policy| policy.denies(&plugin.digest));
    let verdict = match denied {
        Some(reason) => Err(format!("the policy denies this file: {}", plain(reason))),
        None => verdict,
    };
    let look = Look { args, bundle_file, plugin, key, unchecked, verdict };
    if args.json {
        printer.line(&look.json().to_string());
    } else {
        look.tell(printer);
    }
    Ok(if look.verdict.is_ok() { ExitStatus::Success } else { ExitStatus::Problems })
}

fn required(path: &Path, most: usize) -> Result<Vec<u8>, Fault> {
    read(path, most).map_err(|error| Fault::Usage(unreadable(path, &error)))
}

fn statement(plugin: &Path) -> Result<Vec<u8>, String> {
    let path = statement_file(plugin);
    read(&path, MAX_STATEMENT_BYTES)
        .map_err(|error| format!("the bundle is over the statement's file: {}", unreadable(&path, &error)))
}

/// Returns the release, if the statement is signed and about this file.
fn release(
    bundle: &SigstoreBundle,
    key: &PublicKey,
    file: &[u8],
    plugin: &Plugin,
    known: &KnownFiles,
) -> Result<Release, Refusal> {
    let release = Release::parse(bundle.signed(key, file)?)?;
    release.is_about(plugin.component())?;
    not_revoked(key, &known.revoked)?;
    Ok(release)
}

impl Look<'_> {
    fn tell(&self, printer: &Printer) {
        let Self { args, bundle_file, plugin, key, unchecked, verdict } = self;
        printer.row("file", &format!("{}, {} bytes", shown(&args.file), plugin.size));
        printer.row("sha256", plugin.digest.as_str());
        printer.row("manifest", &plain(&plugin.called()));
        printer.row("bundle", &shown(bundle_file));
        printer.row("", &format!("key {}, {}", key.fingerprint(), key.kind()));
        if *unchecked > 0 {
            printer.row("", &format!("not looked at: {unchecked} entries of logs and time stamps"));
        }
        match verdict {
            Ok(_) => {
                printer.row("statement", "is about this file, and says of it what its manifest says");
                printer.line(&format!("{GOOD}verified{GOOD:#}  signed with the key {}", key.fingerprint()));
            }
            Err(why) => printer.line(&format!("{ERROR}refused{ERROR:#}   {why}")),
        }
    }

    fn json(&self) -> Value {
        let Self { args, plugin, key, unchecked, verdict, .. } = self;
        json!({
            "file": args.file.display().to_string(),
            "sha256": plugin.digest.as_str(),
            "size": plugin.size,
            "name": plugin.manifest.name.as_str(),
            "version": plugin.manifest.version.to_string(),
            "seq": plugin.manifest.seq,
            "channel": verdict.as_ref().ok().map(|release| &release.channel),
            "key": key.fingerprint(),
            "unchecked": unchecked,
            "verified": verdict.is_ok(),
            "why": verdict.as_ref().err(),
        })
    }
}
