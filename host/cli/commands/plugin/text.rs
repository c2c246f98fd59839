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

use super::{
    inspect::InspectedFile,
    plugin_uses::{InstalledPlugin, PluginUse},
};
use crate::{
    printer::{ERROR, GOOD, Printer, WARNING},
    report::sanitize_line,
};

/// Maximum number of imports and of exports that are shown.
const MAX_SHOWN: usize = 50;

pub(super) fn print_inspection(inspected: &InspectedFile<'_>, printer: &Printer) {
    let InspectedFile { file, inspection, signers, installed, uses } = inspected;
    print_identity(file, inspection, printer);
    print_row(
        printer,
        "compiled",
        if inspection.compiled { "yes: native code is kept" } else { "no: `hookbox check` does it" },
    );
    if let Ok(anatomy) = &inspection.anatomy {
        print_anatomy(anatomy, printer);
    }
    inspection.list_problems(file).iter().for_each(|failure| print_failure(printer, failure));
    print_manifest_state(inspection, signers.is_accepted(), printer);
    if let Some(doubt) = inspection.mismatch() {
        printer.print_line(&format!("{WARNING}warning{WARNING:#}   {}", sanitize_line(&doubt)));
    }
    for line in signers.describe() {
        print_row(printer, "signed", &line);
    }
    for InstalledPlugin { name, folder, signed } in installed {
        print_row(printer, "installed", &format!("`{name}`, in {}, {signed}", folder.display()));
    }
    for used in uses {
        print_use(used, &inspection.sha256, printer);
    }
    if uses.is_empty() {
        print_row(printer, "hooks", "none calls it; it would be granted nothing");
        print_row(printer, "limits", &format_limits(&Limits::default()));
    }
}

/// Prints the file's properties and its manifest, without its hooks.
pub(super) fn print_file(file: &Path, inspection: &Inspection, is_signed: bool, printer: &Printer) {
    print_identity(file, inspection, printer);
    if let Ok(anatomy) = &inspection.anatomy {
        print_anatomy(anatomy, printer);
    }
    print_manifest_state(inspection, is_signed, printer);
}

fn print_identity(file: &Path, inspection: &Inspection, printer: &Printer) {
    let Inspection { size, sha256, anatomy, .. } = inspection;
    print_row(printer, "file", &file.display().to_string());
    if let Some(language) = Language::from_path(file) {
        // If the script could not be built, it is unknown how far it ran.
        let ran = if anatomy.is_ok() { ": its top level was run once, with nothing to act on" } else { "" };
        print_row(printer, "script", &format!("{}{ran}", language.name()));
    }
    print_row(printer, "size", &format!("{size} bytes"));
    print_row(printer, "sha256", sha256);
}

fn print_manifest_state(inspection: &Inspection, is_signed: bool, printer: &Printer) {
    match &inspection.manifest {
        Ok(Some(manifest)) => print_manifest(manifest, is_signed, printer),
        Ok(None) => print_row(printer, "manifest", "none: it has the granted capabilities"),
        Err(_) => {}
    }
}

fn print_row(printer: &Printer, key: &str, value: &str) {
    printer.print_line(&format!("{key:<10}{}", sanitize_line(value)));
}

fn print_failure(printer: &Printer, failure: &Failure) {
    printer.print_line(&format!("{ERROR}broken{ERROR:#}    {}", sanitize_line(&failure.message)));
}

fn print_anatomy(anatomy: &Anatomy, printer: &Printer) {
    let Anatomy { kind, exports, functions, nested, .. } = anatomy;
    print_row(printer, "kind", kind.about());
    print_row(printer, "inside", &format!("functions {functions}, modules and components {nested}"));
    let imports = anatomy.list_displayed_imports();
    for (name, import) in imports.iter().take(MAX_SHOWN) {
        let style = if *import == Import::Other { ERROR } else { GOOD };
        printer.print_line(&format!(
            "{:<10}{}  {style}{}{style:#}",
            "imports",
            sanitize_line(name),
            import.about()
        ));
    }
    print_remainder(printer, "imports", imports.len());
    for name in exports.iter().take(MAX_SHOWN) {
        print_row(printer, "exports", name);
    }
    print_remainder(printer, "exports", exports.len());
}

fn print_remainder(printer: &Printer, key: &str, count: usize) {
    if count > MAX_SHOWN {
        print_row(printer, key, &format!("and {} more", count - MAX_SHOWN));
    }
}

fn print_manifest(manifest: &Manifest, is_signed: bool, printer: &Printer) {
    let Manifest { name, version, seq, .. } = manifest;
    // The signer vouches for it, and is printed as well.
    let whose = if is_signed { "" } else { ": unverified, stated by the plugin" };
    print_row(printer, "manifest", &format!("{name} {version}, release {seq}{whose}"));
    let min_host = manifest.min_host.as_ref().map(|version| format!("{version} or later"));
    for (key, value) in [("about", &manifest.description), ("world", &manifest.world), ("hookbox", &min_host)]
    {
        if let Some(value) = value {
            print_row(printer, key, value);
        }
    }
    print_row(printer, "events", &manifest.events.to_string());
    print_row(printer, "effects", &join_names(manifest.effects.iter().map(Effect::as_str)));
    print_row(printer, "asks for", &join_names(manifest.asks.names().iter().map(String::as_str)));
    for member in &manifest.unknown {
        printer.print_line(&format!(
            "{WARNING}unknown{WARNING:#}   `{}` in the manifest means nothing to hookbox",
            sanitize_line(member)
        ));
    }
}

fn print_use(used: &PluginUse<'_>, sha256: &str, printer: &Printer) {
    let PluginUse { spec, other_file, given, missing } = used;
    let place = spec.origin.file.as_ref().map(|file| format!(", {}:{}", file.display(), spec.origin.line));
    print_row(printer, "hook", &format!("{}{}", spec.name, place.unwrap_or_default()));
    if let Some(file) = other_file {
        print_row(printer, "  calls", &format!("{}, which has the same content", file.display()));
    }
    print_row(printer, "  given", &join_names(given.names().iter().map(String::as_str)));
    if let Some(missing) = missing {
        print_row(printer, "  missing", missing);
    }
    print_row(printer, "  limits", &format_limits(&spec.limits));
    print_row(printer, "  pinned", &describe_pin(spec, sha256));
}

fn describe_pin(spec: &HookSpec, sha256: &str) -> String {
    let pin = spec.wasm().and_then(|wasm| wasm.sha256.as_ref());
    match pin.map(Sha256Digest::as_str) {
        Some(pin) if pin == sha256 => "yes: with any other content it fails".to_owned(),
        Some(pin) => format!("to another file, so it fails: sha256 = \"{pin}\""),
        None => "no; to have it fail if the file is replaced, write this `sha256` into its `wasm`".to_owned(),
    }
}

fn format_limits(limits: &Limits) -> String {
    let all: Vec<_> = Limit::all().map(|limit| format!("{} {}", limit.as_str(), limits.get(limit))).collect();
    all.join(", ")
}

fn join_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}
