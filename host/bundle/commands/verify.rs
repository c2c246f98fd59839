//! `hookbox plugin verify`: reports the signers of a plugin's file, step by step, and whether they are trusted.

use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

use hookbox_trust::{
    Refusal,
    policy::{OnUnlisted, Policy},
    statement::{find_early_warning, find_overdue_warning, format_time, list_effect_names},
    verify::{Bundle, Checked, Seal, VerificationData, Verified, check_bundle},
};
use serde_json::{Value, json};

use crate::{
    args::VerifyArgs,
    bundle::{Plugin, Sidecars, display_path, statement_file},
    commands::sigstore,
    exit::{ExitStatus, Fault},
    printer::{ERROR, GOOD, Printer, to_plain_line},
    trust_sources::KnownFiles,
};

struct CheckedPlugin<'a> {
    args: &'a VerifyArgs,
    plugin: Plugin,
    known: KnownFiles,
    files: Vec<PathBuf>,
    checked: Result<Checked, String>,
}

pub(super) fn verify_plugin(args: &VerifyArgs, printer: &Printer) -> Result<ExitStatus, Fault> {
    if let (Some(bundle), Some(key)) = (&args.sigstore_bundle, &args.sigstore_key) {
        return sigstore::verify_sigstore(args, bundle, key, printer);
    }
    let plugin = Plugin::read_file(&args.file)?;
    let known = KnownFiles::read_files(&args.trust)?;
    let sidecars = Sidecars::read_files(&args.file)?;
    let (files, signatures): (Vec<_>, Vec<_>) = sidecars.signatures.into_iter().unzip();
    let now = SystemTime::now();
    let checked = match &sidecars.statement {
        None => {
            Err(format!("it is not signed: {} does not exist", display_path(&statement_file(&args.file))))
        }
        Some(statement) => {
            let bundle = Bundle { component: plugin.component(), statement, signatures: &signatures };
            let known = VerificationData { signers: &known.signers, revoked: &known.revoked, now };
            check_bundle(bundle, known).map_err(|refusal| refusal.to_string())
        }
    };
    let look = CheckedPlugin { args, plugin, known, files, checked };
    let verdict = look.verdict();
    if args.json {
        printer.print_line(&look.to_json(&verdict).to_string());
    } else {
        look.print_report(&verdict, printer);
    }
    let until = look.checked.as_ref().ok().and_then(|checked| checked.release.expires);
    if let Some(late) = until.and_then(|until| find_overdue_warning(&format_time(until), now)) {
        printer.print_warning(&late);
    }
    let made = look.checked.as_ref().ok().map(|checked| format_time(checked.release.issued));
    if let Some(early) = made.and_then(|made| find_early_warning(&made, now)) {
        printer.print_warning(&early);
    }
    Ok(if verdict.is_ok() { ExitStatus::Success } else { ExitStatus::Problems })
}

impl CheckedPlugin<'_> {
    /// Returns the signer if it is trusted, else the reason why not.
    fn verdict(&self) -> Result<Verified, String> {
        let checked = self.checked.clone()?;
        // First, since a denied file stays denied whatever its signer.
        if let Some(reason) =
            self.known.policies.iter().find_map(|policy| policy.find_denial(&self.plugin.digest))
        {
            return Err(format!("the policy denies this file: {}", to_plain_line(reason)));
        }
        let to_text = |refusal: Refusal| refusal.to_string();
        if !self.args.principal.is_empty() {
            return checked.require_principals(&self.args.principal, 1).map_err(to_text);
        }
        let (first, others) = match self.known.policies.as_slice() {
            [] => return checked.by_somebody().map_err(to_text),
            [first, others @ ..] => (first, others),
        };
        // Each policy has to accept; the first one determines the signer.
        let verified = self.by_policy(checked.clone(), first)?;
        others.iter().try_for_each(|policy| self.by_policy(checked.clone(), policy).map(drop))?;
        Ok(verified)
    }

    fn by_policy(&self, checked: Checked, policy: &Policy) -> Result<Verified, String> {
        let manifest = &self.plugin.manifest;
        let to_text = |refusal: Refusal| refusal.to_string();
        match (policy.find_publisher(&manifest.name), policy.otherwise()) {
            (Some(publisher), _) => {
                let excess = publisher.list_excess(manifest);
                if !excess.is_empty() {
                    return Err(format!(
                        "the manifest requests more than the policy allows: {}",
                        excess.join(", ")
                    ));
                }
                checked.by_publisher(publisher).map_err(to_text)
            }
            (None, OnUnlisted::Ask) => checked.by_somebody().map_err(to_text),
            (None, OnUnlisted::Reject) => Err(format!(
                "the policy lists no publisher for `{}`, and rejects unlisted plugins",
                manifest.name
            )),
        }
    }

    fn print_report(&self, verdict: &Result<Verified, String>, printer: &Printer) {
        printer.print_row("file", &format!("{}, {} bytes", display_path(&self.args.file), self.plugin.size));
        printer.print_row("sha256", self.plugin.digest.as_str());
        printer.print_row("manifest", &to_plain_line(&self.plugin.called()));
        if let Ok(checked) = &self.checked {
            printer.print_row("statement", "matches this file and its manifest");
            if let Some(until) = checked.release.expires {
                printer.print_row("expires", &format_time(until));
            }
            for (seal, file) in checked.seals.iter().zip(&self.files) {
                printer.print_row("signature", &display_path(file));
                print_seal(seal, printer);
            }
        }
        let signers: Vec<_> = self.known.read.iter().map(|path| display_path(path)).collect();
        let none = || "none: no `allowed_signers` file exists, and --allowed-signers is not given".to_owned();
        printer.print_row("signers", &if signers.is_empty() { none() } else { signers.join(", ") });
        match verdict {
            Ok(verified) => {
                let by: Vec<_> =
                    verified.signers.iter().map(|signer| to_plain_line(&signer.principal)).collect();
                printer.print_line(&format!("{GOOD}verified{GOOD:#}  signed by {}", by.join(" and ")));
            }
            Err(why) => printer.print_line(&format!("{ERROR}refused{ERROR:#}   {why}")),
        }
    }

    fn to_json(&self, verdict: &Result<Verified, String>) -> Value {
        let manifest = &self.plugin.manifest;
        let release = self.checked.as_ref().ok().map(|checked| &checked.release);
        let seals = self.checked.iter().flat_map(|checked| &checked.seals).zip(&self.files);
        let signers = verdict.iter().flat_map(|verified| &verified.signers);
        json!({
            "file": self.args.file.display().to_string(),
            "sha256": self.plugin.digest.as_str(),
            "size": self.plugin.size,
            "name": manifest.name.as_str(),
            "version": manifest.version.to_string(),
            "seq": manifest.seq,
            "capabilities": manifest.asks.names(),
            "effects": list_effect_names(manifest.effects),
            "channel": release.map(|release| &release.channel),
            "issued": release.map(|release| format_time(release.issued)),
            "expires": release.and_then(|release| release.expires).map(format_time),
            "signatures": seals.map(|(seal, file)| seal_json(seal, file)).collect::<Vec<_>>(),
            "signers": signers.map(|signer| json!({
                "principal": signer.principal,
                "key": signer.key.fingerprint(),
            })).collect::<Vec<_>>(),
            "verified": verdict.is_ok(),
            "why": verdict.as_ref().err(),
        })
    }
}

fn print_seal(seal: &Seal, printer: &Printer) {
    if let Some(key) = &seal.key {
        printer.print_row("", &format!("key {}, {}", key.fingerprint(), key.kind()));
    }
    let worth = match (&seal.genuine, &seal.principals) {
        (Err(refusal), _) => format!("invalid signature: {refusal}"),
        (Ok(()), Err(refusal)) => format!("valid signature, but the signer is not trusted: {refusal}"),
        (Ok(()), Ok(principals)) => format!("valid signature by {}", to_plain_line(&principals.join(" or "))),
    };
    printer.print_row("", &worth);
}

fn seal_json(seal: &Seal, file: &Path) -> Value {
    let key = seal.key.as_ref();
    let why = seal.principals.as_ref().err().map(ToString::to_string);
    json!({
        "file": file.display().to_string(),
        "key": key.map(hookbox_trust::key::PublicKey::fingerprint),
        "type": key.map(|key| key.kind().as_str()),
        "principals": seal.principals.as_deref().unwrap_or_default(),
        "verified": seal.genuine.is_ok(),
        "why": why,
    })
}
