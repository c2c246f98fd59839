//! The page that the user reads before trusting a hook: its events, its content, its rights, and the changes since it was
//! trusted.

use std::path::{Path, PathBuf};

use hookbox::{
    HookSpec, Sha256Digest, Target,
    model::{Effect, Grants, TrustLevel},
};
use hookbox_app::{
    closure::HookContent,
    project_trust::{Candidate, TrustStatus},
    trusted_hooks::{TrustStore, TrustedHook},
};

use super::{
    super::change_consent,
    text::{self, ShownLength, print_lines},
};
use crate::{
    confinement,
    printer::{ERROR, Printer, WARNING},
    report::{self, sanitize_line},
};

pub(super) fn show_candidate(
    candidate: &Candidate,
    store: &TrustStore,
    length: ShownLength,
    printer: &Printer,
) {
    let Candidate { hook, closure, standing, before } = candidate;
    let how = match standing {
        TrustStatus::New => "not trusted yet".to_owned(),
        TrustStatus::Trusted => "trusted as it is".to_owned(),
        TrustStatus::Changed(what) => {
            format!("{WARNING}trusted before, and changed since{WARNING:#}: {}", sanitize_line(what))
        }
    };
    printer.print_line(&format!("\n{}  {how}", sanitize_line(&hook.name)));
    let tool =
        hook.tool.as_ref().map(|tool| format!(" ({})", report::describe_matcher(tool))).unwrap_or_default();
    print_field("on", &format!("{}{tool}", report::format_events(hook)), printer);
    print_field("runs", &report::describe_handler(hook), printer);
    print_field("may", &describe_effects(hook), printer);
    match closure {
        Ok(closure) => {
            let unseen =
                if length == ShownLength::Asked { list_hidden_parts(candidate, store) } else { Vec::new() };
            if unseen.is_empty() {
                print_field("digest", &format!("sha256:{}", closure.digest().as_str()), printer);
            }
            for what in unseen {
                printer.print_line(&format!(
                    "  {WARNING}not all of it is shown here{WARNING:#}: {}",
                    sanitize_line(&what)
                ));
            }
            show_closure((closure, before.as_ref()), store, length, printer);
        }
        Err(why) => {
            let why = sanitize_line(&why.to_string());
            printer.print_line(&format!("  {ERROR}cannot be trusted{ERROR:#}: {why}"));
        }
    }
}

/// Returns the parts of a hook that the question does not show. The user cannot agree to those.
pub(super) fn list_hidden_parts(candidate: &Candidate, store: &TrustStore) -> Vec<String> {
    let Ok(closure) = &candidate.closure else { return Vec::new() };
    let before = candidate.before.as_ref();
    let entry = match before {
        Some(before) if before.entry == closure.entry || is_compared(&before.entry, &closure.entry) => None,
        _ => text::describe_hidden("its entry", &closure.entry),
    };
    // A component is not readable, and its capabilities are limited to the granted ones.
    let is_component = matches!(candidate.hook.target, Target::Wasm(_));
    let of_file = |(path, bytes): (&PathBuf, &Vec<u8>)| {
        let digest = before.and_then(|before| before.files.get(path));
        let name = path.display().to_string();
        let Some(text) = text::of_bytes(bytes) else {
            let is_known = is_component || digest.is_some_and(|digest| is_same(digest, bytes));
            return (!is_known).then(|| format!("{name} is {} bytes that are not text", bytes.len()));
        };
        match old_text(digest, store) {
            _ if digest.is_some_and(|digest| is_same(digest, bytes)) => None,
            Some(old) if is_compared(&old, &text) => None,
            _ => text::describe_hidden(&name, &text),
        }
    };
    entry.into_iter().chain(closure.files.iter().filter_map(of_file)).collect()
}

fn is_same(digest: &str, bytes: &[u8]) -> bool {
    Sha256Digest::of_content(bytes).as_str() == digest
}

/// Returns true if only the changes are shown. In long lines they would not be visible.
fn is_compared(old: &str, new: &str) -> bool {
    !text::is_dense(old) && !text::is_dense(new)
}

/// Returns the text that was trusted before.
fn old_text(digest: Option<&String>, store: &TrustStore) -> Option<String> {
    text::of_bytes(&store.read_copy(digest?)?)
}

pub(super) fn print_field(name: &str, text: &str, printer: &Printer) {
    printer.print_line(&format!("  {name:<8}{}", sanitize_line(text)));
}

/// Describes the effects that it may have once it is trusted.
fn describe_effects(hook: &HookSpec) -> String {
    let effects: Vec<_> = TrustLevel::Reviewed
        .effects()
        .iter()
        .filter(|effect| *effect != Effect::Observe)
        .map(name_effect)
        .collect();
    let effects = effects.join(", ");
    match &hook.target {
        Target::Wasm(wasm) => format!("{effects}; in the sandbox{}", describe_grants(&wasm.grants)),
        Target::Webhook(_) => format!("{effects}; it receives what you and the agent write"),
        _ => {
            let held = confinement::resolve_confinement(hook)
                .map(|held| confinement::describe_confinement(&held))
                .unwrap_or_default();
            format!("{effects}; and all that you may do on this machine ({held})")
        }
    }
}

fn name_effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Observe => "observe",
        Effect::Ask => "ask you",
        Effect::DenyCode => "deny",
        Effect::DenyText => "say why",
        Effect::Context => "add text for the model",
        Effect::Rewrite => "rewrite",
        Effect::Allow => "allow",
    }
}

fn describe_grants(grants: &Grants) -> String {
    let names = grants.names();
    if names.is_empty() { ", granted nothing".to_owned() } else { format!(", granted {}", names.join(", ")) }
}

fn show_closure(
    (closure, before): (&HookContent, Option<&TrustedHook>),
    store: &TrustStore,
    length: ShownLength,
    printer: &Printer,
) {
    for beware in &closure.beware {
        printer.print_line(&format!("  {WARNING}beware{WARNING:#}  {}", sanitize_line(beware)));
    }
    let entry = before.map(|before| before.entry.as_str());
    match entry {
        Some(entry) if entry != closure.entry && is_compared(entry, &closure.entry) => {
            change_consent::show_change(
                "its entry",
                &text::escape_invisible(entry),
                Some(&text::escape_invisible(&closure.entry)),
                printer,
            );
        }
        _ => print_lines("entry", &closure.entry, length, printer),
    }
    for (path, bytes) in &closure.files {
        let before = before.and_then(|before| before.files.get(path));
        show_file((path, bytes), (before, store), length, printer);
    }
    let gone = before.into_iter().flat_map(|before| before.files.keys());
    for path in gone.filter(|path| !closure.files.contains_key(*path)) {
        print_field("no more", &path.display().to_string(), printer);
    }
}

/// Shows the texts of the files that a hook runs.
pub(super) fn show_files(closure: &HookContent, length: ShownLength, printer: &Printer) {
    for (path, bytes) in &closure.files {
        show_text((path, bytes), length, printer);
    }
}

fn show_file(
    (path, bytes): (&Path, &[u8]),
    (before, store): (Option<&String>, &TrustStore),
    length: ShownLength,
    printer: &Printer,
) {
    if before.is_some_and(|before| is_same(before, bytes)) {
        return print_field("file", &format!("{}: as you trusted it", path.display()), printer);
    }
    match old_text(before, store).zip(text::of_bytes(bytes)) {
        Some((old, new)) if is_compared(&old, &new) => {
            let shown = sanitize_line(&path.display().to_string());
            change_consent::show_change(
                &shown,
                &text::escape_invisible(&old),
                Some(&text::escape_invisible(&new)),
                printer,
            );
        }
        _ => show_text((path, bytes), length, printer),
    }
}

fn show_text((path, bytes): (&Path, &[u8]), length: ShownLength, printer: &Printer) {
    let shown = path.display().to_string();
    let Some(text) = text::of_bytes(bytes) else {
        let digest = Sha256Digest::of_content(bytes);
        let what = format!("{shown}: {} bytes that are not text, sha256:{}", bytes.len(), digest.as_str());
        return print_field("file", &what, printer);
    };
    print_lines(&shown, &text, length, printer);
}
