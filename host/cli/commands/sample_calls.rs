//! Calls a hook on harmless events to see whether it works: a guard that rejects its own settings reports it only when it is
//! called.

use std::time::Duration;

use hookbox::{
    HookSpec, Target,
    agents::{self, ReadContext, native},
    model::{Event, Failure, Status, TrustLevel},
};
use hookbox_app::FolderHooks;

/// Time limit of one call; the hook's own timeout applies as well.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// Returns the failure of a call of this hook, with its event. `None` if no call fails, and for hooks that are not tried: those
/// that could have an effect, untrusted ones, and those of an agent's own file.
pub(super) async fn find_failure(spec: &HookSpec, folder_hooks: &FolderHooks) -> Option<Failure> {
    let is_tried = matches!(spec.target, Target::Wasm(_))
        && spec.origin.written.is_none()
        && spec.is_harmless()
        && spec.origin.trust_level != TrustLevel::Untrusted;
    if !is_tried {
        return None;
    }
    // A hook that runs once per session would be called with the first sample only.
    let host = folder_hooks.host_of(HookSpec { once: false, ..spec.clone() });
    for event in spec.events.iter().flat_map(build_samples) {
        let name = event.name.clone();
        let outcome = host.plan(&event).with_budget(MAX_WAIT).run().await;
        let failed = outcome.reports.into_iter().find_map(|report| match report.status {
            Status::Failed(failure) => Some(failure),
            Status::Answered(_) | Status::Skipped => None,
        });
        if let Some(Failure { code, message, .. }) = failed {
            return Some(Failure::new(code, &format!("{message} (a harmless {name} was tried)")));
        }
    }
    None
}

fn build_samples(event: &hookbox::model::EventName) -> Vec<Event> {
    let Some(dialect) = agents::find_dialect("native") else { return Vec::new() };
    let arrival = ReadContext { id: "sample".to_owned(), time: 0, cwd: "/".to_owned() };
    native::make_samples(event).into_iter().filter_map(|sample| dialect.read(sample, &arrival).ok()).collect()
}
