//! What a person reads before trusting a hook: what it is for, what it runs, what it may do then, and what is new since it was trusted.

use std::path::Path;

use hookbox::{
    HookSpec, Sha256Digest, Target,
    model::{Effect, Grants, Tier, bounded_text},
};
use hookbox_files::{
    closure::Closure,
    project_trust::{Candidate, Standing},
    trusted_hooks::{TrustStore, TrustedHook},
};

use super::super::offer;
use crate::{
    confinement,
    printer::{DIM, ERROR, Printer, WARNING},
    report::{self, plain},
};

/// Longest text of a file that is shown to who is asked about it, lines; the rest is counted.
const MAX_LINES: usize = 400;

/// How much of a text is shown.
#[derive(Clone, Copy, Debug)]
pub(super) enum Length {
    /// What a person reads who is asked.
    Asked,
    /// All of it: for a pager.
    Whole,
}

/// Shows one hook.
pub(super) fn show(candidate: &Candidate, store: &TrustStore, length: Length, printer: &Printer) {
    let Candidate { hook, closure, standing, before } = candidate;
    let how = match standing {
        Standing::New => "nobody has trusted it".to_owned(),
        Standing::Trusted => "trusted as it is".to_owned(),
        Standing::Changed(what) => {
            format!("{WARNING}trusted before, and changed since{WARNING:#}: {}", plain(what))
        }
    };
    printer.line(&format!("\n{}  {how}", plain(&hook.name)));
    let tool = hook.tool.as_ref().map(|tool| format!(" ({})", report::matcher(tool))).unwrap_or_default();
    field("on", &format!("{}{tool}", report::events(hook)), printer);
    field("runs", &report::handler(hook), printer);
    field("may", &may(hook), printer);
    match closure {
        Ok(closure) => {
            field("digest", &format!("sha256:{}", closure.digest().as_str()), printer);
            show_closure((closure, before.as_ref()), store, length, printer);
        }
        Err(why) => printer.line(&format!("  {ERROR}cannot be trusted{ERROR:#}: {}", plain(why))),
    }
}

pub(super) fn field(name: &str, text: &str, printer: &Printer) {
    printer.line(&format!("  {name:<8}{}", plain(text)));
}

/// What it may do, once it is trusted.
fn may(hook: &HookSpec) -> String {
    let effects: Vec<_> =
        Tier::Reviewed.effects().iter().filter(|effect| *effect != Effect::Observe).map(word).collect();
    let effects = effects.join(", ");
    match &hook.target {
        Target::Wasm(wasm) => format!("{effects}; in the sandbox{}", granted(&wasm.grants)),
        Target::Webhook(_) => format!("{effects}; it is told what you and the agent say"),
        _ => {
            let held = confinement::of(hook).map(|held| confinement::text(&held)).unwrap_or_default();
            format!("{effects}; and all that you may do on this machine ({held})")
        }
    }
}

fn word(effect: Effect) -> &'static str {
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

fn granted(grants: &Grants) -> String {
    let names = grants.names();
    if names.is_empty() { ", granted nothing".to_owned() } else { format!(", granted {}", names.join(", ")) }
}

fn show_closure(
    (closure, before): (&Closure, Option<&TrustedHook>),
    store: &TrustStore,
    length: Length,
    printer: &Printer,
) {
    for beware in &closure.beware {
        printer.line(&format!("  {WARNING}beware{WARNING:#}  {}", plain(beware)));
    }
    let entry = before.map(|before| before.entry.as_str());
    match entry {
        Some(entry) if entry != closure.entry => {
            offer::show("its entry", entry, Some(&closure.entry), printer);
        }
        _ => lines("entry", &closure.entry, length, printer),
    }
    for (path, bytes) in &closure.files {
        let before = before.and_then(|before| before.files.get(path));
        show_file((path, bytes), (before, store), length, printer);
    }
    let gone = before.into_iter().flat_map(|before| before.files.keys());
    for path in gone.filter(|path| !closure.files.contains_key(*path)) {
        field("no more", &path.display().to_string(), printer);
    }
}

/// The texts of the files that a hook runs.
pub(super) fn show_files(closure: &Closure, length: Length, printer: &Printer) {
    for (path, bytes) in &closure.files {
        match std::str::from_utf8(bytes) {
            Ok(text) => lines(&path.display().to_string(), text, length, printer),
            Err(_) => {
                field(
                    "file",
                    &format!("{}: {} bytes that are no text", path.display(), bytes.len()),
                    printer,
                );
            }
        }
    }
}

fn show_file(
    (path, bytes): (&Path, &[u8]),
    (before, store): (Option<&String>, &TrustStore),
    length: Length,
    printer: &Printer,
) {
    let digest = Sha256Digest::of(bytes);
    let shown = path.display().to_string();
    let Ok(text) = std::str::from_utf8(bytes) else {
        let digest = digest.as_str();
        return field(
            "file",
            &format!("{shown}: {} bytes that are no text, sha256:{digest}", bytes.len()),
            printer,
        );
    };
    let old = before.filter(|before| *before != digest.as_str()).and_then(|before| store.copy(before));
    match old.as_deref().map(std::str::from_utf8) {
        Some(Ok(old)) => offer::show(&plain(&shown), &seen(old), Some(&seen(text)), printer),
        _ if before.is_some_and(|before| before == digest.as_str()) => {
            field("file", &format!("{shown}: as you trusted it"), printer);
        }
        _ => lines(&shown, text, length, printer),
    }
}

/// The text with what cannot be seen written by its number: it runs, too.
fn seen(text: &str) -> String {
    let is_seen = |c: char| matches!(c, '\n' | '\t' | ' '..='~') || !bounded_text(&c.to_string()).is_empty();
    text.chars().fold(String::with_capacity(text.len()), |mut seen, c| {
        if is_seen(c) {
            seen.push(c);
        } else {
            seen.extend(c.escape_unicode());
        }
        seen
    })
}

/// A text as it is, line by line, escaped.
fn lines(name: &str, text: &str, length: Length, printer: &Printer) {
    let count = text.lines().count();
    let most = match length {
        Length::Asked => MAX_LINES,
        Length::Whole => count,
    };
    printer.line(&format!("  {DIM}--- {}, {count} lines{DIM:#}", plain(name)));
    for line in text.lines().take(most) {
        printer.line(&format!("  {DIM}|{DIM:#} {}", plain(&seen(line))));
    }
    if count > most {
        let more = count - most;
        printer.line(&format!(
            "  {WARNING}{more} more lines are not shown{WARNING:#}: `hookbox trust --review | less` shows all before you say yes"
        ));
    }
}
