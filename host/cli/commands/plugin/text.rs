//! An inspection as text. An inspected file is untrusted: every text of it is cleaned.

use std::path::Path;

use hookbox::{
    HookSpec, Sha256Digest,
    model::{Effect, Failure, Limit, Limits, Manifest},
    sandbox::{
        inspect::{Anatomy, Import, Inspection},
        script::Language,
    },
};

use super::Use;
use crate::{
    printer::{ERROR, GOOD, Printer, WARNING},
    report::plain,
};

/// Maximum number of imports and of exports that are shown.
const SHOWN: usize = 50;

pub(super) fn print(file: &Path, inspection: &Inspection, uses: &[Use<'_>], printer: &Printer) {
    print_identity(file, inspection, printer);
    row(
        printer,
        "compiled",
        if inspection.compiled { "yes: native code is kept" } else { "no: `hookbox check` does it" },
    );
    if let Ok(anatomy) = &inspection.anatomy {
        print_anatomy(anatomy, printer);
    }
    inspection.problems(file).iter().for_each(|failure| problem(printer, failure));
    print_said(inspection, false, printer);
    if let Some(doubt) = inspection.mismatch() {
        printer.line(&format!("{WARNING}warning{WARNING:#}   {}", plain(&doubt)));
    }
    for used in uses {
        print_use(used, &inspection.sha256, printer);
    }
    if uses.is_empty() {
        row(printer, "hooks", "none calls it; it would be granted nothing");
        row(printer, "limits", &limits(&Limits::default()));
    }
}

/// Prints the file's properties and its manifest, without its hooks.
pub(super) fn print_file(file: &Path, inspection: &Inspection, is_signed: bool, printer: &Printer) {
    print_identity(file, inspection, printer);
    if let Ok(anatomy) = &inspection.anatomy {
        print_anatomy(anatomy, printer);
    }
    print_said(inspection, is_signed, printer);
}

fn print_identity(file: &Path, inspection: &Inspection, printer: &Printer) {
    let Inspection { size, sha256, anatomy, .. } = inspection;
    row(printer, "file", &file.display().to_string());
    if let Some(language) = Language::of(file) {
        // If the script could not be built, it is unknown how far it ran.
        let ran = if anatomy.is_ok() { ": its top level was run once, with nothing to act on" } else { "" };
        row(printer, "script", &format!("{}{ran}", language.name()));
    }
    row(printer, "size", &format!("{size} bytes"));
    row(printer, "sha256", sha256);
}

fn print_said(inspection: &Inspection, is_signed: bool, printer: &Printer) {
    match &inspection.manifest {
        Ok(Some(manifest)) => print_manifest(manifest, is_signed, printer),
        Ok(None) => row(printer, "manifest", "none: it is given whatever is granted"),
        Err(_) => {}
    }
}

fn row(printer: &Printer, key: &str, value: &str) {
    printer.line(&format!("{key:<10}{}", plain(value)));
}

fn problem(printer: &Printer, failure: &Failure) {
    printer.line(&format!("{ERROR}broken{ERROR:#}    {}", plain(&failure.message)));
}

fn print_anatomy(anatomy: &Anatomy, printer: &Printer) {
    let Anatomy { kind, exports, functions, nested, .. } = anatomy;
    row(printer, "kind", kind.about());
    row(printer, "inside", &format!("functions {functions}, modules and components {nested}"));
    let imports = anatomy.told_meanings();
    for (name, import) in imports.iter().take(SHOWN) {
        let style = if *import == Import::Other { ERROR } else { GOOD };
        printer.line(&format!("{:<10}{}  {style}{}{style:#}", "imports", plain(name), import.about()));
    }
    more(printer, "imports", imports.len());
    for name in exports.iter().take(SHOWN) {
        row(printer, "exports", name);
    }
    more(printer, "exports", exports.len());
}

fn more(printer: &Printer, key: &str, count: usize) {
    if count > SHOWN {
        row(printer, key, &format!("and {} more", count - SHOWN));
    }
}

fn print_manifest(manifest: &Manifest, is_signed: bool, printer: &Printer) {
    let Manifest { name, version, seq, .. } = manifest;
    // The signer vouches for it, and is printed as well.
    let whose = if is_signed { "" } else { ": unverified, stated by the plugin" };
    row(printer, "manifest", &format!("{name} {version}, release {seq}{whose}"));
    let min_host = manifest.min_host.as_ref().map(|version| format!("{version} or later"));
    for (key, value) in [("about", &manifest.description), ("world", &manifest.world), ("hookbox", &min_host)]
    {
        if let Some(value) = value {
            row(printer, key, value);
        }
    }
    row(printer, "events", &manifest.events.to_string());
    row(printer, "effects", &listed(manifest.effects.iter().map(Effect::as_str)));
    row(printer, "asks for", &listed(manifest.asks.names().iter().map(String::as_str)));
    for member in &manifest.unknown {
        printer.line(&format!(
            "{WARNING}unknown{WARNING:#}   `{}` in the manifest means nothing to hookbox",
            plain(member)
        ));
    }
}

fn print_use(used: &Use<'_>, sha256: &str, printer: &Printer) {
    let Use { spec, given, missing } = used;
    let place = spec.origin.file.as_ref().map(|file| format!(", {}:{}", file.display(), spec.origin.line));
    row(printer, "hook", &format!("{}{}", spec.name, place.unwrap_or_default()));
    row(printer, "  given", &listed(given.names().iter().map(String::as_str)));
    if let Some(missing) = missing {
        row(printer, "  missing", missing);
    }
    row(printer, "  limits", &limits(&spec.limits));
    row(printer, "  pinned", &pinned(spec, sha256));
}

fn pinned(spec: &HookSpec, sha256: &str) -> String {
    let pin = spec.wasm().and_then(|wasm| wasm.sha256.as_ref());
    match pin.map(Sha256Digest::as_str) {
        Some(pin) if pin == sha256 => "yes: with any other content it fails".to_owned(),
        Some(pin) => format!("to another file, so it fails: sha256 = \"{pin}\""),
        None => "no; to have it fail if the file is replaced, write this `sha256` into its `wasm`".to_owned(),
    }
}

fn limits(limits: &Limits) -> String {
    let all: Vec<_> = Limit::all().map(|limit| format!("{} {}", limit.as_str(), limits.get(limit))).collect();
    all.join(", ")
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}
