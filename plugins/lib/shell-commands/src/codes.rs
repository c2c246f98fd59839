//! Table of all codes: default severity, and the alternative to such a command.

use crate::{
    packs::{self, Pack, Place, Rule},
    policy::Severity,
};

/// Properties of a code.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// The code.
    pub name: &'static str,
    /// Its pack; nothing for the core's.
    pub(crate) pack: Option<&'static Pack>,
    /// Severity, unless the configuration or the place changes it.
    pub severity: Severity,
    /// Alternative to such a command.
    pub instead: &'static str,
}

impl Code {
    /// The name of its pack.
    pub fn pack(&self) -> &'static str {
        self.pack.map_or("core", |pack| pack.name)
    }

    /// Returns true if the core finds the code: neither a pack nor a rule of the user's.
    pub(crate) fn is_of_core(&self) -> bool {
        self.pack.is_none() && !matches!(self.name, "command-denied" | "command-asked")
    }

    /// Returns the severity at this place.
    pub(crate) fn severity_at(&self, place: Place) -> Severity {
        match (place, self.severity) {
            (Place::Usual, severity) => severity,
            (Place::Temporary, _) => Severity::Off,
            (Place::Outside | Place::Protected, Severity::Off) => Severity::Ask,
            (Place::Outside | Place::Protected, _) => Severity::Deny,
        }
    }
}

/// Codes that protect hookbox and the agents' own settings: no exception and no pack switches them off.
pub(crate) const SELF_PROTECTION: &[&str] = &["hook-config", "agent-config", "hookbox-install"];

/// All codes: the core's, then each pack's.
pub fn all() -> impl Iterator<Item = Code> {
    let packs = packs::rules().filter(|(pack, rule)| is_first(pack, rule)).map(of_pack);
    CORE.iter().map(of_core).chain(packs)
}

/// Several rules of a pack may share a code.
fn is_first(pack: &Pack, rule: &Rule) -> bool {
    pack.rules().find(|other| other.code == rule.code).is_some_and(|first| std::ptr::eq(first, rule))
}

/// The code of this name. Rules that share one come to the same and advise the same, so any of them tells: this is asked for each
/// finding, and to find the first of each code on the way would cost more than the command that is judged.
pub(crate) fn named(name: &str) -> Option<Code> {
    let core = CORE.iter().find(|(known, ..)| *known == name).map(of_core);
    core.or_else(|| packs::rules().find(|(_, rule)| rule.code == name).map(of_pack))
}

fn of_core((name, severity, instead): &(&'static str, Severity, &'static str)) -> Code {
    Code { name, pack: None, severity: *severity, instead }
}

fn of_pack((pack, rule): (&'static Pack, &'static Rule)) -> Code {
    Code { name: rule.code, pack: Some(pack), severity: rule.severity, instead: rule.instead }
}

const CORE: &[(&str, Severity, &str)] = &[
    ("rm-root", Severity::Deny, "name the files or folders inside the project that are to go"),
    ("disk-write", Severity::Deny, "write to a file, and let the user copy it onto the disk"),
    ("fork-bomb", Severity::Deny, "start as many processes as are needed, by number"),
    ("pipe-to-shell", Severity::Deny, "download it into a file, read the file, then run it"),
    ("chmod-root", Severity::Deny, "change the files that need it, with the mode that they need"),
    ("exfiltrate", Severity::Deny, "send it without the secret, or let the user send it"),
    ("hook-config", Severity::Deny, "tell the person what should change, and why"),
    ("agent-config", Severity::Deny, "tell the person what should change, and why"),
    ("kill-all", Severity::Deny, "end the process that is meant, by its number"),
    ("system-power", Severity::Deny, "tell the person that a restart is needed"),
    ("too-complex", Severity::Ask, "split it into shorter commands"),
    ("command-denied", Severity::Deny, ""),
    ("command-asked", Severity::Ask, ""),
    (
        "unparsable",
        Severity::Ask,
        "write it as plain bash with all quotes closed, or put it into a script's file",
    ),
    (
        "unknown-command",
        Severity::Ask,
        "write the command itself in place of the variable or the substitution",
    ),
    (
        "unset-variable",
        Severity::Ask,
        "write `\"${NAME:?}\"` for the variable, so that nothing happens without a value",
    ),
    ("git-command", Severity::Ask, "run the command itself"),
    ("hookbox-install", Severity::Ask, "tell the person which line to run in a terminal"),
    ("unknown-argument", Severity::Off, "write the folder itself"),
    ("secret-write", Severity::Off, "write a template, and let the user fill it in"),
    ("credential-read", Severity::Off, "ask the person for the one value that is needed"),
    ("privilege", Severity::Off, "do it without, or tell the person which line to run"),
];
