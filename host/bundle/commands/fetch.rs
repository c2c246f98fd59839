//! `hookbox-bundle fetch`: gets a plugin from any source into a folder, and prints a line of JSON about the plugin and its
//! signers. The caller decides whether that is enough.

use std::{fmt::Write as _, path::Path, time::SystemTime};

use hookbox_registry::{Digest, Listed};
use hookbox_trust::{
    Refusal, RefusalKind,
    key::PublicKey,
    statement::format_time,
    verify::{Bundle, Checked, Seal, VerificationData, check_bundle},
};
use serde_json::{Value, json};

use super::pull::check_version;
use crate::{
    args::FetchArgs,
    bundle::{Plugin, write_file},
    exit::{ExitStatus, Fault},
    printer::{Printer, to_plain_line},
    source::{FetchedPlugin, Source, SourceContent},
    trust_sources::KnownFiles,
};

/// Names of the written files.
const COMPONENT: &str = "component.wasm";
const STATEMENT: &str = "statement.json";
const SIGNATURE: &str = "statement.json.sig";

pub(super) fn fetch_plugin(args: &FetchArgs, printer: &Printer) -> Result<ExitStatus, Fault> {
    // Invalid trust files are reported before any server is contacted.
    let known = KnownFiles::read_files(&args.trust)?;
    let one = fetch_one(&Source::parse(&args.source)?, args.plugin.as_deref())?;
    let plugin = Plugin::from_bytes(Path::new(&one.source), &one.component);
    if let Ok(plugin) = &plugin {
        check_version(&one, plugin)?;
    }
    // Written before the signatures are checked: the caller shows the file and its problems, and decides.
    write_plugin(&one, &args.into)?;
    let checked = match (&one.signed.statement, &plugin) {
        (None, _) => Err("it has no statement".to_owned()),
        (_, Err(Fault::Usage(why) | Fault::Failed(why))) => Err(why.clone()),
        (Some(statement), Ok(plugin)) => check_plugin(&one, plugin, statement, &known),
    };
    printer.print_line(&to_json(&one, &checked).to_string());
    Ok(ExitStatus::Success)
}

/// Returns the single plugin of the source; of a pack, the one with this name.
fn fetch_one(source: &Source, name: Option<&str>) -> Result<Box<FetchedPlugin>, Fault> {
    let listed = match source.get()? {
        SourceContent::One(one) => return Ok(one),
        SourceContent::Pack(listed) => listed,
    };
    // Entries of a pack have the last part of the plugins' names. The fetched plugin is checked: its manifest has its full
    // name.
    let last = name.map(|name| name.rsplit('/').next().unwrap_or(name));
    let found = listed.iter().find(|listed| last.is_some() && listed.name.as_deref() == last);
    match found.map(|listed| source.with_digest(&listed.manifest).get()).transpose()? {
        Some(SourceContent::One(one)) => Ok(one),
        Some(SourceContent::Pack(_)) | None => Err(make_pack_fault(source, &listed)),
    }
}

fn make_pack_fault(source: &Source, listed: &[Listed]) -> Fault {
    let mut message = format!(
        "{} is a pack of {} plugins; add each plugin separately:",
        to_plain_line(&source.shown()),
        listed.len()
    );
    for Listed { name, manifest } in listed {
        let name = name.as_ref().map_or_else(String::new, |name| format!("   # {name}"));
        let _ = write!(
            message,
            "\n  hookbox plugin add {}{name}",
            to_plain_line(&source.with_digest(manifest).shown())
        );
    }
    Fault::Failed(message)
}

fn write_plugin(one: &FetchedPlugin, folder: &Path) -> Result<(), Fault> {
    write_file(&folder.join(COMPONENT), &one.component)?;
    if let Some(statement) = &one.signed.statement {
        write_file(&folder.join(STATEMENT), statement)?;
    }
    for (number, armored) in one.signed.signatures.iter().enumerate() {
        let end = if number == 0 { String::new() } else { format!(".{number}") };
        write_file(&folder.join(format!("{SIGNATURE}{end}")), armored.as_bytes())?;
    }
    Ok(())
}

fn check_plugin(
    one: &FetchedPlugin,
    plugin: &Plugin,
    statement: &[u8],
    known: &KnownFiles,
) -> Result<Checked, String> {
    let bundle = Bundle { component: plugin.component(), statement, signatures: &one.signed.signatures };
    let known = VerificationData { signers: &known.signers, revoked: &known.revoked, now: SystemTime::now() };
    check_bundle(bundle, known).map_err(|refusal| refusal.to_string())
}

fn to_json(one: &FetchedPlugin, checked: &Result<Checked, String>) -> Value {
    let release = checked.as_ref().ok().map(|checked| {
        let release = &checked.release;
        let mut report = json!({
            "name": release.name.as_str(),
            "version": release.version.to_string(),
            "seq": release.seq,
            "channel": release.channel,
            "issued": format_time(release.issued),
        });
        if let (Some(expires), Some(members)) = (release.expires, report.as_object_mut()) {
            members.insert("expires".to_owned(), format_time(expires).into());
        }
        report
    });
    let signatures: Vec<_> = match checked {
        Ok(checked) => checked.seals.iter().map(seal_to_json).collect(),
        // A signature over another statement is irrelevant to this file.
        Err(why) => one.signed.signatures.iter().map(|_| build_unverified_json(why)).collect(),
    };
    let statement = one.signed.statement.as_ref();
    json!({
        "source": one.source,
        "manifest": one.manifest.as_ref().map(ToString::to_string),
        "component": one.digest.to_string(),
        "size": one.component.len(),
        "statement": statement.map(|bytes| Digest::of_content(bytes).to_string()),
        "signatures": signatures,
        "release": release,
        "tag_moved": one.moved,
    })
}

/// Describes a signature. If the key is not listed, it counts as one without a principal: the user who adds the plugin is shown
/// the key, and it is pinned. A key whose listing has expired does not count as unlisted.
fn seal_to_json(seal: &Seal) -> Value {
    let principals = seal.principals.as_ref();
    let is_unlisted = |refusal: &Refusal| seal.genuine.is_ok() && refusal.kind == RefusalKind::UnknownSigner;
    let against = principals.err().filter(|refusal| !is_unlisted(refusal));
    json!({
        "key": seal.key.as_ref().map(PublicKey::fingerprint),
        "type": seal.key.as_ref().map(|key| key.kind().to_string()),
        "point": seal.key.as_ref().map(|key| Digest::of_content(key.point()).to_string()),
        "principals": principals.cloned().unwrap_or_default(),
        "verified": against.is_none(),
        "why": against.map(ToString::to_string),
    })
}

fn build_unverified_json(why: &str) -> Value {
    json!({ "key": null, "type": null, "point": null, "principals": [], "verified": false, "why": why })
}
