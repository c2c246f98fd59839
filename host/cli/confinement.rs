//! The confinement of a shell hook on this machine, as text and as JSON.

use hookbox::{
    HookSpec, Target,
    handler::shell::confine::{EffectiveConfinement, EffectiveFileRules, KernelSupport, LEAST_LANDLOCK},
    hook::{Place, WasmSpec},
    model::TrustLevel,
    sandbox::worker,
};
use serde_json::{Value, json};

/// Returns the confinement of a hook, if it is a child process.
pub(crate) fn resolve_confinement(spec: &HookSpec) -> Option<EffectiveConfinement> {
    let here = KernelSupport::detect_features();
    match &spec.target {
        Target::Shell(shell) => Some(EffectiveConfinement::on_machine(&here, shell.confinement.as_ref())),
        Target::Python(python) => {
            let confinement = python.confinement.as_ref();
            let held = EffectiveConfinement::on_machine(&here, confinement);
            // A long-lived interpreter has its processor time for all calls together, without a default.
            let cpu =
                held.cpu.filter(|_| confinement.is_some_and(|requested| requested.limits.cpu.is_some()));
            Some(EffectiveConfinement { cpu, ..held })
        }
        // No other kind starts a process.
        _ => None,
    }
}

/// Returns true if the hook runs in an isolated process.
pub(crate) fn is_isolated(spec: &HookSpec) -> bool {
    let is_untrusted =
        |wasm: &WasmSpec| spec.origin.trust_level == TrustLevel::Untrusted && wasm.confined_to.is_some();
    let is_asked = |wasm: &WasmSpec| wasm.isolate || is_untrusted(wasm);
    matches!(&spec.target, Target::Wasm(wasm) if is_asked(wasm)) && worker::is_possible()
}

pub(crate) fn describe_confinement(held: &EffectiveConfinement) -> String {
    if let Some(refusal) = held.refused {
        return format!("not run: {refusal}");
    }
    let parts = [
        held.session.then(|| "own session".to_owned()),
        held.dies_with_host.then(|| "dies with hookbox".to_owned()),
        held.no_new_privileges.then(|| "no new privileges".to_owned()),
        held.files.as_ref().map(describe_files),
        (!held.network).then(|| "no network (seccomp)".to_owned()),
        held.memory.map(|bytes| format!("memory {}", format_size(bytes))),
        held.processes.map(|count| format!("processes {count}")),
        held.file_size.map(|bytes| format!("file size {}", format_size(bytes))),
        held.cpu.map(|time| format!("cpu {}", humantime::format_duration(time))),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "not confined".to_owned() } else { format!("confined: {}", parts.join(", ")) }
}

fn describe_files(files: &EffectiveFileRules) -> String {
    let list = |verb: &str, places: &[Place]| {
        let places = format_places(places);
        if places.is_empty() { format!("{verb} none") } else { format!("{verb} {}", places.join(" ")) }
    };
    let (read, write) = (list("read", &files.rules.read), list("write", &files.rules.write));
    format!("files: {read}, {write} (Landlock {})", files.landlock)
}

fn format_places(places: &[Place]) -> Vec<String> {
    places.iter().map(Place::to_string).collect()
}

/// Formats the size in the largest unit of which it is a whole number.
fn format_size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 4] = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = UNITS.into_iter().find(|(bits, _)| bytes > 0 && bytes.is_multiple_of(1 << bits));
    unit.map_or_else(|| format!("{bytes} B"), |(bits, unit)| format!("{} {unit}", bytes >> bits))
}

pub(crate) fn confinement_json(held: &EffectiveConfinement) -> Value {
    let files = held.files.as_ref().map(|files| {
        json!({
            "read": format_places(&files.rules.read),
            "write": format_places(&files.rules.write),
            "landlock": files.landlock,
        })
    });
    json!({
        "refused": held.refused.map(|refusal| refusal.to_string()),
        "own_session": held.session,
        "dies_with_hookbox": held.dies_with_host,
        "no_new_privileges": held.no_new_privileges,
        "files": files,
        "network": held.network,
        "memory": held.memory,
        "processes": held.processes,
        "file_size": held.file_size,
        "cpu_seconds": held.cpu.map(|time| time.as_secs()),
    })
}

/// Effects of a confined command that Landlock and seccomp cannot prevent.
pub(crate) const REMAINING_EFFECTS: &str = "modes, owners, times and extended attributes of the user's own files elsewhere \
     (also by `hookbox confine`), Unix sockets with a path, watching of files (inotify), the session's keyring";

/// Returns the features that a machine supports, and those that it lacks.
pub(crate) fn list_features(machine: &KernelSupport) -> (Vec<String>, Vec<String>) {
    let files = match machine.landlock {
        Some(version) if machine.confines_files() => (true, format!("Landlock {version}")),
        _ => (false, format!("Landlock {LEAST_LANDLOCK} (`read`, `write`)")),
    };
    let all = [
        (true, "own sessions".to_owned()),
        (machine.death_signal, "death with hookbox".to_owned()),
        (machine.no_new_privileges, "no new privileges".to_owned()),
        files,
        (machine.seccomp, "seccomp (`network`)".to_owned()),
        (machine.counts_memory, "a limit on memory".to_owned()),
        (machine.counts_processes, "a limit on processes".to_owned()),
    ];
    let of =
        |wanted: bool| all.iter().filter(|(here, _)| *here == wanted).map(|(_, what)| what.clone()).collect();
    (of(true), of(false))
}
