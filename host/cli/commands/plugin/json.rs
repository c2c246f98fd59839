//! An inspection as JSON.

use hookbox::{
    Sha256Digest,
    model::{Effect, Failure, Limit, Manifest},
    sandbox::{
        inspect::{Anatomy, Inspection},
        script::Language,
    },
};
use serde_json::{Map, Value, json};

use super::{
    inspect::InspectedFile,
    plugin_uses::{InstalledPlugin, PluginUse},
};

pub(super) fn encode_inspection(inspected: &InspectedFile<'_>) -> Value {
    let InspectedFile { file, inspection, signers, installed, uses } = inspected;
    let Inspection { size, sha256, anatomy, manifest, compiled } = inspection;
    let is_vouched_for = signers.is_accepted();
    json!({
        "file": file,
        "script": Language::from_path(file).map(Language::word),
        "size": size,
        "sha256": sha256,
        "compiled": compiled,
        "anatomy": anatomy.as_ref().ok().map(of_anatomy),
        "manifest": manifest.as_ref().ok().and_then(Option::as_ref).map(|manifest| of_manifest(manifest, is_vouched_for)),
        "doubt": inspection.mismatch(),
        "signed": signers.to_json(),
        "installed": installed.iter().map(of_installed).collect::<Vec<_>>(),
        "hooks": uses.iter().map(of_use).collect::<Vec<_>>(),
        "problems": inspection.list_problems(file).iter().map(of_problem).collect::<Vec<_>>(),
    })
}

fn of_installed(installed: &InstalledPlugin) -> Value {
    let InstalledPlugin { name, folder, signed } = installed;
    json!({ "name": name, "folder": folder, "signed": signed })
}

fn of_problem(failure: &Failure) -> Value {
    json!({ "code": failure.code.as_str(), "message": failure.message })
}

fn of_anatomy(anatomy: &Anatomy) -> Value {
    let imports = anatomy.meanings().map(|(name, import)| json!({ "name": name, "means": import.about() }));
    json!({
        "kind": anatomy.kind,
        "plugin": anatomy.kind.is_plugin(),
        "imports": imports.collect::<Vec<_>>(),
        "exports": anatomy.exports,
        "functions": anatomy.functions,
        "nested": anatomy.nested,
    })
}

fn of_manifest(manifest: &Manifest, is_vouched_for: bool) -> Value {
    json!({
        "name": manifest.name.as_str(),
        "version": manifest.version.to_string(),
        "seq": manifest.seq,
        "description": manifest.description,
        "world": manifest.world,
        "min_host": manifest.min_host.as_ref().map(ToString::to_string),
        "events": manifest.events.names(),
        "effects": manifest.effects.iter().map(Effect::as_str).collect::<Vec<_>>(),
        "asks": manifest.asks.names(),
        "unknown": manifest.unknown,
        // Without an accepted signature the manifest's content is unverified.
        "vouched_for": is_vouched_for,
    })
}

fn of_use(used: &PluginUse<'_>) -> Value {
    let spec = used.spec;
    let limits: Map<_, _> =
        Limit::all().map(|limit| (limit.as_str().to_owned(), spec.limits.get(limit).into())).collect();
    json!({
        "name": spec.name,
        "file": spec.origin.file,
        "line": spec.origin.line,
        "calls": spec.wasm().map(|wasm| &wasm.path),
        "given": used.given.names(),
        "missing": used.missing,
        "limits": limits,
        "sha256": spec.wasm().and_then(|wasm| wasm.sha256.as_ref()).map(Sha256Digest::as_str),
    })
}
