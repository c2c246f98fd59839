//! The policy: the severity of each code.

mod allowed;
mod config;

use std::collections::BTreeMap;

use self::allowed::Allowed;
pub use self::config::{Allow, Commands, Config, Mode, OnUnsure, OwnRule};
use crate::{
    budget::Budget,
    call::Call,
    codes::{self, SELF_PROTECTION},
    packs::{self, Pack, Place, Shape},
};

/// Codes for parts of a command that cannot be determined.
const DOUBTS: [&str; 4] = ["unparsable", "unknown-command", "unknown-argument", "too-complex"];

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Not reported.
    Off,
    /// The command runs confined.
    Confine,
    /// The user is asked.
    Ask,
    /// The command is denied.
    Deny,
}

/// The settings, checked.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Configured severity of each code.
    severities: BTreeMap<String, Severity>,
    /// Configured mode of each pack.
    packs: BTreeMap<String, Mode>,
    /// The user's rules.
    pub(crate) own: Vec<OwnRule>,
    allowed: Vec<Allowed>,
    /// Patterns of branches that rules about branches are stricter with.
    pub(crate) protected_branches: Vec<String>,
    on_unsure: OnUnsure,
    profile: String,
    /// Shared by all lines that are judged; each has its own without.
    budget: Option<Budget>,
}

impl Policy {
    /// Checks the settings. A code or pack that does not exist, or a code that has two severities, is an error.
    pub fn new(config: &Config) -> Result<Self, String> {
        let mut severities: BTreeMap<String, Severity> = BTreeMap::new();
        let lists =
            [(&config.deny, Severity::Deny), (&config.ask, Severity::Ask), (&config.off, Severity::Off)];
        for (names, severity) in lists {
            for name in names {
                if codes::named(name).is_none() {
                    let known: Vec<&str> = codes::all().map(|code| code.name).collect();
                    return Err(format!("unknown code `{name}`; the codes are {}", listed(known)));
                }
                if severities.insert(name.clone(), severity).is_some_and(|other| other != severity) {
                    return Err(format!("the code `{name}` is in more than one of deny, ask and off"));
                }
            }
        }
        for name in config.packs.keys() {
            if packs::named(name).is_none() {
                let more = if name == "core" { "; the core is always on: its codes can be off" } else { "" };
                let known = listed(packs::names().collect());
                return Err(format!("unknown pack `{name}`; the packs are {known}{more}"));
            }
        }
        let allowed = config.allow.iter().map(Allowed::new).collect::<Result<_, _>>()?;
        Ok(Self {
            severities,
            packs: config.packs.clone(),
            own: config.own_rules()?,
            allowed,
            protected_branches: config.protected_branches.clone(),
            on_unsure: config.on_unsure,
            profile: config.profile()?,
            budget: None,
        })
    }

    /// Returns the policy at this time, in milliseconds since the Unix epoch: without the exceptions that have
    /// expired. 0 is an unknown time, at which every exception with an end has expired.
    #[must_use]
    pub fn at(mut self, now: u64) -> Self {
        self.allowed.retain(|allowed| allowed.holds_at(now));
        self
    }

    /// Returns the policy for a text that may be in another language: only certain findings count.
    #[must_use]
    pub fn certain(mut self) -> Self {
        self.severities.extend(DOUBTS.map(|code| (code.to_owned(), Severity::Off)));
        self
    }

    /// Replaces confinement by asking the user, for places where nothing can be confined.
    #[must_use]
    pub fn asking(mut self) -> Self {
        self.on_unsure = OnUnsure::Ask;
        self
    }

    /// The same for all lines of one event, which share what they may take.
    #[must_use]
    pub fn of_one_event(mut self) -> Self {
        self.budget = Some(Budget::of_a_plugin());
        self
    }

    /// Work that is left for a line.
    pub(crate) fn budget(&self) -> Budget {
        self.budget.clone().unwrap_or_else(Budget::of_a_plugin)
    }

    /// Profile that confines commands.
    pub fn profile(&self) -> &str {
        &self.profile
    }

    /// Returns the severity of a code in the usual place.
    pub fn severity(&self, code: &str) -> Severity {
        self.severity_at(code, Place::Usual)
    }

    /// Returns the severity of a code at the place that the command affects.
    pub(crate) fn severity_at(&self, name: &str, place: Place) -> Severity {
        match self.configured(name, place) {
            Severity::Ask if self.on_unsure == OnUnsure::Confine && DOUBTS.contains(&name) => {
                Severity::Confine
            }
            severity => severity,
        }
    }

    fn configured(&self, name: &str, place: Place) -> Severity {
        if let Some(severity) = self.severities.get(name) {
            return *severity;
        }
        let Some(code) = codes::named(name) else { return Severity::Deny };
        let severity = code.severity_at(place);
        match code.pack.map(|pack| self.mode(pack)) {
            None | Some(Mode::On) => severity,
            Some(Mode::Ask) => severity.min(Severity::Ask),
            Some(Mode::Off) => Severity::Off,
        }
    }

    /// Returns true if a pack may have findings: it is on, or one of its codes is configured.
    pub(crate) fn has(&self, pack: &Pack) -> bool {
        let is_configured = || pack.rules().any(|rule| self.severities.contains_key(rule.code));
        self.mode(pack) != Mode::Off || (!self.severities.is_empty() && is_configured())
    }

    fn mode(&self, pack: &Pack) -> Mode {
        let default = if pack.is_default { Mode::On } else { Mode::Off };
        self.packs.get(pack.name).copied().unwrap_or(default)
    }

    /// Returns true if the user has made an exception for this command. Self-protection has none.
    pub(crate) fn allows(&self, code: &str, call: &Call) -> bool {
        !SELF_PROTECTION.contains(&code) && self.allowed.iter().any(|allowed| allowed.is_for(code, call))
    }
}

/// Parses a shape: a row of words, not too long.
fn checked_shape<'a>(what: &str, text: &'a str) -> Result<Shape<'a>, String> {
    if text.len() > MAX_SHAPE || text.split_whitespace().count() > MAX_WORDS {
        return Err(format!("{what}: a command is at most {MAX_SHAPE} bytes and {MAX_WORDS} words"));
    }
    let empty = || format!("{what}: a command is empty; write the words that it begins with");
    Shape::command(text).ok_or_else(empty)
}

/// The longest shape, in bytes.
const MAX_SHAPE: usize = 1024;
/// The most words of a shape: each `**` may stand for any number.
const MAX_WORDS: usize = 32;

fn listed(mut names: Vec<&str>) -> String {
    names.dedup();
    names.join(", ")
}
