//! `hookbox plugin verify --sigstore-bundle`: verifies a statement signed with a key that sigstore's tools use.

use std::path::Path;

use hookbox_trust::{
    Refusal,
    key::PublicKey,
    sigstore::{MAX_BUNDLE_BYTES, MAX_KEY_FILE_BYTES, SigstoreBundle, parse_key},
    statement::{MAX_STATEMENT_BYTES, Release},
    verify::check_not_revoked,
};
use serde_json::{Value, json};

use crate::{
    args::VerifyArgs,
    bundle::{Plugin, describe_read_error, display_path, read_plain_file, statement_file},
    exit::{ExitStatus, Fault},
    printer::{ERROR, GOOD, Printer, to_plain_line},
    trust_sources::KnownFiles,
};

struct CheckedBundle<'a> {
    args: &'a VerifyArgs,
    bundle_file: &'a Path,
    plugin: Plugin,
    key: PublicKey,
    /// Number of parts of the bundle that are not checked.
    unchecked: usize,
    verdict: Result<Release, String>,
}

/// Reports the result. The key is trusted because the user names it, unless the user's files revoke or deny it.
pub(super) fn verify_sigstore(
    args: &VerifyArgs,
    bundle_file: &Path,
    key_file: &Path,
    printer: &Printer,
) -> Result<ExitStatus, Fault> {
    let plugin = Plugin::read_file(&args.file)?;
    let known = KnownFiles::read_files(&args.trust)?;
    let bytes = read_required(bundle_file, MAX_BUNDLE_BYTES)?;
    let key = String::from_utf8_lossy(&read_required(key_file, MAX_KEY_FILE_BYTES)?).into_owned();
    let key =
        parse_key(&key).map_err(|refusal| Fault::Usage(format!("{}: {refusal}", display_path(key_file))))?;
    let bundle = SigstoreBundle::parse(&bytes);
    let unchecked = bundle.as_ref().map(|bundle| bundle.unchecked).unwrap_or_default();
    let verdict = bundle.map_err(|refusal| refusal.to_string()).and_then(|bundle| {
        let file = if bundle.is_over_a_file() { read_statement(&args.file)? } else { Vec::new() };
        verify_release(&bundle, &key, &file, &plugin, &known).map_err(|refusal| refusal.to_string())
    });
    // A denied file stays denied, whichever key signed it.
    let denied = known.policies.iter().find_map(|policy| policy.find_denial(&plugin.digest));
    let verdict = match denied {
        Some(reason) => Err(format!("the policy denies this file: {}", to_plain_line(reason))),
        None => verdict,
    };
    let look = CheckedBundle { args, bundle_file, plugin, key, unchecked, verdict };
    if args.json {
        printer.print_line(&look.to_json().to_string());
    } else {
        look.print_report(printer);
    }
    Ok(if look.verdict.is_ok() { ExitStatus::Success } else { ExitStatus::Problems })
}

fn read_required(path: &Path, most: usize) -> Result<Vec<u8>, Fault> {
    read_plain_file(path, most).map_err(|error| Fault::Usage(describe_read_error(path, &error)))
}

fn read_statement(plugin: &Path) -> Result<Vec<u8>, String> {
    let path = statement_file(plugin);
    read_plain_file(&path, MAX_STATEMENT_BYTES).map_err(|error| {
        format!("the bundle signs the statement's file: {}", describe_read_error(&path, &error))
    })
}

/// Returns the release, if the statement is signed and about this file.
fn verify_release(
    bundle: &SigstoreBundle,
    key: &PublicKey,
    file: &[u8],
    plugin: &Plugin,
    known: &KnownFiles,
) -> Result<Release, Refusal> {
    let release = Release::parse(bundle.read_signed_statement(key, file)?)?;
    release.check_component(plugin.component())?;
    check_not_revoked(key, &known.revoked)?;
    Ok(release)
}

impl CheckedBundle<'_> {
    fn print_report(&self, printer: &Printer) {
        let Self { args, bundle_file, plugin, key, unchecked, verdict } = self;
        printer.print_row("file", &format!("{}, {} bytes", display_path(&args.file), plugin.size));
        printer.print_row("sha256", plugin.digest.as_str());
        printer.print_row("manifest", &to_plain_line(&plugin.called()));
        printer.print_row("bundle", &display_path(bundle_file));
        printer.print_row("", &format!("key {}, {}", key.fingerprint(), key.kind()));
        if *unchecked > 0 {
            printer.print_row("", &format!("not verified: {unchecked} entries of logs and time stamps"));
        }
        match verdict {
            Ok(_) => {
                printer.print_row("statement", "matches this file and its manifest");
                printer.print_line(&format!(
                    "{GOOD}verified{GOOD:#}  signed with the key {}",
                    key.fingerprint()
                ));
            }
            Err(why) => printer.print_line(&format!("{ERROR}refused{ERROR:#}   {why}")),
        }
    }

    fn to_json(&self) -> Value {
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
