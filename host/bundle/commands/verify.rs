//! `hookbox plugin verify`: reports the signers of a plugin's file, step by step, and whether they are trusted.

use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

use hookbox_trust::{
    Refusal,
    policy::{Otherwise, Policy},
    statement::{early, overdue, words, written},
    verify::{Bundle, Checked, Known, Seal, Verified, check},
};
use serde_json::{Value, json};

use crate::{
    args::VerifyArgs,
    bundle::{Beside, Plugin, shown, statement_file},
    commands::sigstore,
    exit::{ExitStatus, Fault},
    known::KnownFiles,
    printer::{ERROR, GOOD, Printer, plain},
};

/// A file that was checked.
struct Look<'a> {
    args: &'a VerifyArgs,
    plugin: Plugin,
    known: KnownFiles,
    /// The files of the signatures.
    files: Vec<PathBuf>,
    checked: Result<Checked, String>,
}

pub(super) fn verify(args: &VerifyArgs, printer: &Printer) -> Result<ExitStatus, Fault> {
    if let (Some(bundle), Some(key)) = (&args.sigstore_bundle, &args.sigstore_key) {
        return sigstore::verify(args, bundle, key, printer);
    }
    let plugin = Plugin::read(&args.file)?;
    let known = KnownFiles::read(&args.trust)?;
    let beside = Beside::read(&args.file)?;
    let (files, signatures): (Vec<_>, Vec<_>) = beside.signatures.into_iter().unzip();
    let now = SystemTime::now();
    let checked = match &beside.statement {
        None => Err(format!("it is not signed: {} is not there", shown(&statement_file(&args.file)))),
        Some(statement) => {
            let bundle = Bundle { component: plugin.component(), statement, signatures: &signatures };
            let known = Known { signers: &known.signers, revoked: &known.revoked, now };
            check(bundle, known).map_err(|refusal| refusal.to_string())
        }
    };
    let look = Look { args, plugin, known, files, checked };
    let verdict = look.verdict();
    if args.json {
        printer.line(&look.json(&verdict).to_string());
    } else {
        look.tell(&verdict, printer);
    }
    let until = look.checked.as_ref().ok().and_then(|checked| checked.release.expires);
    if let Some(late) = until.and_then(|until| overdue(&written(until), now)) {
        printer.warning(&late);
    }
    let made = look.checked.as_ref().ok().map(|checked| written(checked.release.issued));
    if let Some(early) = made.and_then(|made| early(&made, now)) {
        printer.warning(&early);
    }
    Ok(if verdict.is_ok() { ExitStatus::Success } else { ExitStatus::Problems })
}

impl Look<'_> {
    /// Returns the signer if it is trusted, else the reason why not.
    fn verdict(&self) -> Result<Verified, String> {
        let checked = self.checked.clone()?;
        if let Some(reason) = self.known.policies.iter().find_map(|policy| policy.denies(&self.plugin.digest))
        {
            return Err(format!("the policy denies this file: {}", plain(reason)));
        }
        let told = |refusal: Refusal| refusal.to_string();
        if !self.args.principal.is_empty() {
            return checked.by(&self.args.principal, 1).map_err(told);
        }
        let (first, others) = match self.known.policies.as_slice() {
            [] => return checked.by_somebody().map_err(told),
            [first, others @ ..] => (first, others),
        };
        // Each policy has to accept; the first one determines the signer.
        let verified = self.by_policy(checked.clone(), first)?;
        others.iter().try_for_each(|policy| self.by_policy(checked.clone(), policy).map(drop))?;
        Ok(verified)
    }

    fn by_policy(&self, checked: Checked, policy: &Policy) -> Result<Verified, String> {
        let manifest = &self.plugin.manifest;
        let told = |refusal: Refusal| refusal.to_string();
        match (policy.publisher(&manifest.name), policy.otherwise()) {
            (Some(publisher), _) => {
                let excess = publisher.excess(manifest);
                if !excess.is_empty() {
                    return Err(format!("it asks for more than the policy lets it: {}", excess.join(", ")));
                }
                checked.by_publisher(publisher).map_err(told)
            }
            (None, Otherwise::Ask) => checked.by_somebody().map_err(told),
            (None, Otherwise::Reject) => Err(format!(
                "no publisher of the policy stands for `{}`, and it rejects all others",
                manifest.name
            )),
        }
    }

    fn tell(&self, verdict: &Result<Verified, String>, printer: &Printer) {
        printer.row("file", &format!("{}, {} bytes", shown(&self.args.file), self.plugin.size));
        printer.row("sha256", self.plugin.digest.as_str());
        printer.row("manifest", &plain(&self.plugin.called()));
        if let Ok(checked) = &self.checked {
            printer.row("statement", "is about this file, and says of it what its manifest says");
            if let Some(until) = checked.release.expires {
                printer.row("newest", &format!("until {}, as it says", written(until)));
            }
            for (seal, file) in checked.seals.iter().zip(&self.files) {
                printer.row("signature", &shown(file));
                tell_seal(seal, printer);
            }
        }
        let signers: Vec<_> = self.known.read.iter().map(|path| shown(path)).collect();
        let none = || "none are known: no `allowed_signers` is there, and none is named".to_owned();
        printer.row("signers", &if signers.is_empty() { none() } else { signers.join(", ") });
        match verdict {
            Ok(verified) => {
                let by: Vec<_> = verified.signers.iter().map(|signer| plain(&signer.principal)).collect();
                printer.line(&format!("{GOOD}verified{GOOD:#}  signed by {}", by.join(" and ")));
            }
            Err(why) => printer.line(&format!("{ERROR}refused{ERROR:#}   {why}")),
        }
    }

    fn json(&self, verdict: &Result<Verified, String>) -> Value {
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
            "effects": words(manifest.effects),
            "channel": release.map(|release| &release.channel),
            "issued": release.map(|release| written(release.issued)),
            "expires": release.and_then(|release| release.expires).map(written),
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

fn tell_seal(seal: &Seal, printer: &Printer) {
    if let Some(key) = &seal.key {
        printer.row("", &format!("key {}, {}", key.fingerprint(), key.kind()));
    }
    let worth = match (&seal.genuine, &seal.principals) {
        (Err(refusal), _) => format!("counts for nothing: {refusal}"),
        (Ok(()), Err(refusal)) => format!("is genuine, and nobody's who counts: {refusal}"),
        (Ok(()), Ok(principals)) => format!("is genuine, by {}", plain(&principals.join(" or "))),
    };
    printer.row("", &worth);
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
